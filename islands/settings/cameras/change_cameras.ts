import { ALL_CAMERAS } from "../../../server/domain/settings/camera_key.ts";
import type { CameraAnswer } from "../../../server/domain/status/cameras_schema.ts";
import { reached } from "../../browser/address.ts";
import { send } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import type { Shared } from "../keep/shared.ts";
import type { ListedCamera } from "./listed_camera.ts";

type Parts = Pick<Shared, "cameras" | "entries">;

/** Reads the list of cameras again, and shows it. @throws Refusal */
export async function readCameras({ cameras }: Pick<Parts, "cameras">, signal?: AbortSignal): Promise<void> {
  cameras.value = await listOf(cameras.value, signal);
}

/** Shows the list as it is after a camera came or left. @param words for the toast */
export async function showCameras({ cameras, entries }: Parts, words: string): Promise<void> {
  const now = await listOf(cameras.value);
  // With one camera the page has all of its settings, with several each camera has a page of its own.
  const isOther = cameras.value.length < 2 !== now.length < 2;
  const hasChanges = entries.some(({ isChanged }) => isChanged.value);
  if (isOther && !hasChanges)
    return location.assign(reached(now.length < 2 ? "/settings" : `/settings?camera=${ALL_CAMERAS}#cameras`));
  cameras.value = now;
  const then = isOther ? " Save your changes, then load this page again." : "";
  showToast(document, isOther ? "attention" : "fine", `${words}${then}`);
}

async function listOf(before: readonly ListedCamera[], signal?: AbortSignal): Promise<readonly ListedCamera[]> {
  const { cameras } = await send<{ cameras: CameraAnswer[] }>("GET /api/cameras", undefined, signal);
  const chosen = new Map(before.map(({ id, chosenLetter }) => [id, chosenLetter]));
  return cameras.map((one) => ({ ...one, chosenLetter: chosen.get(one.id) ?? null }));
}
