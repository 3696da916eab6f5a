import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventPicture } from "../../../server/engine/notify/event_picture.ts";
import { type RunningApp, startApp } from "../../support/app/app.ts";
import { box, fileOf, movieOf } from "../../support/camera/mp4.ts";

const JPEG = [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3];
const EMBEDDED = [0xff, 0xd8, 0xff, 0xe1, 4, 5];

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
  mkdirSync(app.destination, { recursive: true });
  const video = fileOf(movieOf("avc1"), 900);
  const preview = box("free", box("thum", [0, 0, 0, EMBEDDED.length, ...EMBEDDED]));
  const pictured = new Uint8Array(Buffer.concat([video, preview]));
  const put = (name: string, bytes: Uint8Array | readonly number[]) =>
    writeFileSync(join(app.destination, name), new Uint8Array(bytes));
  put("20260607_100000_EF.mp4", video);
  put("20260607_100000_EF.thm", JPEG);
  put("20260607_100100_ER.mp4", pictured);
  // What is no picture, or none that a service takes, gives way to that in the video.
  put("20260607_100200_EF.mp4", pictured);
  put("20260607_100200_EF.thm", new TextEncoder().encode("<html>"));
  put("20260607_100300_EF.mp4", pictured);
  put("20260607_100300_EF.thm", new Uint8Array(3_000_000).fill(255));
  put("20260607_100400_EF.mp4", video);
  put("20260607_100400_EF.thm", []);
  put("20260607_100500_EF.mp4", video);
  symlinkSync("/etc/hostname", join(app.destination, "20260607_100500_EF.thm"));
});
afterAll(() => app[Symbol.asyncDispose]());

const rows: readonly (readonly [time: string, picture: readonly number[] | null])[] = [
  ["100000", JPEG],
  ["100100", EMBEDDED],
  ["100200", EMBEDDED],
  ["100300", EMBEDDED],
  ["100400", null],
  ["100500", null],
  ["110000", null],
];
for (const [time, picture] of rows)
  test(`the event of ${time} has ${picture === null ? "no picture" : "the picture of its camera"}`, async () => {
    const found = await eventPicture(app.app, `20260607_${time}_E`);
    expect(found && [...found]).toEqual(picture && [...picture]);
  });
