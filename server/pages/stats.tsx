/** @jsxImportSource preact */
import type { App } from "../app.ts";
import { html } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";
import { Document, PageFoot, page } from "./document.tsx";

/** `GET /stats` */
export function stats(visit: Visit, app: App): Response {
  return html(
    page(
      <Document visit={visit} app={app} title="Stats" path="/stats">
        <PageFoot app={app} />
      </Document>,
    ),
  );
}
