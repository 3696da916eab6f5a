/** @jsxImportSource preact */

import Backup from "../../islands/backup.tsx";
import { Icon } from "../../islands/parts/icon.tsx";
import type { App } from "../app.ts";
import { SECTION_NAMES, SECTIONS } from "../domain/settings/settings.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { Document, PageFoot, page } from "./document.tsx";
import { Island } from "./island.tsx";

/** `GET /settings/backup`: everything but the recordings in one file, and back. */
export function backupPage(context: RequestContext, app: App): Response {
  const { clock, zone, canRestart, restored } = app;
  const sections = Object.fromEntries(SECTION_NAMES.map((name) => [name, SECTIONS[name].label]));
  return html(
    page(
      <Document context={context} app={app} title="Backup" path="/settings" islands={["backup"]} isAboutAll>
        <a class="back" href="/settings#about">
          <Icon name="i-left" />
          Settings
        </a>
        <section class="group" aria-labelledby="backup-title">
          <h2 id="backup-title">Backup and support</h2>
          <p>Everything but the recordings fits in one small file.</p>
          <Island
            class="backup"
            name="backup"
            of={Backup}
            props={{ sections, canRestart, restored, now: clock.now(), zone }}
          />
        </section>
        <PageFoot app={app} />
      </Document>,
    ),
  );
}
