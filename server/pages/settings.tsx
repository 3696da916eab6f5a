/** @jsxImportSource preact */

import { renderToString } from "preact-render-to-string";
import type { CameraPage, ListedCamera } from "../../islands/settings/cameras/listed_camera.ts";
import { DrawnPart } from "../../islands/settings/drawn_part.tsx";
import type { ConsentState } from "../../islands/settings/keep/shared.ts";
import SettingsForm from "../../islands/settings_form.tsx";
import type { App } from "../app.ts";
import { listedKey } from "../domain/keys/key_schema.ts";
import { directionOf, typeOf } from "../domain/recordings/recording_name.ts";
import { usedAndFreeInWords } from "../domain/runs/disk_space.ts";
import { ALL_CAMERAS, MAIN_CAMERA } from "../domain/settings/camera_key.ts";
import { type FormGroup, settingsForm } from "../domain/settings/form_fields.ts";
import { CAMERA_SECTIONS, isCameraSection } from "../domain/settings/more_cameras.ts";
import { previewSchedule } from "../domain/settings/schedule_preview.ts";
import { SECTION_NAMES } from "../domain/settings/settings.ts";
import type { SignedIn } from "../domain/settings/settings_schema.ts";
import { previewRetention } from "../engine/retention/retention_preview.ts";
import { trashOverview } from "../engine/retention/trash_by_hand.ts";
import { allCameraStates } from "../engine/status/camera_state.ts";
import { overview } from "../engine/status/overview.ts";
import { spaceOf } from "../engine/transfer/disk_space.ts";
import { keptList } from "../engine/viewer/kept_list.ts";
import { signedIn } from "../http/auth/signed_in.ts";
import { inFormatOf } from "../http/request/app_in_format.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { folderForCameras } from "../store/destination/folder_for_cameras.ts";
import { About } from "./about.tsx";
import { Document, PageFoot, page } from "./document.tsx";
import { Island } from "./island.tsx";
import type { PageKeys } from "./key_list.tsx";

/** Most kept recordings shown at once. */
const KEPT_SHOWN = 5;

const KEYS: PageKeys = [
  {
    title: "Here",
    keys: [
      ["Enter", "Save, from any field of one line"],
      ["Ctrl Enter", "Save, from any field"],
      ["/", "Search the settings"],
      ["Esc", "Clear the search"],
    ],
  },
];

/** `GET /settings`: everything that can be set, in the groups people think in. */
export async function settings(context: RequestContext, app: App): Promise<Response> {
  const { current } = app.settings;
  const camera = cameraPage(context, app);
  const cameras = await listedCameras(context, app);
  const { cron_expression, timezone } = current.schedule;
  const now = app.clock.now();
  const importing = app.cameras.all.find(({ imports }) => imports.opened?.isRunning) ?? app;
  const { format } = app.zone;
  const props = {
    groups: groupsFor(
      camera,
      app,
      settingsForm(
        current,
        app.boot,
        { system: { destination: app.recordings.root }, web: { port: String(context.port) } },
        app.settings.unusable,
      ),
    ),
    schedule: previewSchedule(cron_expression, timezone, now, format),
    drawn: {
      now,
      format,
      preview: await previewRetention(app, {}),
      standing: await consentState(app),
      listed: listedCodes(app),
      browsers: browsersOf(context, app),
      keys: app.keys.all.map(listedKey),
      verify: (await app.verify()).state,
      imported: (await importing.imports()).state,
      importedFor: importing.camera.id,
      notify: await app.notifications.state(),
      mqtt: app.homeAssistant.state,
      offsite: app.offsite.state,
      cameras,
      camerasFolder: await folderForCameras(app.cameras.main.recordings.root),
    },
    ...(camera && { camera }),
    later: DrawnPart,
    about: () => renderToString(<About />),
  };
  return html(
    page(
      <Document
        context={context}
        app={app}
        title="Settings"
        path="/settings"
        isAboutAll={camera?.id === ALL_CAMERAS}
        islands={["settings_form"]}
        keys={KEYS}
      >
        <noscript>
          <p class="note is-attention settings-note">
            <b class="strong">These are the current settings.</b>
            <span>Changing them needs JavaScript, which this browser has turned off.</span>
          </p>
        </noscript>
        <Island name="settings_form" of={SettingsForm} props={props} />
        <PageFoot app={app} />
      </Document>,
    ),
  );
}

/** Where there are several cameras: what the page is about. What all cameras share has a page of its own. */
function cameraPage({ camera: asked }: RequestContext, { camera, cameras }: App): CameraPage | null {
  if (cameras.all.length + cameras.refused.length < 2) return null;
  if (asked !== null && asked !== ALL_CAMERAS)
    return { id: camera.id, sections: CAMERA_SECTIONS, elsewhere: `/settings?camera=${ALL_CAMERAS}` };
  const sections = SECTION_NAMES.filter((name) => !isCameraSection(name));
  return { id: ALL_CAMERAS, sections, elsewhere: `/settings?camera=${MAIN_CAMERA}` };
}

/** The groups of settings with what is said of them where several cameras share them. */
function groupsFor(page: CameraPage | null, { cameras }: App, groups: readonly FormGroup[]): readonly FormGroup[] {
  if (page?.id !== ALL_CAMERAS) return groups;
  const { name } = cameras.main.camera;
  const said: Readonly<Record<string, string>> = {
    Storage: `Where recordings of ${name} are saved, and where recordings are imported from.`,
    Camera: "How long to wait for the settings of a camera. Nothing on a camera is changed.",
  };
  return groups.map(({ isApart = false, ...group }) => ({
    ...group,
    intro: said[group.name] ?? group.intro,
    ...(isApart && group.name !== "Camera" && { isApart }),
  }));
}

/** All cameras, as the list of them shows each. */
async function listedCameras(context: RequestContext, { cameras }: App): Promise<readonly ListedCamera[]> {
  const chosen = new Map(cameras.file.cameras.cameras.map(({ id, chosenLetter }) => [id, chosenLetter]));
  const states = await allCameraStates(
    cameras.all.map((one) => inFormatOf(context, one)),
    cameras,
  );
  return states.map((one) => ({ ...one, chosenLetter: chosen.get(one.id) ?? null }));
}

/** Lists the browsers that are signed in; none where no one signs in with a password. */
function browsersOf(context: RequestContext, { sessions }: App): readonly SignedIn[] {
  return context.session === null ? [] : signedIn(sessions.all, context.session.id);
}

/** Counts the recordings on the camera of each kind and camera, such as `NF`; nothing before the first list. */
function listedCodes({ listed }: App): Readonly<Record<string, number>> {
  const { list } = listed;
  const counts: Record<string, number> = {};
  for (let at = 0; at < (list?.size ?? 0); at++) {
    const name = list?.nameAt(at) ?? "";
    const code = typeOf(name) + directionOf(name);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

/** Returns the state of keeping and deleting, apart from the settings. */
async function consentState(app: App): Promise<ConsentState> {
  const [kept, { recordings, bytes, next, by_day }, { retention }, disk] = await Promise.all([
    keptList(app, KEPT_SHOWN),
    trashOverview(app, 0),
    overview(app),
    app.storage.read().catch(() => null),
  ]);
  return {
    kept,
    trash: {
      recordings,
      bytes,
      next,
      parts: by_day.map(({ amount, purge_from, purge_to }) => ({ amount, purge_from, purge_to })),
    },
    state: { held: retention.held, problem: retention.problem, kept: retention.kept },
    disk: disk && {
      used_percent: disk.usedRatio * 100,
      total_bytes: disk.totalBytes,
      says: usedAndFreeInWords(disk.usedRatio * 100, spaceOf(disk)),
    },
  };
}
