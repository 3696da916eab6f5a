import { describe, expect, test } from "bun:test";
import { byReason, type PlacedCamera, whyNoClips } from "../../../server/domain/status/no_clips.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { NOW } from "../../support/app/overview.ts";

type Facts = Parameters<typeof whyNoClips>[0];

const FACTS: Facts = {
  address: "192.168.1.64",
  other_camera: null,
  paused: false,
  looks: null,
  next_at: NOW + 540_000,
  now: NOW,
  zone: new ZoneTime("Australia/Sydney"),
  last_known: null,
};
const AWAITED = { camera: "away", seconds: 30, next_at: NOW + 9000 } as const;
const OTHER = { known: { model: "DR900X", hotspot: "Car" }, found: { model: "DR750X", hotspot: "Van" } };

describe("whyNoClips()", () => {
  const rows: readonly (readonly [what: string, facts: Partial<Facts>, isUnknown: boolean, says: string])[] = [
    ["when the next sync comes", {}, false, "The next sync comes at 08:00 AEDT, in 9 min."],
    ["that the camera is awaited", { looks: AWAITED }, false, "Dashdock looks for the camera every 30 s. As soon"],
    ["when the next sync comes while it is here", { looks: { ...AWAITED, camera: "here" } }, false, "The next sync"],
    ["that the schedule is paused", { paused: true }, false, "The schedule is paused."],
    ["that it never runs", { next_at: null }, false, "The schedule is paused."],
    ["that another camera answers", { other_camera: OTHER }, false, "Another camera answers at 192.168.1.64. Nothing"],
    ["that it has no address", { address: "" }, false, "No address is set yet."],
    ["first of all that the folder is away", { address: "" }, true, "The recordings folder is not available"],
  ];
  for (const [what, facts, isUnknown, says] of rows)
    test(`tells ${what}`, () => {
      expect(whyNoClips({ ...FACTS, ...facts }, isUnknown, true).replaceAll("\u00a0", " ")).toStartWith(says);
    });
});

test("byReason() has each reason once, in the order of the cameras, and only what a plate shows of them", () => {
  const [car, van, bus] = ["Car", "Van", "Bus"].map((name, place) => ({
    id: name.toLowerCase(),
    name,
    letter: name.charAt(0),
    place,
  })) as [PlacedCamera, PlacedCamera, PlacedCamera];
  const told = byReason([
    { camera: { ...car, ...{ settings: {} } }, sentence: "Paused." },
    { camera: van, sentence: "No address." },
    { camera: bus, sentence: "Paused." },
  ]);
  expect(told).toEqual([
    { cameras: [car, bus], sentence: "Paused." },
    { cameras: [van], sentence: "No address." },
  ]);
});
