import { expect, test } from "bun:test";
import { eventMessage } from "../../../server/domain/notify/messages.ts";
import type { EventRef } from "../../../server/domain/notify/run_facts.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const told = (...events: EventRef[]) =>
  eventMessage({ now: 0, camera: "main", name: null, zone: new ZoneTime("UTC"), events, older: 0 }).text;

test("a message tells the place of an event where it is given, and else none", () => {
  expect(told({ key: "20261120_082400_E" })).toBe("The recording is home.");
  expect(told({ key: "20261120_082400_E", place: "Home" })).toBe("The recording is home. Place: Home.");
  expect(told({ key: "20261120_082400_E", g: 0.6, place: "Home" })).toMatch(
    /^The recording is home\. Place: Home\. Str/,
  );
  expect(told({ key: "20261120_082400_E", place: "Berlin" }, { key: "20261120_090000_E" })).toMatch(
    /^Event .* 08:24, Berlin; Event .* 09:00\.$/,
  );
});
