/** @jsxImportSource preact */

import LinksList from "../../islands/links_list.tsx";
import { Icon } from "../../islands/parts/icon.tsx";
import type { App } from "../app.ts";
import { nameOf } from "../domain/recordings/recording_name.ts";
import { addressIn } from "../domain/settings/camera_key.ts";
import { mediaFolder } from "../domain/viewer/media_folder.ts";
import { sharesNow } from "../engine/shares/share_facts.ts";
import { clipsOfShare } from "../engine/shares/shared_clips.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { Document, PageFoot, page } from "./document.tsx";
import { Island } from "./island.tsx";

/** `GET /links`: what is shared with people outside. */
export async function links(context: RequestContext, app: App): Promise<Response> {
  const { shares, cameras, clock, settings, zone } = app;
  const now = clock.now();
  const pictures: Record<string, string> = {};
  for (const share of shares.all) {
    const parts = cameras.of(share.camera);
    const clips = parts === null ? [] : await clipsOfShare(share, parts);
    const first = clips.find((clip) => clip.parts.thumbnail !== null);
    if (first?.parts.thumbnail)
      pictures[share.id] = addressIn(
        share.camera,
        mediaFolder(first.folder) + nameOf(first.key, first.parts.thumbnail),
      );
  }
  const props = {
    links: await sharesNow(shares.all, now, (id) => cameras.of(id)),
    pictures,
    isOn: settings.current.share.enabled,
    isOpen: settings.current.auth.mode === "none",
    now,
    zone,
  };
  return html(
    page(
      <Document context={context} app={app} title="Links" path="/settings" islands={["links_list"]} isAboutAll>
        <a class="back" href="/settings#share">
          <Icon name="i-left" />
          Settings
        </a>
        <Island name="links_list" of={LinksList} props={props} />
        <PageFoot app={app}>
          <span>Times of recordings are those of the camera’s own clock</span>
        </PageFoot>
      </Document>,
    ),
  );
}
