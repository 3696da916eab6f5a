/** @jsxImportSource preact */

import CameraSettings from "../../islands/camera_settings.tsx";
import { Icon } from "../../islands/parts/icon.tsx";
import type { App } from "../app.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { keptCameraPanes } from "./camera_panes.tsx";
import { CameraSwitch } from "./camera_switch.tsx";
import { Document, PageFoot, page } from "./document.tsx";
import { Island } from "./island.tsx";

/** `GET /settings/camera`: what the camera itself is set to. */
export async function cameraSettings(context: RequestContext, app: App): Promise<Response> {
  const panes = await keptCameraPanes(app);
  return html(
    page(
      <Document context={context} app={app} title="On the camera" path="/settings" islands={["camera_settings"]}>
        <CameraSwitch app={app} path="/settings/camera" />
        <a class="back" href="/settings">
          <Icon name="i-left" />
          Settings
        </a>
        <section class="group own" aria-labelledby="own-title">
          <h2 id="own-title">On the camera</h2>
          <p>The camera’s own settings. Dashdock only reads them. Change them in the camera’s app.</p>
          <Island name="camera_settings" of={CameraSettings} props={{ panes: () => panes }} />
        </section>
        <PageFoot app={app} />
      </Document>,
    ),
  );
}
