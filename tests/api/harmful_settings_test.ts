import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";

interface Answer {
  readonly status: number;
  readonly said: {
    readonly warnings?: readonly { readonly path: string; readonly message: string }[];
    readonly details?: { readonly field_errors?: readonly { readonly path: string; readonly message: string }[] };
  };
}

async function patch({ client }: RunningApp, section: string, body: object): Promise<Answer> {
  await client.open("/");
  const answer = await client.send("PATCH", `/api/settings/${section}`, body);
  return { status: answer.status, said: (await answer.json()) as Answer["said"] };
}

describe("PATCH /api/settings/<section> refuses", () => {
  const whole = "does not begin with /: write the whole path, such as /volume1/dashcam";
  const rows: [section: string, field: string, value: unknown, message: string][] = [
    ["system", "destination", "recordings", `is not usable: "recordings" ${whole}`],
    ["system", "destination", "../recordings", `is not usable: "../recordings" ${whole}`],
    ["metrics", "file", "dashdock.prom", `is not usable: "dashdock.prom" ${whole}`],
    ["metrics", "state_file", "./state.json", `is not usable: "./state.json" ${whole}`],
    ["connection", "timeout_seconds", 0, "must be a number above 0 and at most 300, got 0"],
    [
      "connection",
      "address",
      "http://192.168.1.20/",
      'is not usable: "http://192.168.1.20/" is not an address: write "192.168.1.20", without http:// or a path',
    ],
    [
      "connection",
      "address",
      "cam.lan:8080/x",
      'is not usable: "cam.lan:8080/x" is not an address: write "cam.lan:8080", without http:// or a path',
    ],
  ];
  for (const [section, field, value, message] of rows)
    test(`${section}.${field} ${JSON.stringify(value)}`, async () => {
      await using app = await startApp();
      const before = JSON.stringify(app.app.settings.current);
      const { status, said } = await patch(app, section, { [field]: value });
      const path = `${section}.${field}`;
      expect([status, said.details?.field_errors]).toEqual([422, [{ path, message: `${path} ${message}` }]]);
      expect(JSON.stringify(app.app.settings.current)).toBe(before);
    });
});

test("a relative path that is stored already can be sent back as it is, and is not in the way of anything else", async () => {
  await using app = await startApp();
  await app.app.settings.update((latest) => ({ ...latest, system: { ...latest.system, destination: "recordings" } }));
  expect((await patch(app, "system", { destination: "recordings", dry_run: true })).status).toBe(200);
  expect((await patch(app, "system", { destination: "elsewhere" })).status).toBe(422);
  expect(app.app.settings.current.system).toEqual({ destination: "recordings", import_folder: null, dry_run: true });
});

test("a disk stop below what is used is set, with a warning that says how full the disk is", async () => {
  await using app = await startApp();
  mkdirSync(app.destination, { recursive: true });
  const usage = await app.app.storage.read();
  // Others write to this disk, too, and between two looks.
  app.app.storage.read = () => Promise.resolve(usage);
  const low = await patch(app, "retention", { max_used_disk_percent: 1 });
  const message = `The disk is ${Math.round(usage.usedRatio * 1000) / 10}\u00a0% full now: nothing more would come home.`;
  expect([low.status, low.said.warnings]).toEqual([200, [{ path: "retention.max_used_disk_percent", message }]]);
  expect(app.app.settings.current.retention.max_used_disk_percent).toBe(1);
  // Unchanged values, and values that leave room, bring no warning.
  expect((await patch(app, "retention", { max_used_disk_percent: 1, event_context: 2 })).said.warnings).toBeUndefined();
  expect((await patch(app, "retention", { max_used_disk_percent: 100 })).said.warnings).toBeUndefined();
});

test("a disk that cannot be read warns about nothing", async () => {
  await using app = await startApp();
  app.app.storage.read = () => Promise.reject(new Error("gone"));
  expect(await patch(app, "retention", { max_used_disk_percent: 1 })).toMatchObject({ status: 200 });
});

test("durations in words and codes in any case are stored in their one form", async () => {
  await using app = await startApp();
  expect(
    (await patch(app, "retention", { keep: "2 weeks", keep_event: " ALWAYS ", keep_parking: "1 Year" })).status,
  ).toBe(200);
  expect((await patch(app, "sync", { include: ["nf", "Er", "p"], retry_failed_after: "12 Hours" })).status).toBe(200);
  const file = await Bun.file(join(app.folder, "config", "settings.json")).json();
  for (const { retention, sync } of [app.app.settings.current, file]) {
    expect([retention.keep, retention.keep_event, retention.keep_parking]).toEqual(["2w", "always", "1y"]);
    expect([sync.include, sync.retry_failed_after]).toEqual([["NF", "ER", "P"], "12h"]);
  }
});

test("a file that says the same in words is read as its one form, and written so with the next change", async () => {
  await using app = await startApp();
  const path = join(app.folder, "config", "settings.json");
  await app.stop();
  const stored = await Bun.file(path).json();
  stored.retention.keep = "6 Weeks";
  stored.sync.exclude = ["pr"];
  stored.sync.retry_failed_after = "36 hours";
  await Bun.write(path, JSON.stringify(stored));
  await using again = await startApp({ folder: app.folder });
  const { retention, sync } = again.app.settings.current;
  expect([retention.keep, sync.exclude, sync.retry_failed_after]).toEqual(["6w", ["PR"], "36h"]);
  const written = await Bun.file(path).json();
  expect([written.retention.keep, written.sync.exclude]).toEqual(["6w", ["PR"]]);
});
