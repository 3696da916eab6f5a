import type { App } from "../app.ts";
import { clipName } from "../domain/recordings/camera_clock.ts";
import { SEARCH } from "../domain/viewer/search_schema.ts";
import { viewerPath } from "../domain/viewer/viewer_address.ts";
import { foundNotes } from "../engine/viewer/found_notes.ts";
import { endpoint, query, WHOLE_NUMBER } from "./endpoint.ts";

/** Characters of a question that count. */
const MOST_CHARACTERS = 200;
const USUAL = 20;
const MOST = 500;

export const search = endpoint({
  summary: "Clips whose note has all of these words",
  parameters: {
    q: query("What to look for; capitals and accents do not count"),
    limit: query("How many: 20 when it is left out, held within 1 and 500", WHOLE_NUMBER),
  },
  shape: SEARCH,
  returns: "Newest first",
  async answer({ url }, app: Pick<App, "retention" | "viewed" | "zone" | "clock">) {
    const typed = (url.searchParams.get("q") ?? "").slice(0, MOST_CHARACTERS);
    const limit = url.searchParams.get("limit") ?? "";
    const most = /^[0-9]{1,9}$/.test(limit) ? Math.min(MOST, Math.max(1, Number(limit))) : USUAL;
    const found = await foundNotes(app, typed, most);
    const { zone } = app;
    const { year } = zone.wall(app.clock.now());
    return {
      results: found.map(({ key, note }) => {
        return { group: "note" as const, title: `${clipName(key, year, zone.format)}: ${note}`, href: viewerPath(key) };
      }),
    };
  },
});
