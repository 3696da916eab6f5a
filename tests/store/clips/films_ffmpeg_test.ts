import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../server/clock.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { Films } from "../../../server/store/clips/films.ts";
import { partsOf, type Segment } from "../../../server/store/library/recording_files.ts";

setDefaultTimeout(180_000);

const RATE = 30;
const SECONDS = 2;
const CLIPS = 3;
const SPANS = 40;
const X264 = "-c:v libx264 -preset ultrafast";
/** Codings of cameras and encoders; `sound` is the kind of its packets, null without. */
const KINDS = {
  "H.264 without B-frames": { video: `${X264} -tune zerolatency -g 10`, sound: "-c:a aac -ac 1 -ar 16000" },
  "H.264 with B-frames, key frames where they fall": {
    video: "-c:v libx264 -preset fast -bf 3 -g 25 -keyint_min 3 -sc_threshold 80",
    sound: "-c:a aac -ac 2 -ar 48000",
  },
  "H.264 whose groups reach into one another": {
    video: "-c:v libx264 -preset fast -bf 3 -g 15 -x264-params open-gop=1:b-pyramid=normal",
    sound: "-an",
  },
  "HEVC named hev1": {
    video: "-c:v libx265 -preset ultrafast -tag:v hev1 -x265-params log-level=none:keyint=12:bframes=3:open-gop=0",
    sound: "-c:a aac -ac 1 -ar 44100",
  },
  "sound without compression": { video: `${X264} -bf 0 -g 12`, sound: "-c:a pcm_s16le -ar 16000 -ac 1 -f mov" },
} as const;
const ffmpeg = Bun.which("ffmpeg");
const has = (encoder: string) =>
  Bun.spawnSync([ffmpeg ?? "false", "-v", "error", "-h", `encoder=${encoder}`]).stdout.length > 60;
const isThere = ffmpeg !== null && Bun.which("ffprobe") !== null && has("libx264") && has("libx265");

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "films-"));
});
afterAll(() => rmSync(root, { recursive: true }));

function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: root });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
  return stdout.toString();
}
const FFMPEG = ["ffmpeg", "-v", "error", "-y"] as const;
/** Checksums of what ffmpeg shows, in order, with the time of each in seconds. */
function checksums(file: string, ...how: string[]): { md5: string; at: number }[] {
  const lines = run(...FFMPEG, "-i", file, ...how, "-f", "framemd5", "-")
    .trim()
    .split("\n");
  const [, ticks = 1, second = 1] =
    lines
      .find((line) => line.startsWith("#tb"))
      ?.match(/(\d+)\/(\d+)/)
      ?.map(Number) ?? [];
  return lines
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.split(",").map((part) => part.trim()))
    .map((parts) => ({ md5: parts[5] ?? "", at: (Number(parts[2]) * ticks) / second }));
}
const pictures = (file: string) => checksums(file, "-map", "0:v", "-fps_mode", "passthrough");
const packets = (file: string) => checksums(file, "-map", "0:a", "-c", "copy");
const keys = (file: string) =>
  run(
    "ffprobe",
    "-v",
    "error",
    "-select_streams",
    "v",
    "-show_entries",
    "packet=pts_time,flags",
    "-of",
    "csv=p=0",
    file,
  )
    .split("\n")
    .filter((line) => line.includes("K"))
    .map((line) => Math.round(Number.parseFloat(line) * RATE));

describe("a film as ffmpeg sees it", () => {
  for (const [number, [name, { video, sound }]] of Object.entries(KINDS).entries())
    test.skipIf(!isThere)(`has the same pictures and sound as its clips: ${name}`, async () => {
      const clips = Array.from({ length: CLIPS }, (_, at): Segment => {
        const key = `2026060${number + 1}_1015${String(at * SECONDS).padStart(2, "0")}_N`;
        const picture = `testsrc2=size=128x72:rate=${RATE}:duration=${SECONDS},hue=h=${40 * at}`;
        const tone = `sine=frequency=${300 + 100 * at}:duration=${SECONDS}`;
        const how = [...video.split(" "), ...sound.split(" ")];
        run(...FFMPEG, "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", tone, ...how, `${key}F.mp4`);
        const parts = partsOf(["F.mp4"]);
        if (parts === null) throw new Error("no parts");
        return { key, folder: "", parts };
      });
      const hasSound = sound !== "-an";
      const isPcm = sound.includes("pcm");
      const files = clips.map(({ key }) => `${key}F.mp4`);
      const own = files.map((file) => ({
        pictures: pictures(file),
        keys: keys(file),
        packets: hasSound ? packets(file).filter(({ at }) => at > -0.001) : [],
      }));
      const films = new Films({ root, clock: systemClock, zone: () => new ZoneTime("UTC") });
      let state = number + 1;
      const random = () => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return state / 2_147_483_648;
      };
      const inFilm = `film-${number}.mp4`;
      for (let span = 0; span < SPANS; span++) {
        const first = Math.floor(random() * CLIPS);
        const last = first + Math.floor(random() * (CLIPS - first));
        const from = Math.round(random() * SECONDS * 1000) / 1000;
        const to = first === last ? from + random() * (SECONDS - from) : random() * SECONDS;
        const isPlain = random() < 0.5;
        const order = { direction: "F", clips: clips.slice(first, last + 1), from, to, isPlain };
        const film = await films.open(order);
        await Bun.write(join(root, inFilm), await film.read(0, film.length));
        const begin = Math.max(...(own[first]?.keys.filter((key) => key / RATE <= from + 1e-6) ?? []));
        const end = Math.min(Math.ceil((to - 1e-6) * RATE), SECONDS * RATE - 1);
        const wanted = own.slice(first, last + 1).flatMap((clip, at) => {
          const stop = first + at === last ? Math.max(end, at === 0 ? begin : 0) + 1 : SECONDS * RATE;
          return clip.pictures.slice(at === 0 ? begin : 0, stop).map(({ md5 }) => md5);
        });
        const shown = pictures(inFilm);
        expect({ span: { ...order, clips: [first, last] }, shown: shown.map(({ md5 }) => md5) }).toEqual({
          span: { ...order, clips: [first, last] },
          shown: wanted,
        });
        expect(shown[0]?.at).toBe(0);
        if (!hasSound || isPcm) continue;
        // Each packet is one of its clip's, and as far from the pictures as there.
        const heard = packets(inFilm);
        const all = own
          .slice(first, last + 1)
          .flatMap((clip, at) => clip.packets.map((packet) => ({ ...packet, clip: at })));
        const start = all.findIndex(
          ({ md5 }, at) => md5 === heard[0]?.md5 && all[at + 1]?.md5 === (heard[1] ?? all[at + 1])?.md5,
        );
        expect(heard.map(({ md5 }) => md5)).toEqual(all.slice(start, start + heard.length).map(({ md5 }) => md5));
        for (const [at, { at: time }] of heard.entries()) {
          const packet = all[start + at];
          const clip = packet?.clip ?? 0;
          const before =
            clip === 0 ? 0 : (shown[wanted.length - picturesFrom(own, first, last, clip, begin, end)]?.at ?? 0);
          const offset = clip === 0 ? begin / RATE : 0;
          expect(Math.abs(time - before - ((packet?.at ?? 0) - offset))).toBeLessThan(0.05);
        }
      }
      if (name.startsWith("HEVC")) expect(run("ffprobe", "-v", "error", inFilm, "-show_streams")).toContain("hvc1");
    });
});

/** Number of pictures of a span that are of a clip and those after it. */
function picturesFrom(
  own: readonly unknown[],
  first: number,
  last: number,
  clip: number,
  begin: number,
  end: number,
): number {
  let count = 0;
  for (let at = clip; at <= last - first && first + at < own.length; at++)
    count += (first + at === last ? end + 1 : SECONDS * RATE) - (at === 0 ? begin : 0);
  return count;
}
