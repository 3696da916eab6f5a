import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import { Placeholders, replacedIn, sumOf } from "../../domain/backup/placeholders.ts";
import type { SupportPart } from "../../domain/backup/support_schema.ts";
import { supportSettings } from "../../domain/backup/support_settings.ts";
import type { CheckReport } from "../../domain/camera/check_report.ts";
import { typeOf } from "../../domain/recordings/recording_name.ts";
import type { Run } from "../../domain/runs/run.ts";
import { CSV_HEAD, csvLine } from "../../domain/runs/runs_csv.ts";
import { MAIN_CAMERA } from "../../domain/settings/camera_key.ts";
import { CAMERA_SECTIONS } from "../../domain/settings/more_cameras.ts";
import { SECTION_NAMES } from "../../domain/settings/settings.ts";
import { ZipLayout } from "../../domain/viewer/zip_layout.ts";
import { formatText, type Log } from "../../log.ts";
import type { LogFile } from "../../store/config/log_file.ts";
import { supportKey } from "../../store/config/support_key.ts";
import type { RecordingGroup } from "../../store/library/library.ts";
import { isSliceEnd, nextTurn } from "../../turns.ts";
import { VERSION } from "../../version.ts";
import { type PrivateParts, privateValues } from "./private_values.ts";

/** Runs of each camera, the newest ones. */
const MOST_RUNS = 500;
/** Lines of the log that are read at once: a millisecond's work. */
const LINES = 32;
const PLACEHOLDER_LETTERS = 6;

export interface SupportParts extends PrivateParts {
  readonly cameras: readonly (PrivateParts["cameras"][number] & {
    readonly history: { page(since: number, limit: number): Run[]; count(): number };
    readonly probe: { readonly lastCheck: CheckReport | null };
    readonly library: {
      readonly available: boolean;
      readonly recordingCount: number;
      refreshIfOlder(): Promise<void>;
      groups(): Generator<RecordingGroup>;
    };
    readonly listed: { readonly known: object | null };
  })[];
  readonly log: Pick<Log, "all">;
  readonly logFile: Pick<LogFile, "flush" | "tail">;
  /** Path of the key of the placeholders. */
  readonly keyPath: string;
  /** Facts about the machine, which tell nothing about whose it is. */
  readonly machine: Readonly<Record<string, string | boolean>>;
  /** Epoch milliseconds. */
  readonly now: number;
}

interface Part extends SupportPart {
  readonly content: Buffer;
}

/** The files for those who are asked for help, with nothing private in them. Everything else has its turn meanwhile. */
export async function supportParts(parts: SupportParts): Promise<readonly Part[]> {
  const key = await supportKey(parts.keyPath);
  const digest = (text: string) =>
    BigInt(`0x${new Bun.CryptoHasher("sha256", key).update(text).digest("hex")}`)
      .toString(36)
      .slice(-PLACEHOLDER_LETTERS);
  const places = new Placeholders(digest, await privateValues(parts));
  const made: Part[] = [];
  const add = (name: string, text: string) => {
    const content = Buffer.from(text);
    const kinds = replacedIn(text);
    made.push({ name, bytes: content.length, replaced: sumOf(kinds), kinds, content });
  };
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const called = (id: string) => (id === MAIN_CAMERA ? MAIN_CAMERA : places.of("name", id));
  const ofEach = async <T>(read: (one: SupportParts["cameras"][number], isMain: boolean) => T | Promise<T>) => {
    const all: Record<string, T> = {};
    for (const one of parts.cameras) all[called(one.camera.id)] = await read(one, one.camera.id === MAIN_CAMERA);
    return all;
  };

  const made_at = new Date(parts.now).toISOString();
  add("version.json", json({ version: VERSION, made_at, ...parts.machine, cameras: parts.cameras.length }));
  add(
    "settings.json",
    json(
      await ofEach(({ settings }, isMain) =>
        supportSettings(settings.current, isMain ? SECTION_NAMES : CAMERA_SECTIONS, places),
      ),
    ),
  );
  add("check.json", json(await ofEach(({ probe }) => places.json(probe.lastCheck))));
  for (const [index, { history }] of parts.cameras.entries()) {
    const runs = history.page(0, MOST_RUNS).reverse();
    let text = CSV_HEAD;
    for (const [at, run] of runs.entries()) {
      text += csvLine(run.message === undefined ? run : { ...run, message: places.text(run.message) });
      if (at % LINES === 0) await nextTurn();
    }
    add(index === 0 ? "runs.csv" : `runs-${index + 1}.csv`, text);
  }
  add("log.txt", await logText(parts, places));
  add("counts.json", json(await ofEach(async (one) => places.json(await countsOf(one)))));
  return made;
}

/** The end of the log; the lines in memory where no file is written. */
async function logText({ log, logFile }: SupportParts, places: Placeholders): Promise<string> {
  await logFile.flush();
  const written = await logFile.tail();
  const lines = written.length > 0 ? written : log.all.map((line) => formatText(line));
  let text = "";
  for (let at = 0; at < lines.length; at += LINES) {
    text += `${places.text(lines.slice(at, at + LINES).join("\n"))}\n`;
    await nextTurn();
  }
  return text;
}

async function countsOf({ library, history, listed }: SupportParts["cameras"][number]): Promise<object> {
  await library.refreshIfOlder();
  const kinds: Record<string, number> = {};
  let [groups, files, failed] = [0, 0, 0];
  for (const { key, endings } of library.groups()) {
    files += endings.length;
    for (const ending of endings) {
      if (ending.endsWith(".failed")) failed++;
      if (!/^[A-Z]\w?\.mp4$/.test(ending)) continue;
      const kind = typeOf(key) + ending.charAt(0);
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
    if (isSliceEnd(++groups)) await nextTurn();
  }
  return {
    folder_available: library.available,
    recordings: library.recordingCount,
    clips: groups,
    files,
    failed_markers: failed,
    recordings_by_kind: kinds,
    runs: history.count(),
    on_camera: listed.known,
  };
}

const deflated = promisify(deflateRaw);

/** All of it in one ZIP. @param wall time of its files, in seconds */
export async function supportZip(parts: readonly Part[], wall: number): Promise<Buffer> {
  const packed: Buffer[] = [];
  for (const { content } of parts) packed.push(await deflated(content));
  const layout = new ZipLayout(
    parts.map(({ name, content }, at) => ({
      name,
      size: packed[at]?.length ?? 0,
      unpacked: content.length,
      crc: crc32(content),
      wall,
    })),
  );
  const pieces = parts.flatMap((_, at) => [layout.head(at), packed[at] ?? Buffer.alloc(0)]);
  const directory = parts.map(({ content }, at) => layout.directory(at, crc32(content)));
  return Buffer.concat([...pieces, ...directory, layout.end()]);
}
