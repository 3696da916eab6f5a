import { expect, test } from "bun:test";
import { linksOf, withCamera } from "../../../server/domain/settings/camera_address.ts";

const ROWS: readonly (readonly [address: string, ofVan: string, ofAll: string])[] = [
  ["/", "/?camera=van", "/"],
  ["/?start#how", "/?start&camera=van#how", "/?start#how"],
  ["/settings#sync", "/settings?camera=van#sync", "/settings#sync"],
  ["/stats/runs/7", "/stats/runs/7?camera=van", "/stats/runs/7"],
  ["/viewer?date=2026-06-07", "/viewer?date=2026-06-07&camera=van", "/viewer?date=2026-06-07"],
  ["/viewer?camera=bus", "/viewer?camera=bus", "/viewer?camera=bus"],
  ["/hx/storage-card", "/hx/storage-card?camera=van", "/hx/storage-card"],
  ["/api/sync/now", "/api/sync/now?camera=van", "/api/sync/now"],
  ["/api/viewer/days", "/api/viewer/days?camera=van", "/api/viewer/days?camera=all"],
  [
    "/api/viewer/trips?date=2026-06-07",
    "/api/viewer/trips?date=2026-06-07&camera=van",
    "/api/viewer/trips?date=2026-06-07&camera=all",
  ],
  ["/api/viewer/trips/van~1", "/api/viewer/trips/van~1?camera=van", "/api/viewer/trips/van~1"],
  ["/api/cameras", "/api/cameras", "/api/cameras"],
  ["/api/auth/me", "/api/auth/me", "/api/auth/me"],
  ["/help/sync", "/help/sync", "/help/sync"],
  ["/logs", "/logs", "/logs"],
  ["/assets/app.css", "/assets/app.css", "/assets/app.css"],
  ["https://example.com/stats", "https://example.com/stats", "https://example.com/stats"],
];

test.each(ROWS)("%s names the camera of its page where it is about one", (address, ofVan, ofAll) => {
  expect([withCamera(address, "van"), withCamera(address, "all"), withCamera(address, null)]).toEqual([
    ofVan,
    ofAll,
    address,
  ]);
});

test("links and forms of a page lead to pages of its camera, and those that lead elsewhere stay", () => {
  const markup =
    '<a class="b" href="/settings#sync">x</a><a href="/help">y</a><form action="/stats/runs/7?a=1&amp;b=2">';
  expect(linksOf("van", markup)).toBe(
    '<a class="b" href="/settings?camera=van#sync">x</a><a href="/help">y</a><form action="/stats/runs/7?a=1&amp;b=2&amp;camera=van">',
  );
});
