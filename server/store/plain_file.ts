import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** To read below the destination: a link is not followed (ELOOP), and what is no file is not waited for, as a FIFO would be. */
export const READ_PLAIN = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
/** The same to add to a file there, and to make it. */
export const APPEND_PLAIN = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/** Thrown when the path has no file; with the code of the file system. */
class NoFile extends Error {
  readonly code: string;

  constructor(path: string, found: Stats) {
    const code = found.isDirectory() ? "EISDIR" : "EINVAL";
    super(`${code}: ${path} is not a file`);
    this.code = code;
  }
}

/** All of a file of ours below the destination. Errors are the file system's own, and EINVAL for a FIFO or a device. */
export async function readPlainFile(path: string): Promise<Buffer> {
  await using file = await open(path, READ_PLAIN);
  const found = await file.stat();
  if (!found.isFile()) throw new NoFile(path, found);
  return await file.readFile();
}

/** Its text. */
export async function readPlainText(path: string): Promise<string> {
  return (await readPlainFile(path)).toString("utf8");
}

/** As `readPlainText`, at once. */
export function readPlainTextNow(path: string): string {
  const descriptor = openSync(path, READ_PLAIN);
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new NoFile(path, found);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}
