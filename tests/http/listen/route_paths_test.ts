import { afterAll, expect, test } from "bun:test";
import { request } from "node:http";
import { ANY_PATHS } from "../../../server/http/listen/found_route.ts";
import { RoutePaths } from "../../../server/http/listen/route_paths.ts";
import { ROUTES } from "../../../server/routes.ts";

const PATHS = [...new Set(ROUTES.map(({ path }) => path))];
const paths = new RoutePaths(PATHS);

interface Seen {
  readonly path: string | null;
  readonly params: Readonly<Record<string, string>>;
}
function none(): Response {
  return Response.json({ path: null, params: {} });
}
const listener = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  routes: Object.fromEntries([
    ...ANY_PATHS.map((path) => [path, none] as const),
    ...PATHS.map(
      (path) => [path, ({ params }: { params: object }) => Response.json({ path, params: { ...params } })] as const,
    ),
  ]),
  fetch: none,
});
afterAll(() => listener.stop(true));

/** What the listener makes of a path that is sent as it stands. */
function listened(path: string): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port: listener.port, path, agent: false }, (answer) => {
      let text = "";
      answer.on("data", (piece: Buffer) => {
        text += piece;
      });
      answer.on("end", () => resolve(JSON.parse(text)));
    });
    asked.on("error", reject).end();
  });
}

const ASKED = [
  ...["/", "/viewer", "/viewer/", "//viewer", "/Viewer", "/%76iewer", "/viewer/x", "/nothing", "/settings/camera"],
  ...["/help/sign-in", "/help/changes", "/help/syncing", "/help/", "/help/a/b", "/help/%66irst-steps"],
  ...["/media/a.mp4", "/media/a/b%20c.mp4", "/media/", "/media", "/media/a//b", "/media/%2e%2e/x"],
  ...["/api/recordings/20260607_101500_N", "/api/recordings/recent", "/api/recordings/a/keep", "/api/recordings/a%2Fb"],
  ...["/api/trash/a~b/thumbnail", "/api/trash/%zz/thumbnail", "/api/trash/%ff/thumbnail", "/api/trash//thumbnail"],
  ...["/s/abc", "/s/abc/F.mp4", "/s//F.mp4", "/links/1", "/links/1/F.mp4", "/assets/boot-1.js", "/film/F.mp4"],
  ...["/api/cameras/main/settings/sync", "/api/settings/:section", "/media/*", "/hx/stats/runs", "/hx/stats/runs/7"],
  ...[
    "/tiles/1/2/3",
    "/api/viewer/export/zip",
    "/api/viewer/export/F/report.html",
    "/api/%F0%9F%98%80/x",
    "/s/%E2%82%AC",
  ],
];

for (const asked of ASKED)
  test(`${asked} leads where the listener leads it`, async () => {
    const { path, params } = await listened(asked);
    const found = paths.find(asked);
    // What stands for the rest is read elsewhere.
    const named = Object.fromEntries(Object.entries(params).filter(([name]) => name !== "*"));
    expect(found ?? { path: null, params: {} }).toEqual({ path, params: named });
  });
