import { lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type CompanionKind, type Judgement, judgeCompanion } from "../../domain/recordings/companion_content.ts";
import { errorCode } from "../error_code.ts";
import { readPlainFile } from "../plain_file.ts";
import type { Destination } from "./destination.ts";
import type { PartialFile } from "./partial_file.ts";

/**
 * Judges a companion that was fetched once more against the one at home, which came without its video. A better one
 * replaces that. It is not added when the one at home has gone meanwhile, as when a user deletes the clip.
 * @param setAside moves the one at home to the trash
 */
export async function replaceCompanion(
  recordings: Pick<Destination, "root" | "discardPartial" | "requireSame" | "noteRenamed">,
  { partial, kind, folder }: { partial: PartialFile; kind: CompanionKind; folder: string },
  setAside: () => Promise<void>,
): Promise<Judgement | "gone"> {
  const { root } = recordings;
  const from = join(root, `.${partial.name}`);
  const to = join(root, folder, partial.name);
  await partial.flush();
  const [fresh, before] = await Promise.all([readPlainFile(from), contentOf(to)]);
  const judgement = before === null ? "gone" : judgeCompanion(kind, before, fresh);
  if (judgement !== "better") {
    await recordings.discardPartial(partial.name);
    return judgement;
  }
  recordings.requireSame();
  await setAside();
  // Whatever came there since stays; the partial of a companion begins anew.
  if (lstatSync(to, { throwIfNoEntry: false })) return "worse";
  recordings.requireSame();
  renameSync(from, to);
  recordings.noteRenamed(partial.name, folder);
  return "better";
}

/** Null when there is no such file, and when a link lies there. */
async function contentOf(path: string): Promise<Buffer | null> {
  return await readPlainFile(path).catch((error: unknown) => {
    if (!["ENOENT", "ELOOP"].includes(errorCode(error))) throw error;
    return null;
  });
}
