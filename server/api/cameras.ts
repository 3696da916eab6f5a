import { dirname, join } from "node:path";
import * as v from "valibot";
import type { App } from "../app.ts";
import { text } from "../domain/answers/answer_fields.ts";
import { AppError } from "../domain/answers/errors.ts";
import { addressProblem } from "../domain/settings/address.ts";
import { MAIN_CAMERA } from "../domain/settings/camera_key.ts";
import { isCameraLetter } from "../domain/settings/camera_letter.ts";
import { cameraNameProblem, idFor } from "../domain/settings/camera_name.ts";
import { cameraNotFound } from "../domain/settings/camera_not_found.ts";
import type { FieldError } from "../domain/settings/field_check.ts";
import {
  CAMERA_SECTIONS,
  type CameraParts,
  type CameraReading,
  datedFolderOf,
  readCameras,
} from "../domain/settings/more_cameras.ts";
import { isObject } from "../domain/settings/settings_migrations.ts";
import { PATCHED } from "../domain/settings/settings_schema.ts";
import { tidyAddress } from "../domain/settings/tidy_address.ts";
import { wholePathProblem } from "../domain/settings/whole_path.ts";
import { CAMERA, CAMERAS } from "../domain/status/cameras_schema.ts";
import { allCameraStates, cameraState } from "../engine/status/camera_state.ts";
import { inFormatOf } from "../http/request/app_in_format.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { noContent } from "../http/request/respond.ts";
import { camerasWithFiles, cameraThatHad } from "../store/config/left_camera.ts";
import { folderProblem, isSamePlace, leadsToDatedFolder, liesIn } from "../store/config/outside_file.ts";
import { folderForCameras } from "../store/destination/folder_for_cameras.ts";
import { endpoint, NOT_SAVED, responseEndpoint } from "./endpoint.ts";
import { changeSection } from "./settings.ts";

const ID = v.object({ id: v.pipe(v.string(), v.description("The id of a camera")) });

export const list = endpoint({
  summary: "All cameras",
  shape: CAMERAS,
  returns:
    "The first camera, then those of `more_cameras` in their order; at the end those that cannot be opened, as `failed`",
  async answer({ context }, app) {
    const apps = app.cameras.all.map((one) => inFormatOf(context, one));
    return { cameras: await allCameraStates(apps, app.cameras) };
  },
});

export const add = endpoint({
  summary: "Adds a camera, and starts its schedule",
  description:
    "Its first run begins at once. A camera that was taken away is there again with all that stayed when its folder is given.",
  status: 201,
  body: v.message(
    v.object({
      name: v.string(),
      address: text("Host name or IP address, with or without port"),
      destination: v.exactOptional(
        v.nullable(
          text("The folder of its recordings; `<folder above that of the first camera>/<id>` when it is left out"),
        ),
      ),
    }),
    "Send name and address as texts, and destination as a text or null",
  ),
  shape: CAMERA,
  returns: "Added",
  errors: NOT_SAVED,
  async answer({ context, body }, app) {
    const { file } = app.cameras;
    const name = body.name.trim();
    const address = tidyAddress(body.address);
    const problems: FieldError[] = [];
    const refuse = (path: string, problem: string | null) => {
      if (problem !== null) problems.push({ path, message: `${path} ${problem}` });
    };
    refuse("name", cameraNameProblem(body.name));
    refuse("address", address === "" ? "must not be empty" : addressProblem(address));
    if (body.destination) refuse("destination", wholePathProblem(body.destination));
    refuseAll(problems);

    const configDir = dirname(file.path);
    let id = "";
    await file.changeCameras(async (parts) => {
      const entries = entriesOf(parts);
      const inUse = entries.flatMap((entry) =>
        isObject(entry) && typeof entry["id"] === "string" ? [entry["id"]] : [],
      );
      const left = (await camerasWithFiles(configDir)).filter((one) => !inUse.includes(one));
      const before = body.destination ? await cameraThatHad(body.destination, left, configDir) : null;
      id = before ?? idFor(name, [MAIN_CAMERA, "all", ...inUse, ...left]);
      const destination = body.destination || join(await folderForCameras(app.cameras.main.recordings.root), id);
      const entry = { id, name, destination, connection: { address } };
      const after = { ...parts, more_cameras: [...entries, entry] };
      refuseAll(await conflictsOf(after, id, destination, configDir, app));
      return after;
    });
    await app.cameras.follow();
    const added = app.cameras.of(id);
    if (added === null) {
      const why = app.cameras.refused.find(({ configured }) => configured.id === id)?.problem;
      await file.changeCameras((parts) => without(parts, id));
      throw refused([{ path: "destination", message: `destination cannot be used: ${why ?? "the log says why"}` }]);
    }
    app.log.info("cameras", `Camera ${id} was added from ${context.address}`);
    return await cameraState(inFormatOf(context, added));
  },
});

export const change = endpoint({
  summary: "Gives a camera another name or letter",
  params: ID,
  body: v.message(
    v.object({
      name: v.exactOptional(v.string()),
      letter: v.exactOptional(v.nullable(text("One or two letters or digits; null for one of its name"))),
    }),
    "Send name as a text, and letter as a text or null",
  ),
  shape: CAMERA,
  returns: "Changed",
  errors: ["CAMERA_NOT_FOUND", ...NOT_SAVED],
  async answer({ context, params: { id }, body }, app) {
    const camera = cameraWith(id, app);
    const problems: FieldError[] = [];
    const name = body.name?.trim();
    const problem = body.name === undefined ? null : cameraNameProblem(body.name);
    if (problem !== null) problems.push({ path: "name", message: `name ${problem}` });
    const { letter } = body;
    if (typeof letter === "string" && !isCameraLetter(letter))
      problems.push({ path: "letter", message: "letter must be one or two letters or digits" });
    const other = app.cameras.all.find((one) => one.camera.id !== id && one.camera.letter === letter);
    if (other !== undefined) problems.push({ path: "letter", message: `letter is that of ${other.camera.name}` });
    refuseAll(problems);
    const fields = { ...(name !== undefined && { name }), ...(letter !== undefined && { letter }) };
    await app.cameras.file.changeCameras((parts): CameraParts => {
      if (id === MAIN_CAMERA)
        return { ...parts, main_camera: { ...(isObject(parts.main_camera) && parts.main_camera), ...fields } };
      return { ...parts, more_cameras: entriesOf(parts).map((one) => (hasId(one, id) ? { ...one, ...fields } : one)) };
    });
    // The sentence over all cameras has its name.
    camera.cards.publish(["status-card", "day-of-runs-card", "recent-activity-card"]);
    return await cameraState(inFormatOf(context, camera));
  },
});

export const changeSettings = endpoint({
  summary: "Changes fields of one section of a camera's own settings",
  description: "As PATCH /api/settings/{section}.",
  params: v.object({
    ...ID.entries,
    section: v.pipe(
      v.picklist(CAMERA_SECTIONS, "There is no such settings section of a camera"),
      v.description("A section that each camera has for itself"),
      refusedAs("SECTION_NOT_FOUND", "section"),
    ),
  }),
  body: "Changes",
  shape: PATCHED,
  returns: "Changed",
  errors: ["CAMERA_NOT_FOUND", ...NOT_SAVED],
  answer: ({ context, params: { id, section }, body }, app) =>
    changeSection(context, section, body, cameraWith(id, app)),
});

export const accept = endpoint({
  summary: "Takes the camera that answers at the address as the one to use",
  description:
    "For when it is another one than before, of another model and with another Wi-Fi name; until then nothing is fetched from it, and nothing deleted.",
  params: ID,
  shape: CAMERA,
  returns: "The next sync fetches from it",
  errors: ["CAMERA_NOT_FOUND", "NOTHING_TO_ACCEPT"],
  async answer({ context, params: { id } }, app) {
    const camera = cameraWith(id, app);
    if (!(await camera.cameraSettings.accept()))
      throw new AppError("NOTHING_TO_ACCEPT", "No other camera than the known one answers at the address");
    camera.log.info("cameras", `The camera at ${camera.dashcam.address} was accepted from ${context.address}`);
    return await cameraState(inFormatOf(context, camera));
  },
});

export const remove = responseEndpoint({
  summary: "Forgets a camera, never its recordings",
  description:
    "Its run is stopped first. Its recordings, the marks of kept ones and its runs stay, and are there again when a camera with its folder is added.",
  params: ID,
  answers: { 204: { description: "Forgotten" } },
  errors: ["CAMERA_NOT_FOUND", "LAST_CAMERA", ...NOT_SAVED],
  async respond({ context, params: { id } }, app: App) {
    if (!app.cameras.refused.some(({ configured }) => configured.id === id)) cameraWith(id, app);
    if (id === MAIN_CAMERA)
      throw new AppError(
        "LAST_CAMERA",
        "The first camera cannot be taken away. Another camera takes its place when you change its address.",
      );
    await app.cameras.file.changeCameras((parts) => without(parts, id));
    await app.cameras.follow();
    app.log.info("cameras", `Camera ${id} was taken away from ${context.address}`);
    return noContent();
  },
});

/** @throws AppError CAMERA_NOT_FOUND */
function cameraWith(id: string, app: App): App {
  const found = app.cameras.of(id);
  if (found === null) throw cameraNotFound(id);
  return found;
}

function entriesOf({ more_cameras: entries }: CameraParts): readonly unknown[] {
  return Array.isArray(entries) ? entries : [];
}

function hasId(entry: unknown, id: string): entry is Readonly<Record<string, unknown>> {
  return isObject(entry) && entry["id"] === id;
}

function without(parts: CameraParts, id: string): CameraParts {
  return { ...parts, more_cameras: entriesOf(parts).filter((entry) => !hasId(entry, id)) };
}

/** Faults of a new camera's address and folder beside those of the others. */
async function conflictsOf(
  parts: CameraParts,
  id: string,
  destination: string,
  configDir: string,
  app: App,
): Promise<FieldError[]> {
  const { file } = app.cameras;
  const { conflicts }: CameraReading = readCameras(parts, file.current, file.unusable);
  const found = conflicts.find((one) => one.id === id);
  if (found) return [{ path: found.field, message: found.message }];
  const problem = await folderProblem(destination, configDir);
  if (problem !== null) return [{ path: "destination", message: `destination ${problem}` }];
  for (const { camera, recordings } of app.cameras.all) {
    if (await isSamePlace(destination, recordings.root))
      return [{ path: "destination", message: `its folder is that of ${camera.name}` }];
    if (await liesIn(recordings.root, destination))
      return [{ path: "destination", message: `its folder holds the folder of ${camera.name}` }];
    if (await leadsToDatedFolder(destination, recordings.root))
      return [{ path: "destination", message: datedFolderOf(camera.name) }];
  }
  return [];
}

/** @throws AppError SETTINGS_INVALID where there are problems */
function refuseAll(problems: readonly FieldError[]): void {
  if (problems.length > 0) throw refused(problems);
}

function refused(problems: readonly FieldError[]): AppError {
  const [first] = problems;
  return new AppError("SETTINGS_INVALID", `Nothing was changed: ${first?.message}`, { field_errors: problems });
}
