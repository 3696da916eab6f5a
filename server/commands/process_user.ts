import { constants, readFileSync } from "node:fs";
import { access, chown, readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isGroupFolder } from "../domain/recordings/date_folders.ts";
import { checkRecordingName } from "../domain/recordings/recording_name.ts";
import { makeConfigFolder } from "../store/config/settings_text.ts";
import { errorCode } from "../store/error_code.ts";
import { UsageProblem } from "./usage.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Root cannot be given up, or a folder not be written; the sentence says what to do. */
export class UserProblem extends Error {
  override name = "UserProblem";
}

/** Set by the image only, for a start as root without PUID. */
const IMAGE_UID = "SERVICE_IMAGE_UID";

/** The user and group of this process, as `chown` takes them. */
const ids = () => `${process.getuid?.()}:${process.getgid?.()}`;

/**
 * Sets UMASK, and gives up root for the user and group of PUID and PGID: recordings then belong to the owner of the NAS
 * share. The image names the ones to take when these are not set. Called before anything is opened. Root stays without
 * the variables and with `0`. A config folder that was made just now by root, as a fresh volume is, goes to the new
 * user.
 * @returns whom it runs as now, when that was changed
 */
export async function takeUser(env: Environment, configDir?: string): Promise<string | null> {
  takeUmask(env);
  const uid = idOf(env["PUID"] ? "PUID" : IMAGE_UID, env);
  const gid = idOf(env["PGID"] ? "PGID" : "SERVICE_IMAGE_GID", env);
  if (process.getuid?.() !== 0 || (uid === null && gid === null)) return null;
  // Without the capability for it the folder stays as it is, which is told when it turns out not to be writable.
  if (configDir !== undefined) await own(configDir, uid, gid).catch(() => {});
  const groups = givenGroups();
  try {
    process.setgroups?.(groups);
    if (gid !== null) process.setgid?.(gid);
    if (uid !== null) process.setuid?.(uid);
  } catch (error) {
    const wanted = `${uid ?? 0}:${gid ?? 0}`;
    throw new UserProblem(
      `Root cannot be given up for ${wanted} (${errorCode(error) || error}): the capabilities SETUID and SETGID are missing. ` +
        `Add them, or start the container with user: "${wanted}" and without PUID and PGID.`,
    );
  }
  return `user ${process.getuid?.()}, group ${process.getgid?.()}${groups.length > 0 ? `, also in ${groups.join(", ")}` : ""}`;
}

function takeUmask(env: Environment): void {
  const text = env["UMASK"];
  if (!text) return;
  if (!/^[0-7]{1,4}$/.test(text)) throw new UsageProblem(`UMASK must be octal, such as 022, got "${text}"`);
  process.umask(Number.parseInt(text, 8));
}

/** A fresh volume belongs to root; one that is in use already is not ours to change. */
async function own(configDir: string, uid: number | null, gid: number | null): Promise<void> {
  await makeConfigFolder(configDir);
  const owner = await stat(configDir);
  if (owner.uid === 0 && (await readdir(configDir)).length === 0)
    await chown(configDir, uid ?? owner.uid, gid ?? owner.gid);
}

/** The groups that the process was given, as `group_add` of a container does, without those that root is in anyway. */
function givenGroups(): number[] {
  const ofRoot = new Set([0]);
  for (const line of groupFile().split("\n")) {
    const [, , id = "", members = ""] = line.split(":");
    if (members.split(",").includes("root")) ofRoot.add(Number(id));
  }
  return (process.getgroups?.() ?? []).filter((id) => !ofRoot.has(id));
}

function groupFile(): string {
  try {
    return readFileSync("/etc/group", "utf8");
  } catch {
    return "";
  }
}

function idOf(name: string, env: Environment): number | null {
  const text = env[name];
  if (text === undefined || text === "" || text === "0") return null;
  if (!/^[0-9]{1,9}$/.test(text)) throw new UsageProblem(`${name} must be a number, got "${text}"`);
  return Number(text);
}

/**
 * Tells why this process cannot write into a folder, in one line with the command that changes it. Null when it can, or
 * when that shows only later. A folder that is not there yet is judged by the folder it would be made in.
 */
export async function folderProblem(path: string, env: Environment): Promise<string | null> {
  let folder = path;
  for (;;) {
    try {
      if (!(await stat(folder)).isDirectory()) return `${folder} is a file, not a folder.`;
      await access(folder, constants.W_OK | constants.X_OK);
      return null;
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT" && dirname(folder) !== folder) folder = dirname(folder);
      else if (code === "EROFS") return `${path} is on a read-only file system: it must be mounted writable.`;
      else if (code === "EACCES" || code === "EPERM")
        return folder === path ? await notOurs(path, env) : notMade(path, folder, env);
      else return null;
    }
  }
}

/** Nothing is offered that would change `above`: that is the system's, or another program's. */
function notMade(path: string, above: string, env: Environment): string {
  const uid = process.getuid?.();
  const gid = process.getgid?.();
  const remedy = env[IMAGE_UID]
    ? `Mount a folder there that belongs to ${ids()} on the host.`
    : `Run: sudo install -d -o ${uid} -g ${gid} ${path}`;
  return `${path} is not there yet, and ${ids()} cannot make it in ${above}. ${remedy}`;
}

async function notOurs(folder: string, env: Environment): Promise<string> {
  const owner = await stat(folder).then(
    ({ uid, gid }) => `belongs to ${uid}:${gid} and `,
    () => "",
  );
  const problem = `${folder} ${owner}cannot be written by ${ids()}.`;
  const names = await readdir(folder).catch(() => null);
  if (names !== null && names.length > 0 && !names.some(isOurs))
    return `${problem} It holds files of others: choose a folder that Dashdock has for itself.`;
  // All that is in it only where that is known to be ours: to give away another's files may break a whole machine.
  const chown = `sudo chown ${names === null ? "" : "-R "}${ids()}`;
  return env[IMAGE_UID]
    ? `${problem} Run on the host: ${chown} FOLDER (the one that is mounted as ${folder})`
    : `${problem} Run: ${chown} ${folder}`;
}

/** True for names that lie in config folders and destinations. */
function isOurs(name: string): boolean {
  const isMark = name === "settings.json" || name.startsWith(".dashdock");
  return isMark || isGroupFolder(name) || checkRecordingName(name) === "recording";
}
