/** @jsxImportSource preact */
import { Whose } from "../../islands/parts/plate.tsx";
import { State } from "../../islands/parts/state.tsx";
import { StatsNav } from "../../islands/parts/stats_nav.tsx";
import type { App } from "../app.ts";
import type { CardView } from "../domain/card/card_view.ts";
import { inFormatOf } from "../http/request/app_in_format.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { CameraSwitch } from "./camera_switch.tsx";
import { cardViewOf } from "./card_view_of.ts";
import { Document, PageFoot, page } from "./document.tsx";

/** `GET /stats/card?camera=all`: a row for each camera's card. */
export async function cardOfAll(context: RequestContext, app: App): Promise<Response> {
  const apps = app.cameras.all.map((one) => inFormatOf(context, one));
  const rows = await Promise.all(
    apps.map(async (one, place) => ({ camera: { ...one.camera, place }, view: await cardViewOf(one) })),
  );
  return html(
    page(
      <Document context={context} app={app} title="Stats" path="/stats" sheet="card.css" isAboutAll>
        <CameraSwitch app={app} path="/stats/card" hasAll isAll />
        <div class="card-page">
          <div class="row section-head">
            <StatsNav current="/stats/card" isAll />
          </div>
          <section class="section" aria-labelledby="cards-of-all">
            <div class="table-wrap">
              <table class="table">
                <caption id="cards-of-all">The cards of all cameras</caption>
                <thead>
                  <tr>
                    <th scope="col">Camera</th>
                    <th scope="col">Card</th>
                    <th scope="col">May it be formatted?</th>
                    <th scope="col">Wear</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <CameraRow key={row.camera.id} {...row} />
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        </div>
        <PageFoot app={app} />
      </Document>,
    ),
  );
}

interface CameraRowProps {
  readonly camera: App["camera"] & { readonly place: number };
  readonly view: CardView;
}

function CameraRow({ camera, view: { state, sentence, health, listed } }: CameraRowProps) {
  return (
    <tr>
      <th scope="row">
        <a href={`/stats/card?camera=${camera.id}`}>
          <Whose camera={camera} />
        </a>
      </th>
      <td data-l="Card">
        <State level={state.level} word={state.word} />
      </td>
      <td>
        {sentence} <span class="small soft">{listed}</span>
      </td>
      <td data-l="Wear">
        <State level={health.level} word={health.word} />
      </td>
    </tr>
  );
}
