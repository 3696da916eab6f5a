/** @jsxImportSource preact */
import { renderToString } from "preact-render-to-string";
import type { CardProps } from "../../islands/card/card_props.ts";
import CardIsland from "../../islands/card.tsx";
import type { App } from "../app.ts";
import { ALL_CAMERAS } from "../domain/settings/camera_key.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { CameraSwitch } from "./camera_switch.tsx";
import { cardOfAll } from "./card_of_all.tsx";
import { cardViewOf } from "./card_view_of.ts";
import { Document, PageFoot, page } from "./document.tsx";
import { Island } from "./island.tsx";

/** `GET /stats/card`: what is still on the card, and whether it may be formatted. */
export async function cardPage(context: RequestContext, app: App): Promise<Response> {
  if (context.camera === ALL_CAMERAS && app.cameras.all.length > 1) return await cardOfAll(context, app);
  const props: CardProps = { view: await cardViewOf(app) };
  return html(
    page(
      <Document context={context} app={app} title="Stats" path="/stats" islands={["card"]} sheet="card.css">
        <CameraSwitch app={app} path="/stats/card" hasAll />
        <Island name="card" of={CardIsland} props={props} />
        <PageFoot app={app}>
          <span>Times of recordings are those of the camera’s own clock</span>
        </PageFoot>
      </Document>,
    ),
  );
}

/** `GET /hx/stats/card`: what the page's island goes on with, without the page. */
export async function cardFragment(_context: RequestContext, app: App): Promise<Response> {
  const props: CardProps = { view: await cardViewOf(app) };
  return html(renderToString(<div id="card" data-props={JSON.stringify(props)} />));
}
