import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathProblem } from "../../domain/pack/pack_path.ts";
import { errorCode } from "../error_code.ts";
import { READ_PLAIN } from "../plain_file.ts";
import { CHUNK_BYTES, MOST_FILES, NoPack, type PackContent, type PackFile, UnreadablePart } from "./pack_content.ts";

/** Opens an unpacked pack. Links are told and never followed. @throws NoPack */
export async function openPackFolder(folder: string): Promise<PackContent> {
  const files: PackFile[] = [];
  const problems: string[] = [];
  const waiting = [""];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    for (const name of (await readdir(join(folder, parent)).catch(asUnreadable(parent || folder))).sort()) {
      const path = parent === "" ? name : `${parent}/${name}`;
      const problem = pathProblem(path);
      const found = await lstat(join(folder, path));
      if (problem !== null) problems.push(`${JSON.stringify(path)} ${problem}`);
      else if (found.isDirectory()) waiting.push(path);
      else if (found.isFile())
        files.push({ name: path, size: found.size, pieces: () => piecesOf(folder, path, found.size) });
      else problems.push(`${path} is ${found.isSymbolicLink() ? "a link" : "no file"}`);
      if (files.length > MOST_FILES) throw new NoPack(`${folder} has more than ${MOST_FILES} files.`);
    }
  }
  return { files, problems, async [Symbol.asyncDispose]() {} };
}

async function* piecesOf(folder: string, path: string, size: number): AsyncGenerator<Uint8Array> {
  await using file = await open(join(folder, path), READ_PLAIN).catch(asUnreadable(path));
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - at), at).catch(asUnreadable(path));
    if (bytesRead === 0) throw new UnreadablePart(`${path} became shorter while it was read`);
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function asUnreadable(path: string) {
  return (error: unknown): never => {
    throw new UnreadablePart(`${path} cannot be read (${errorCode(error) || String(error)})`);
  };
}
