import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { SEARCH } from "../../server/domain/viewer/search_schema.ts";
import { parkedCameras } from "../support/app/several_cameras.ts";
import { gpsText } from "../support/camera/written_telemetry.ts";

const UTC = Date.UTC(2026, 5, 8, 6);

test("with several cameras clips say whose they are, and kinds and places are those of all together", async () => {
  await using app = await parkedCameras([{ id: "van", name: "Van" }]);
  for (const [camera, keys] of [
    ["main", ["20260608_080000_E"]],
    ["van", ["20260608_090000_E", "20260609_080000_E"]],
  ] as const) {
    const folder = app.folderOf(camera);
    mkdirSync(folder, { recursive: true });
    for (const key of keys) {
      writeFileSync(join(folder, `${key}F.mp4`), "");
      const fixes = Array.from({ length: 60 }, (_, t) => ({ t, lat: 52.5163 + t * 1e-4, lon: 13.3777, knots: 20 }));
      writeFileSync(join(folder, `${key}.gps`), gpsText(fixes, UTC));
    }
  }
  for (const one of app.app.cameras.all) await one.library.refresh();
  const ask = async (path: string) => (await app.client.fetch(path)).json();
  while ((await ask("/api/map/passes?bbox=-180,-90,180,90&camera=all")).indexing !== null);
  const found = async (query: string) =>
    v
      .parse(SEARCH, await ask(`/api/search?${query}`))
      .results.map(
        ({ group, title, detail, href, camera }) => `${group}: ${title}, ${detail}, ${href} ${camera ?? ""}`,
      );
  const year = new Date().getUTCFullYear() === 2026 ? "" : "\u00a02026";

  expect(await found("q=events&camera=all")).toEqual(["kind: Events, 3\u00a0clips, /viewer?types=E "]);
  expect(await found("q=events&camera=van")).toEqual(["kind: Events, 2\u00a0clips, /viewer?types=E&camera=van van"]);
  expect(await found("q=2026-06-08&camera=all")).toEqual([
    `time: Mon 8\u00a0Jun${year}, 1\u00a0clip, /viewer?key=van~20260608_090000_E van`,
    `time: Mon 8\u00a0Jun${year}, 1\u00a0clip, /viewer?key=20260608_080000_E main`,
  ]);
  const [together = ""] = await found("q=berlin&camera=all");
  expect(together).toStartWith(`place: Berlin, 3\u00a0trips, the last on Tue 9\u00a0Jun${year}, /map?`);
  expect(together).not.toContain("whose");
  const [own = ""] = await found("q=berlin&camera=van");
  expect(own).toMatch(/2\u00a0trips.*&whose=van van$/);
});
