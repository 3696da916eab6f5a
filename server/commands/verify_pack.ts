import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { counted, formatBytes } from "../domain/text/format.ts";
import { type PackVerdict, verifyPack } from "../engine/pack/verify_pack.ts";
import { oneLine } from "../log.ts";
import { errorCode } from "../store/error_code.ts";
import { NoPack, type PackContent, UnreadablePart } from "../store/pack/pack_content.ts";
import { openPackFolder } from "../store/pack/pack_folder.ts";
import { openPackZip } from "../store/pack/pack_zip.ts";
import type { CommandIO } from "./command_io.ts";
import { readArgs, UsageProblem } from "./usage.ts";

/** `verify-pack FILE`: 0 for a pack that is whole and signed by the key in it, 1 for one that is not, 2 for no pack. */
export async function verifyPackCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const [typed] = readArgs(args, {}, 1).positionals;
  if (!typed) throw new UsageProblem("Say which pack: dashdock verify-pack FILE");
  const path = resolve(typed);
  try {
    await using content = await opened(path);
    const verdict = await verifyPack(content);
    print(io, typed, verdict);
    return verdict.problems.length === 0 ? 0 : 1;
  } catch (error) {
    const why = error instanceof NoPack || error instanceof UnreadablePart ? error.message : unreadable(path, error);
    io.err.write(`${oneLine(why)}\n`);
    return 2;
  }
}

async function opened(path: string): Promise<PackContent> {
  return (await stat(path)).isDirectory() ? await openPackFolder(path) : await openPackZip(path);
}

/** @throws what is no error of a file system */
function unreadable(path: string, error: unknown): string {
  const code = errorCode(error);
  if (code === "") throw error;
  return code === "ENOENT" ? `${path} is not there.` : `${path} cannot be read (${code}).`;
}

function print({ out }: CommandIO, typed: string, { problems, signer, stampedAt, files, bytes }: PackVerdict): void {
  // Names come from another machine, and may move a terminal's cursor.
  for (const problem of problems) out.write(`no  ${oneLine(problem)}.\n`);
  const size = `${counted(files, "file")}, ${formatBytes(bytes)}`;
  if (problems.length === 0) out.write(`ok  ${oneLine(typed)} is whole: ${size}, each as in SHA256SUMS.\n`);
  if (signer !== null) {
    out.write(`ok  SHA256SUMS is signed by the key ${signer}.\n`);
    out.write("    Compare it with the fingerprint that the sender tells you on another way.\n");
  }
  if (stampedAt !== null)
    out.write(`ok  A time stamp of ${oneLine(stampedAt)} is with it. OpenSSL checks it: see VERIFY.txt.\n`);
}
