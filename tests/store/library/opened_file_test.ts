import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openServedFile, readPart } from "../../../server/store/library/opened_file.ts";

const NAME = "20260607_101500_NF.mp4";
const place = mkdtempSync(join(tmpdir(), "opened-"));
const root = join(place, "root");

beforeAll(() => {
  for (const folder of ["day", "@eaDir", "out"]) mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(join(place, "outside"));
  writeFileSync(join(root, "day", NAME), "recorded");
  writeFileSync(join(root, "@eaDir", NAME), "hidden");
  writeFileSync(join(place, "outside", NAME), "secret");
  symlinkSync(join(root, "day", NAME), join(root, "inside.mp4"));
  symlinkSync(join(root, "day"), join(root, "day-again"));
  symlinkSync(join(place, "outside", NAME), join(root, "outside.mp4"));
  symlinkSync(join(place, "outside"), join(root, "outside"));
  symlinkSync(join(root, "@eaDir", NAME), join(root, "hidden.mp4"));
  symlinkSync("round.mp4", join(root, "round.mp4"));
  symlinkSync("/dev/zero", join(root, "device.mp4"));
  linkSync(join(place, "outside", NAME), join(root, "hard.mp4"));
  symlinkSync(root, join(place, "root-again"));
  Bun.spawnSync(["mkfifo", join(root, "fifo.mp4")]);
});
afterAll(() => rmSync(place, { recursive: true }));

const CASES: readonly (readonly [what: string, path: string, text: string | null])[] = [
  ["a file", `day/${NAME}`, "recorded"],
  ["a hard link, which is a file as any other", "hard.mp4", "secret"],
  ["a link that stays below the root", "inside.mp4", "recorded"],
  ["a file in a folder that is such a link", `day-again/${NAME}`, "recorded"],
  ["a link out of it", "outside.mp4", null],
  ["a file in a folder that is such a link out of it", `outside/${NAME}`, null],
  ["a link to what is hidden", "hidden.mp4", null],
  ["a hidden folder", `@eaDir/${NAME}`, null],
  ["a link to itself", "round.mp4", null],
  ["a device", "device.mp4", null],
  ["a FIFO, to which nothing writes", "fifo.mp4", null],
  ["a folder", "day", null],
  ["what is not there", "nothing.mp4", null],
  ["the folder above", `../outside/${NAME}`, null],
  ["a NUL", "day\0", null],
];

describe.each([
  ["by its descriptor", undefined],
  ["by its name, where a system tells no more", null],
] as const)("what is opened is judged %s", (_, placeOf) => {
  test.each(CASES)("%s", async (_, path, text) => {
    // Also when the root is a link itself.
    for (const top of [root, join(place, "root-again")]) {
      using file = await openServedFile(top, path, undefined, placeOf);
      expect(file && Buffer.from(await readPart(file, 0, 100)).toString()).toBe(text);
      if (file) expect([file.size, file.place.startsWith(root)]).toEqual([text?.length ?? 0, true]);
    }
  });
});

test("nothing stays open of what is refused, and of what was given back", async () => {
  const open = () =>
    readdirSync("/proc/self/fd").filter((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`).startsWith(place);
      } catch {
        return false;
      }
    });
  for (const placeOf of [undefined, null])
    for (const [, path] of CASES) (await openServedFile(root, path, undefined, placeOf))?.[Symbol.dispose]();
  expect(open()).toEqual([]);
});
