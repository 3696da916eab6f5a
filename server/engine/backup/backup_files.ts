import { join } from "node:path";
import { MAIN_CAMERA } from "../../domain/settings/camera_key.ts";
import { folderOfCamera } from "../../store/config/left_camera.ts";
import { KEPT_PATH } from "../../store/destination/own_folder.ts";

/** A camera whose files are in a backup. */
export interface BackedUpCamera {
  readonly id: string;
  /** Folder of its recordings. */
  readonly root: string;
}

/** A file that a backup has when it is there. */
export interface BackupFile {
  /** Its path in the archive. */
  readonly name: string;
  readonly path: string;
  readonly kind: "database" | "settings" | "plain";
}

/** The list of kept recordings, which lies beside the recordings. */
export const KEPT_NAME = "kept.json";
const DATABASES = ["stats.db", "ledger.db"];
/** Files that every camera has in its folder. Passwords of the camera, sessions and signing keys are in none of them. */
const OF_CAMERA = [
  "kept-marks.json",
  "retention.json",
  "presence.json",
  "card-memory.json",
  "card-history.txt",
  "camera-hints.json",
  "brought.txt",
  "given-up.json",
  "wishes.json",
  "metrics-state.json",
];
const OF_SERVICE = ["keys.json", "notify.json"];

/** All files that a backup may have, in the order of the archive. */
export function backupFiles(configDir: string, cameras: readonly BackedUpCamera[]): BackupFile[] {
  const files: BackupFile[] = [
    { name: "settings.json", path: join(configDir, "settings.json"), kind: "settings" },
    ...OF_SERVICE.map((name) => ({ name, path: join(configDir, name), kind: "plain" }) as const),
  ];
  for (const { id, root } of cameras) {
    const isMain = id === MAIN_CAMERA;
    const folder = isMain ? configDir : folderOfCamera(configDir, id);
    const start = isMain ? "" : `cameras/${id}/`;
    files.push(
      ...DATABASES.map((name) => ({ name: start + name, path: join(folder, name), kind: "database" }) as const),
      ...OF_CAMERA.map((name) => ({ name: start + name, path: join(folder, name), kind: "plain" }) as const),
      { name: start + KEPT_NAME, path: join(root, KEPT_PATH), kind: "plain" },
    );
  }
  return files;
}
