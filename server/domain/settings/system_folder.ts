/** Folders that belong to the system with all their contents: an upgrade may remove files there, or it is no disk. */
const SYSTEM = ["bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "sys", "usr"];
/** Folders of the system that hold folders of users. */
const SHARED = /^\/(root|run\/media|dev\/shm)?$/;
/** Desktops mount disks below `/run/media`. `/dev/shm` is memory, for files that are thrown away. */
const OF_USERS = /^\/(run\/media|dev\/shm)\/./;

/** True when no recordings belong in a folder. @param path a whole one, without links in it */
export function isSystemFolder(path: string): boolean {
  if (SHARED.test(path)) return true;
  return SYSTEM.includes(path.split("/")[1] ?? "") && !OF_USERS.test(path);
}
