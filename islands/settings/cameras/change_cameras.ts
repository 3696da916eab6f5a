import { ALL_CAMERAS } from "../../../server/domain/settings/camera_key.ts";
import type { CameraAnswer } from "../../../server/domain/status/cameras_schema.ts";
import { send } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import type { Shared } from "../keep/shared.ts";

type Parts = Pick<Shared, "cameras" | "entries">;

/** Reads the list of cameras again. @throws Refusal */
export async function readCameras({ cameras }: Parts, signal?: AbortSignal): Promise<void> {
  const { cameras: now } = await send<{ cameras: CameraAnswer[] }>("GET /api/cameras", undefined, signal);
  const chosen = new Map(cameras.value.map(({ id, chosenLetter }) => [id, chosenLetter]));
  cameras.value = now.map((one) => ({ ...one, chosenLetter: chosen.get(one.id) ?? null }));
}

/** Shows the list as it is after a camera came or left. @param words for the toast */
export async function showCameras(parts: Parts, words: string): Promise<void> {
  const before = parts.cameras.value.length;
  await readCameras(parts);
  const now = parts.cameras.value.length;
  // With one camera the page has all of its settings, with several each camera has a page of its own.
  const isOther = before < 2 !== now < 2;
  const hasChanges = parts.entries.some(({ isChanged }) => isChanged.value);
  if (isOther && !hasChanges) return location.assign(now < 2 ? "/settings" : `/settings?camera=${ALL_CAMERAS}#cameras`);
  const then = isOther ? " Save your changes, then load this page again." : "";
  showToast(document, isOther ? "attention" : "fine", `${words}${then}`);
}
