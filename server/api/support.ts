import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import type { App } from "../app.ts";
import { SUPPORT } from "../domain/backup/support_schema.ts";
import { supportParts, supportZip } from "../engine/backup/support_file.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { json } from "../http/request/respond.ts";
import { attachment } from "./archive_answer.ts";
import { responseEndpoint } from "./endpoint.ts";

const PREVIEW = v.pipe(
  v.nullable(v.picklist(["true", "false"], "`preview` is true or false")),
  v.transform((text) => text === "true"),
  v.description("`true` tells what would be in it"),
  refusedAs("VALIDATION_ERROR", "preview"),
);

type Parts = Pick<App, "cameras" | "sessions" | "keys" | "log" | "logFile" | "settings" | "clock" | "zone">;

export const support = responseEndpoint({
  summary: "A ZIP for those who are asked for help; with `?preview=true` what would be in it",
  description:
    "Version, settings, last check of the camera, last runs, log and counts. Every secret, address, network name, place, name of a person, and time of a recording is replaced by a placeholder, which is the same in all support files of this service. Nothing is sent.",
  query: v.object({ preview: PREVIEW }),
  answers: {
    200: {
      description: "The ZIP; with `preview` the list of its files as JSON",
      type: "application/zip",
      schema: v.string(),
    },
  },
  async respond({ context, query: { preview } }, app: Parts) {
    const now = app.clock.now();
    const headers = attachment("application/zip", `dashdock-support-${app.zone.isoDay(now)}.zip`);
    if (context.request.method === "HEAD") return new Response(null, preview ? {} : { headers });
    const parts = await supportParts({
      cameras: app.cameras.all,
      sessions: app.sessions,
      keys: app.keys,
      log: app.log,
      logFile: app.logFile,
      keyPath: join(dirname(app.settings.path), "support-key"),
      machine: machine(),
      now,
    });
    if (preview) return json(v.parse(SUPPORT, { files: parts }));
    const zip = await supportZip(parts, Math.floor((now + app.zone.offset(now)) / 1000));
    return new Response(Uint8Array.from(zip), { headers });
  },
});

function machine(): Readonly<Record<string, string | boolean>> {
  return {
    platform: process.platform,
    arch: process.arch,
    runtime: `Bun ${Bun.version}`,
    in_container: ["/.dockerenv", "/run/.containerenv"].some((path) => existsSync(path)),
  };
}
