import * as v from "valibot";
import type { App } from "../app.ts";
import { orNull } from "../domain/answers/answer_fields.ts";
import { AppError } from "../domain/answers/errors.ts";
import { CAMERA_CHANGES, CAMERA_CONFIG, CAMERA_SECRET } from "../domain/camera/camera_schema.ts";
import { openChanges } from "../domain/camera/config_changes.ts";
import { parseConfig } from "../domain/camera/config_file.ts";
import { cameraTabs } from "../domain/camera/config_tabs.ts";
import { decryptPassword } from "../engine/camera/wifi_password_decryption.ts";
import { endpoint, WHOLE_NUMBER } from "./endpoint.ts";

type Known = Pick<App, "cameraSettings">;

export const cameraConfig = endpoint({
  summary: "The camera's own settings, read live when it can be reached, else as they were read last",
  description: "Each of the camera's two files is waited for as long as `camera.read_timeout_seconds` says.",
  shape: CAMERA_CONFIG,
  returns: "Also when nothing was ever read",
  async answer(_context, { cameraSettings }: Known) {
    const known = await cameraSettings.read();
    if (known === null) return { available: false, online: false } as const;
    const { isOnline, readAt, model, firmware, config } = known;
    return {
      available: true as const,
      online: isOnline,
      read_at: new Date(readAt).toISOString().replace("Z", "+00:00"),
      model,
      firmware,
      tabs: cameraTabs(parseConfig(config)),
      changed: openChanges(await cameraSettings.visits()),
    };
  },
});

export const cameraSecret = endpoint({
  summary: "A password from the camera's settings as they were read last",
  query: v.object({ key: orNull(v.string(), "The key of a password, such as `Cloud.sta_pw`") }),
  shape: CAMERA_SECRET,
  returns: "The password as people type it",
  errors: ["SECRET_NOT_FOUND", "UNDECODABLE_PASSWORD"],
  async answer({ query }, { cameraSettings }: Known) {
    const key = query.key ?? "";
    const entry = await cameraSettings.secret(key);
    if (entry === null)
      throw new AppError(
        "SECRET_NOT_FOUND",
        "There is no such password in the camera's settings as they were read last",
      );
    const value = decryptPassword(entry.value);
    if (value === null)
      throw new AppError("UNDECODABLE_PASSWORD", "The camera stores this password in a form that is not known", {
        key,
      });
    return { key, value };
  },
});

export const cameraChanges = endpoint({
  summary: "What changed in the camera's settings, visit by visit",
  shape: CAMERA_CHANGES,
  returns: "Dismissed ones, too; reading the settings forgets nothing of it",
  answer: async (_context, { cameraSettings }: Known) => ({ visits: [...(await cameraSettings.visits())].reverse() }),
});

const IDS = v.message(
  v.pipe(v.array(WHOLE_NUMBER), v.maxLength(1000)),
  "ids must be a list of at most 1,000 whole numbers",
);

export const dismissChanges = endpoint({
  summary: "Marks changes of the camera's settings as seen",
  body: v.object({ ids: v.exactOptional(IDS) }),
  shape: CAMERA_CHANGES,
  returns: "The changes as they are now; without `ids` all of them are dismissed",
  async answer({ body }, { cameraSettings }: Known) {
    return { visits: [...(await cameraSettings.dismiss(body.ids ?? null))].reverse() };
  },
});
