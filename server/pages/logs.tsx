/** @jsxImportSource preact */
import * as v from "valibot";
import LogView from "../../islands/log_view.tsx";
import type { App } from "../app.ts";
import { LOG_FILTER_COOKIE, LOG_QUERY, readLogFilter } from "../domain/logs/log_filter.ts";
import { verbosityOf } from "../domain/logs/log_line.ts";
import { formatCount } from "../domain/text/format.ts";
import { readFields, readQuery } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { Document, PageFoot, page } from "./document.tsx";
import { Island } from "./island.tsx";
import type { PageKeys } from "./key_list.tsx";

/** A page of ten thousand lines would be megabytes; the script asks for the rest while the newest are being read. */
const MOST_DRAWN = 500;

const ASKED = v.object(v.entriesFromList(LOG_QUERY, v.nullable(v.string())));

const KEYS: PageKeys = [
  {
    title: "Here",
    keys: [
      ["/", "Find in these lines"],
      ["End", "To the end of the log, and follow it"],
      ["Home", "To its first line"],
    ],
  },
];

/** `GET /logs`: the lines in memory, as the address or the last visit wants them; `?level=`, `?q=`, `?logger=`, `?at=`. */
export async function logs(context: RequestContext, app: App): Promise<Response> {
  const { bootId, clock, log, logFile, settings, zone } = app;
  const cookie = new URLSearchParams(context.cookies(LOG_FILTER_COOKIE)[0]);
  const name = zone.name(clock.now());
  const props = {
    boot_id: bootId,
    lines: log.all.slice(-MOST_DRAWN),
    filter: readLogFilter(
      readQuery(context, ASKED),
      readFields(ASKED, (name) => cookie.get(name)),
    ),
    verbosity: verbosityOf(settings.current.logging),
    capacity: log.capacity,
    file: (await logFile.size()) === null ? "" : logFile.path,
    timeZone: zone,
    zoneName: name === "UTC" ? "" : name,
  };
  return html(
    page(
      <Document context={context} app={app} title="Logs" path="/logs" islands={["log_view"]} keys={KEYS}>
        <noscript>
          <p class="note is-waiting log-still">
            <b class="strong">This log stands still</b>
            <span>
              It has the lines as they were when the page was loaded, {formatCount(MOST_DRAWN)} at most. Following them
              needs JavaScript; choosing and searching do not.
            </span>
          </p>
        </noscript>
        <Island name="log_view" of={LogView} props={props} />
        <PageFoot app={app} />
      </Document>,
    ),
  );
}
