/** @jsxImportSource preact */
import type { App } from "../app.ts";
import { html } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";
import { Document, PageFoot, page } from "./document.tsx";

/** `GET /logs` */
export function logs(visit: Visit, app: App): Response {
  return html(
    page(
      <Document visit={visit} app={app} title="Logs" path="/logs">
        <PageFoot app={app} />
      </Document>,
    ),
  );
}
