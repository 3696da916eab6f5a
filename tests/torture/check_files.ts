import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { CardFile } from "../../server/dashcam/simulator/simulated_video.ts";
import { parseArtifact, withOrdinal } from "../../server/domain/recordings/recording_name.ts";
import { homeNamesOf, type Scene } from "./scene.ts";
import { type Found, look } from "./tree.ts";

/** Files of the program's own in the destination's root. */
const OWN = /^recordings\/\.dashdock/;
const DATED = /^recordings\/[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?\/$/;

/**
 * Problems below a round's folder, as sentences. No program runs meanwhile.
 * @param complete an undisturbed run has just ended: everything must be at home, and nothing left over
 */
export async function checkFiles(scene: Scene, complete: boolean): Promise<string[]> {
  const tree = look(scene.folder);
  const wrong = [...foreignChanges(scene.foreign, tree)];
  const home = new Set<string>();
  const left: string[] = [];
  for (const path of tree.keys()) {
    if (scene.isFurther(path)) continue;
    if (!path.startsWith("recordings/")) {
      if (!scene.foreign.has(path) && !/^(config|home)\//.test(path) && path !== "recordings/")
        wrong.push(`${path} was made outside the destination`);
      continue;
    }
    const name = basename(path);
    if (scene.foreign.has(path)) home.add(name);
    else if (parseArtifact(name)) {
      home.add(name);
      const problem = await problemOfFile(scene, path, name);
      if (problem) wrong.push(problem);
    } else if (isPartial(path)) {
      left.push(path);
      const problem = await problemOfPartial(scene, path, name.slice(1));
      if (problem) wrong.push(problem);
    } else if (name.endsWith(".failed")) left.push(path);
    else if (path !== "recordings/" && !OWN.test(path) && !DATED.test(path)) left.push(path);
  }
  return complete ? [...wrong, ...lacking(scene, home), ...leftOver(scene, left, home)] : wrong;
}

function* foreignChanges(foreign: ReadonlyMap<string, Found>, tree: ReadonlyMap<string, Found>): Generator<string> {
  for (const [path, was] of foreign) {
    const is = tree.get(path);
    if (is === was) continue;
    yield is === undefined ? `${path} of the user's is gone` : `${path} of the user's was changed: ${was} → ${is}`;
  }
}

/** A partial lies in the destination's root under its name with a dot before it. */
function isPartial(path: string): boolean {
  return /^recordings\/\.[^/]+$/.test(path) && parseArtifact(basename(path).slice(1)) !== null;
}

async function problemOfFile(scene: Scene, path: string, name: string): Promise<string | null> {
  const bytes = readFileSync(join(scene.folder, path));
  const had = scene.had.get(withOrdinal(name, 1)) ?? [];
  if (had.length === 0) return `${path} has a name that was never on the card`;
  const differences: string[] = [];
  for (const file of had) {
    if (file.size === bytes.length && (await sameUpTo(bytes, file)) === bytes.length) return null;
    differences.push(`the same up to ${await sameUpTo(bytes, file)} of ${file.size}`);
  }
  return `${path} is not the camera's: ${bytes.length} bytes, ${differences.join("; ")}`;
}

async function problemOfPartial(scene: Scene, path: string, name: string): Promise<string | null> {
  const bytes = readFileSync(join(scene.folder, path));
  if (scene.doubtful.has(withOrdinal(name, 1)) || bytes.length === 0) return null;
  let longest = 0;
  for (const file of scene.had.get(withOrdinal(name, 1)) ?? []) {
    const same = await sameUpTo(bytes, file);
    if (same === bytes.length) return null;
    longest = Math.max(longest, same);
  }
  return `${path} is no beginning of the camera's: ${bytes.length} bytes, the same up to ${longest}`;
}

/** Number of bytes at the beginning that are the same. */
async function sameUpTo(bytes: Uint8Array, file: CardFile): Promise<number> {
  const length = Math.min(bytes.length, file.size);
  const wanted = await file.read(0, length);
  if (Buffer.compare(bytes.subarray(0, length), wanted) === 0) return length;
  return wanted.findIndex((byte, index) => byte !== bytes[index]);
}

/**
 * Files on the card that are not at home, under any recording of their name. A file that is empty on the card never
 * comes, nor need its companions come.
 */
function* lacking(scene: Scene, home: ReadonlySet<string>): Generator<string> {
  const named = new Set([...home].map((name) => withOrdinal(name, 1)));
  const videos = new Set(scene.card.videos().filter((name) => (scene.card.files.get(name)?.size ?? 0) > 0));
  for (const [name, file] of scene.card.files) {
    if (file.size === 0 || !gives(scene, name) || homeNamesOf(name).some((each) => named.has(each))) continue;
    const artifact = parseArtifact(name);
    const stem = artifact && `${artifact.base}_${artifact.type}${artifact.direction ?? ""}`;
    if (stem && [...videos].some((video) => video.startsWith(stem))) yield `${name} did not come home`;
  }
}

/**
 * Files that a run should have finished or taken away. A beginning stays where it is the last (the camera no longer has
 * the recording, or no longer gives such files, or the file came under its other name). It also stays where the user
 * has put another file of its name, and where the file on the card is empty.
 */
function* leftOver(scene: Scene, paths: readonly string[], home: ReadonlySet<string>): Generator<string> {
  for (const path of paths) {
    const name = basename(path).slice(1);
    const onCard = withOrdinal(name, 1);
    const isEmpty = scene.card.files.get(onCard)?.size === 0;
    const isGiven = scene.card.files.has(onCard) && gives(scene, name);
    const isLast = !home.has(name) && (!isGiven || homeNamesOf(name).some((each) => home.has(each)));
    if (isPartial(path) && (isEmpty || isLast || isForeign(scene, name))) continue;
    yield `${path} is left over`;
  }
}

/** The newer interface has no g-sensor data. */
function gives({ simulator }: Scene, name: string): boolean {
  return simulator.generation === "legacy" || !name.endsWith(".3gf");
}

function isForeign(scene: Scene, name: string): boolean {
  return [...scene.foreign.keys()].some((path) => basename(path) === name);
}
