import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { type FileHandle, mkdir, mkdtemp, open, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import { LONGEST_BACKUP } from "../../domain/backup/longest_backup.ts";
import type { RestoreCheck } from "../../domain/backup/restore_schema.ts";
import { MAIN_CAMERA } from "../../domain/settings/camera_key.ts";
import { readCameras } from "../../domain/settings/more_cameras.ts";
import { isObject } from "../../domain/settings/settings_migrations.ts";
import { copyDatabase, copySchema } from "../../store/config/database_copy.ts";
import { openLedger } from "../../store/config/ledger_database.ts";
import { systemProblem } from "../../store/config/outside_file.ts";
import type { RestoreJournal } from "../../store/config/restore_journal.ts";
import { openStats } from "../../store/config/run_database.ts";
import { parseSettings } from "../../store/config/settings_text.ts";
import { KEPT_PATH } from "../../store/destination/own_folder.ts";
import { errorCode } from "../../store/error_code.ts";
import { KEPT_VERSION, LEDGER_VERSION, RESTORE_STAGE, RUN_DATABASE_VERSION } from "../../store/file_versions.ts";
import { NoPack, type PackContent, UnreadablePart } from "../../store/pack/pack_content.ts";
import { openPackZip } from "../../store/pack/pack_zip.ts";
import { readPlainText } from "../../store/plain_file.ts";
import { nextTurn } from "../../turns.ts";
import { VERSION } from "../../version.ts";
import { type BackedUpCamera, backupFiles, KEPT_NAME } from "./backup_files.ts";
import { BACKUP_FORMAT } from "./make_backup.ts";

/** Browsers that are signed in, who no longer are after a restore. */
const SIGNED_IN = "sessions.json";
const KEYS_NAME = "keys.json";
const LISTED_KEY = v.object({ name: v.string(), digest: v.string() });
const MOST_UNPACKED = 1024 * 1024 * 1024;
const MOST_ENTRIES = 10_000;
const UNUSABLE_SETTINGS = "The settings of the backup cannot be used here.";
const MOST_TEXT = 64 * 1024 * 1024;

/** The file cannot be restored; a sentence. */
export class UnusableBackup extends Error {
  override name = "UnusableBackup";
}

const MANIFEST = v.object({
  format: v.pipe(v.number(), v.integer()),
  product: v.literal("dashdock"),
  version: v.pipe(v.string(), v.regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}/)),
  made_at: v.pipe(v.string(), v.isoTimestamp()),
  files: v.array(v.object({ name: v.string(), bytes: v.pipe(v.number(), v.integer()) })),
});

/** Counts of things that a restore would put others in the place of, and the sections that are set otherwise here. */
export type WouldReplace = RestoreCheck["would_replace"];

/** A backup that was checked whole, and lies unpacked in the config folder. */
export interface StagedBackup {
  readonly version: string;
  readonly madeAt: string;
  readonly wouldReplace: WouldReplace;
  /** Names of keys for programs that are not here now: they were revoked, or made elsewhere. */
  readonly returningKeys: readonly string[];
  readonly journal: RestoreJournal;
  /** Takes it away; nothing else was changed. */
  readonly discard: () => Promise<void>;
}

/**
 * Checks a backup and unpacks it beside what it would replace. Folder of recordings and port stay those of this machine.
 * Everything else has its turn meanwhile.
 * @param path of the ZIP
 * @param about `signal` breaks it off; `mainRoot` is the first camera's folder of recordings where it is not that of the
 * settings
 * @throws UnusableBackup, or the error of the file system
 */
export async function stageBackup(
  path: string,
  configDir: string,
  now: number,
  { signal, mainRoot }: { readonly signal?: AbortSignal; readonly mainRoot?: string } = {},
): Promise<StagedBackup> {
  if ((await stat(path)).size > LONGEST_BACKUP) throw new UnusableBackup("The file is longer than 100 MiB.");
  const stage = await mkdtemp(join(configDir, RESTORE_STAGE));
  const discard = () => rm(stage, { recursive: true, force: true });
  try {
    await using content = await opened(path);
    const about = await manifestOf(content);
    const files = new Map(content.files.map((file) => [file.name, file]));
    files.delete("manifest.json");
    const settings = files.get("settings.json");
    if (settings === undefined) throw new UnusableBackup("The backup has no settings.");
    const text = await textOf(settings.pieces(), settings.size);
    const merged = await mergedSettings(text, configDir, mainRoot);
    const known = new Map(backupFiles(configDir, merged.cameras).map((file) => [file.name, file]));
    for (const { name, pieces } of files.values()) {
      signal?.throwIfAborted();
      const file = known.get(name);
      if (file === undefined) throw new UnusableBackup(`The backup has a file that is unknown: ${shortened(name)}.`);
      const place = join(stage, name);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      {
        await using written = await open(place, "wx", 0o600);
        if (name === "settings.json") await written.writeFile(merged.text);
        else await writeAll(written, pieces());
        await written.sync();
      }
      if (file.kind === "database") await takeRows(place, name, signal);
      if (name.endsWith(".json")) await checkJson(place, name);
    }
    const marks = merged.cameras
      .map(({ id, root }) => ({ name: id === MAIN_CAMERA ? KEPT_NAME : `cameras/${id}/${KEPT_NAME}`, root }))
      .filter(({ name }) => files.has(name));
    for (const { root } of marks) await checkFolder(root);
    const replaced = [...known.values()].filter(({ name }) => basename(name) !== KEPT_NAME);
    return {
      version: about.version,
      madeAt: about.made_at,
      wouldReplace: await wouldReplace(configDir, merged),
      returningKeys: files.has(KEYS_NAME) ? await returningKeys(stage, configDir) : [],
      journal: {
        stage: basename(stage),
        before: freeName(configDir, `restore-${new Date(now).toISOString().slice(0, 19).replaceAll(":", "-")}Z`),
        files: [...replaced.map(({ name }) => ({ name, isNew: files.has(name) })), { name: SIGNED_IN, isNew: false }],
        marks,
      },
      discard,
    };
  } catch (error) {
    await discard();
    if (error instanceof NoPack) throw new UnusableBackup("The file is no backup of Dashdock, or its end is missing.");
    if (error instanceof UnreadablePart)
      throw new UnusableBackup(`The backup is damaged: ${shortened(error.message)}.`);
    throw error;
  }
}

/** A name that nothing has yet, for the files of before. */
function freeName(folder: string, name: string): string {
  let free = name;
  for (let at = 2; existsSync(join(folder, free)); at++) free = `${name}-${at}`;
  return free;
}

async function opened(path: string): Promise<PackContent> {
  const content = await openPackZip(path);
  const fail = async (sentence: string) => {
    await content[Symbol.asyncDispose]();
    throw new UnusableBackup(sentence);
  };
  const { files, problems } = content;
  if (files.length + problems.length > MOST_ENTRIES)
    await fail("The file has more than 10,000 entries, which no backup has.");
  const [problem] = problems;
  if (problem !== undefined) await fail(`The file is no backup of Dashdock: ${shortened(problem)}.`);
  if (files.reduce((sum, { size }) => sum + size, 0) > MOST_UNPACKED)
    await fail("The file is longer than 1 GiB when it is unpacked.");
  return content;
}

async function manifestOf({ files }: PackContent): Promise<v.InferOutput<typeof MANIFEST>> {
  const none = new UnusableBackup("The file is no backup of Dashdock.");
  const file = files.find(({ name }) => name === "manifest.json");
  if (file === undefined) throw none;
  let about: v.InferOutput<typeof MANIFEST>;
  try {
    about = v.parse(MANIFEST, JSON.parse(await textOf(file.pieces(), file.size)));
  } catch (error) {
    if (error instanceof UnreadablePart || error instanceof UnusableBackup) throw error;
    throw none;
  }
  if (isNewer(about.version))
    throw new UnusableBackup(
      `The backup is of Dashdock ${about.version}, newer than ${VERSION}, which runs here. Update first.`,
    );
  if (about.format > BACKUP_FORMAT)
    throw new UnusableBackup("The backup is of a Dashdock newer than this one. Update first.");
  const listed = new Map(about.files.map(({ name, bytes }) => [name, bytes]));
  const others = files.filter(({ name }) => name !== "manifest.json");
  if (listed.size !== others.length || others.some(({ name, size }) => listed.get(name) !== size))
    throw new UnusableBackup("The backup is damaged: it does not have the files that it lists.");
  return about;
}

function isNewer(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [ownMajor = 0, ownMinor = 0] = VERSION.split(".").map(Number);
  return major > ownMajor || (major === ownMajor && minor > ownMinor);
}

interface Merged {
  readonly text: string;
  readonly cameras: readonly BackedUpCamera[];
  /** Names of the sections, and of what else is set, that are others than here. */
  readonly changed: readonly string[];
}

/** Settings of the backup with the folder and the port of this machine. */
async function mergedSettings(text: string, configDir: string, mainRoot: string | undefined): Promise<Merged> {
  const here = await readFile(join(configDir, "settings.json"), "utf8").catch(() => "{}");
  const ours = objectIn(here);
  const theirs = objectIn(text);
  if (Object.keys(theirs).length === 0) throw new UnusableBackup(UNUSABLE_SETTINGS);
  const merged = {
    ...theirs,
    system: { ...part(theirs, "system"), ...picked(part(ours, "system"), "destination") },
    web: { ...part(theirs, "web"), ...picked(part(ours, "web"), "port") },
    auth: { ...part(theirs, "auth"), session_secret: "" },
  };
  const whole = `${JSON.stringify(merged, null, 2)}\n`;
  try {
    const { unknown, settings, unusable } = await parseSettings({ path: "settings.json" }, whole);
    const { cameras } = readCameras(unknown.root, settings, unusable);
    const roots = cameras.map(({ id, settings: { system } }) => ({
      id,
      root: id === MAIN_CAMERA ? (mainRoot ?? system.destination) : system.destination,
    }));
    return { text: whole, cameras: roots, changed: await otherParts(whole, here) };
  } catch {
    throw new UnusableBackup(UNUSABLE_SETTINGS);
  }
}

/** Names of all that is set otherwise. A setting that one of the two does not have is as it is at first. */
async function otherParts(one: string, other: string): Promise<string[]> {
  const [theirs, ours] = [await partsOf(one), await partsOf(other)];
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
  return names.filter((name) => JSON.stringify(theirs[name]) !== JSON.stringify(ours[name]));
}

/** All that is set, by sections; of settings that cannot be used what they have. */
async function partsOf(text: string): Promise<Readonly<Record<string, unknown>>> {
  const { version: _, ...stored } = objectIn(text);
  const found = await parseSettings({ path: "settings.json" }, text).catch(() => null);
  if (found === null) return stored;
  const { auth, ...settings } = found.settings;
  return { ...stored, ...settings, auth: { ...auth, session_secret: "" } };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(text);
    return isObject(found) ? found : {};
  } catch {
    return {};
  }
}

function part(settings: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const found = settings[name];
  return isObject(found) ? found : {};
}

function picked(section: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  return section[name] === undefined ? {} : { [name]: section[name] };
}

/** Statements that make tables and indexes of ours: one each, and nothing in it that runs later. */
const MAKES = /^create (table|index|unique index) [^;]*$/i;

/**
 * Puts a copy of a database in its place, made of its rows, a few at a time. What cannot be read in it shows, and nothing
 * but rows is taken over. One with more than tables and indexes is not ours.
 * @throws UnusableBackup
 */
async function takeRows(path: string, name: string, signal: AbortSignal | undefined): Promise<void> {
  const isRuns = basename(name) === "stats.db";
  const copy = `${path}.copy`;
  let version = 0;
  try {
    using db = new Database(path, { readwrite: true, create: false });
    db.run("pragma trusted_schema = off");
    version = rowsOf<{ user_version: number }>(db, "pragma user_version")[0]?.user_version ?? 0;
    const made = rowsOf<{ type: string; name: string; sql: string | null }>(
      db,
      "select type, name, sql from sqlite_master where name not like 'sqlite~_%' escape '~'",
    );
    const isOurs =
      made.every(({ type, sql }) => (type === "table" || type === "index") && MAKES.test(sql ?? "")) &&
      made.some((one) => one.type === "table" && one.name === (isRuns ? "runs" : "recordings"));
    if (!isOurs) throw new Error("it has other tables");
    if (version <= (isRuns ? RUN_DATABASE_VERSION : LEDGER_VERSION)) {
      await copyDatabase(path, copy, signal);
      copySchema(path, `${path}.schema`);
      if (!isWhole(`${path}.schema`, isRuns ? openStats : openLedger)) throw new Error("it lacks a table or column");
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (isDiskFull(error) || errorCode(error).startsWith("SQLITE_IOERR")) throw error;
    throw new UnusableBackup(`The backup is damaged: ${name} cannot be read.`);
  }
  if (version > (isRuns ? RUN_DATABASE_VERSION : LEDGER_VERSION))
    throw new UnusableBackup(`The backup is of a newer Dashdock: ${name}. Update first.`);
  for (const end of ["-wal", "-shm", "-journal"]) await rm(path + end, { force: true });
  await using whole = await open(copy, "r");
  await whole.sync();
  await rename(copy, path);
}

/** True when a database has all that ours has, once it is upgraded as by the next start. @param path of its schema */
function isWhole(path: string, openOne: (path: string) => Database): boolean {
  using given = openOne(path);
  using fresh = openOne(`${path}-fresh`);
  const columnsOf = (db: Database) =>
    rowsOf<{ place: string }>(
      db,
      "select of.name || ' ' || col.name as place from sqlite_master of, pragma_table_info(of.name) col where of.type = 'table'",
    ).map(({ place }) => place);
  const has = new Set(columnsOf(given));
  return columnsOf(fresh).every((place) => has.has(place));
}

/** True also where SQLite found no room for the file that its readers share, of which it says only that it failed. */
export function isDiskFull(error: unknown): boolean {
  return /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/.test(errorCode(error));
}

async function checkJson(path: string, name: string): Promise<void> {
  const broken = new UnusableBackup(`The backup is damaged: ${name} cannot be read.`);
  if ((await stat(path)).size > MOST_TEXT) throw broken;
  let found: unknown;
  try {
    found = JSON.parse(await readFile(path, "utf8"));
  } catch {
    throw broken;
  }
  if (typeof found !== "object" || found === null) throw broken;
  if (basename(name) !== KEPT_NAME) return;
  if (!isObject(found) || !isObject(found["recordings"])) throw broken;
  if (found["version"] !== KEPT_VERSION) throw new UnusableBackup("The backup is of another Dashdock: kept.json.");
}

/** Marks go beside the recordings: without their folder a part of the backup would be lost. */
async function checkFolder(root: string): Promise<void> {
  const problem = await systemProblem(root);
  if (problem !== null) throw new UnusableBackup(`The recordings folder ${root} ${problem}.`);
  if (!(await stat(root).catch(() => null))?.isDirectory())
    throw new UnusableBackup(`The recordings folder ${root} is not available, where the list of kept recordings goes.`);
  try {
    const here = JSON.parse(await readPlainText(join(root, KEPT_PATH)));
    if (isObject(here) && here["version"] === KEPT_VERSION) return;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
  }
  throw new UnusableBackup(`The list of kept recordings in ${root} cannot be read. Move it away first.`);
}

async function wouldReplace(configDir: string, { cameras, changed }: Merged): Promise<WouldReplace> {
  const counts = { runs: 0, recordings_in_ledger: 0, kept: 0, keys: 0 };
  for (const { name, path, kind } of backupFiles(configDir, cameras)) {
    if ((await stat(path).catch(() => null)) === null) continue;
    const own = basename(name);
    if (kind === "database") {
      const isRuns = own === "stats.db";
      counts[isRuns ? "runs" : "recordings_in_ledger"] += await rowCount(path, isRuns ? "runs" : "recordings");
    } else if (own === KEPT_NAME)
      counts.kept += Object.keys(part(objectIn(await readPlainText(path)), "recordings")).length;
    else if (own === KEYS_NAME) counts.keys += (await keysIn(path)).length;
  }
  return { ...counts, settings: [...changed] };
}

/** Names of keys that this machine knew and has no more. All are new to one that has no list yet. */
async function returningKeys(there: string, here: string): Promise<string[]> {
  if (!existsSync(join(here, KEYS_NAME))) return [];
  const known = new Set((await keysIn(join(here, KEYS_NAME))).map(({ digest }) => digest));
  const others = (await keysIn(join(there, KEYS_NAME))).filter(({ digest }) => !known.has(digest));
  return others.map(({ name }) => shortened(name));
}

/** Keys of a list that can be read; none of another one. */
async function keysIn(path: string): Promise<readonly v.InferOutput<typeof LISTED_KEY>[]> {
  const { keys } = objectIn(await readPlainText(path).catch(() => ""));
  return Array.isArray(keys) ? keys.filter((key) => v.is(LISTED_KEY, key)) : [];
}

/** Keys of the tables that are counted, by which their rows are in order. */
const KEYS = { runs: ["rowid"], recordings: ["moment", "ending"] } as const;
/** Rows counted at once: a millisecond's work. */
const COUNTED = 10_000;

/** Counts the rows of a table. 0 for a database that cannot be read: it gives way all the same. */
async function rowCount(path: string, table: keyof typeof KEYS): Promise<number> {
  const key = KEYS[table].join(", ");
  const after = `from ${table} where (${key}) > (${KEYS[table].map(() => "?").join(", ")})`;
  let last: number[] = KEYS[table].map(() => Number.MIN_SAFE_INTEGER);
  let counted = 0;
  try {
    using db = new Database(path, { readwrite: true, create: false });
    using next = db.prepare<Record<string, number>, number[]>(
      `select ${key} ${after} order by ${key} limit 1 offset ${COUNTED - 1}`,
    );
    using rest = db.prepare<{ n: number }, number[]>(`select count(*) as n ${after}`);
    for (let found = next.get(...last); found !== null; found = next.get(...last)) {
      counted += COUNTED;
      last = Object.values(found);
      await nextTurn();
    }
    return counted + (rest.get(...last)?.n ?? 0);
  } catch {
    return counted;
  }
}

function rowsOf<Row>(db: Database, sql: string): Row[] {
  using statement = db.prepare<Row, []>(sql);
  return statement.all();
}

async function textOf(pieces: AsyncIterable<Uint8Array>, size: number): Promise<string> {
  if (size > MOST_TEXT) throw new UnusableBackup("The backup is damaged: its settings are far too long.");
  return Buffer.concat(await Array.fromAsync(pieces)).toString("utf8");
}

async function writeAll(file: FileHandle, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of pieces) await file.appendFile(piece);
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
