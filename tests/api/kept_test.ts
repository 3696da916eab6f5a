import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atHome, put, run, send, state } from "../support/app/held.ts";
import { fromCard, KEY, NOW, OLD, own, start, VIDEOS } from "../support/app/retention.ts";

setDefaultTimeout(30_000);

describe("kept", () => {
  test("a mark keeps a recording from rules and hands, until it is taken off", async () => {
    await using running = await start();
    put(running, OLD);
    const path = `/api/recordings/${KEY}/keep`;
    const kept = { at: "2026-06-07T10:30:00.000Z", note: null };
    expect(await send(running, "PUT", path)).toEqual({ status: 200, body: { key: KEY, kept } });
    expect(JSON.parse(own(running, "kept.json"))).toEqual({ version: 1, recordings: { [KEY]: kept } });
    expect((await send(running, "PUT", path, { note: "  the\tred\ncar " })).body).toMatchObject({
      kept: { at: kept.at, note: expect.stringMatching(/^the.red.car$/) },
    });
    const turned = await send(running, "PUT", path, { note: "a \u202eder\u202c \u2067car\u200f red" });
    expect(turned.body).toMatchObject({ kept: { note: "a der car red" } });
    // Without a word about the note it stays.
    expect((await send(running, "PUT", path, {})).body).toMatchObject({ kept: { note: expect.stringMatching(/red/) } });
    expect((await send(running, "PUT", path, { note: null })).body).toMatchObject({ kept });
    await run(running);
    expect(atHome(running)).toEqual([`${KEY}F.mp4`]);
    expect(await send(running, "DELETE", `/api/recordings/${KEY}`)).toMatchObject({
      status: 409,
      body: { code: "RECORDING_KEPT", details: { recording: KEY } },
    });
    expect((await state(running)).kept).toEqual({ recordings: 1, bytes: 3 });
    expect(atHome(running)).toEqual([`${KEY}F.mp4`]);
    expect((await send(running, "DELETE", path)).body).toEqual({ key: KEY, kept: null });
    await run(running);
    expect(atHome(running)).toEqual([]);
  });

  test("a whole trip is kept at once, with the notes that are there", async () => {
    await using running = await start();
    const names = [
      "20260401_100000_NF.mp4",
      "20260401_100100_EF.mp4",
      "20260401_100200_NF.mp4",
      "20260401_180000_NF.mp4",
    ];
    put(running, names);
    await running.app.library.refresh();
    const [first, event, last, later] = names.map((name) => name.slice(0, 17));
    await send(running, "PUT", `/api/recordings/${event}/keep`, { note: "the red car" });
    expect(await send(running, "POST", `/api/viewer/trips/${last}/keep`)).toEqual({
      status: 200,
      body: { keys: [first, last], clips: 3 },
    });
    const { recordings } = JSON.parse(own(running, "kept.json"));
    expect(Object.keys(recordings).sort()).toEqual([first, event, last] as string[]);
    expect([recordings[event ?? ""].note, recordings[first ?? ""].note]).toEqual(["the red car", null]);
    // Once more changes nothing.
    expect((await send(running, "POST", `/api/viewer/trips/${first}/keep`)).body).toEqual({ keys: [], clips: 3 });
    await run(running);
    expect(atHome(running)).not.toContain(`${later}F.mp4`);
    expect(atHome(running)).toContain(`${first}F.mp4`);
    expect(await send(running, "POST", "/api/viewer/trips/20260401_235959_N/keep")).toMatchObject({
      status: 404,
      body: { code: "RECORDING_NOT_FOUND" },
    });
  });

  test("refusals: no such recording, a note that is none, a key that is none", async () => {
    await using running = await start();
    put(running, OLD);
    for (const method of ["PUT", "DELETE"])
      expect(await send(running, method, "/api/recordings/20260401_235959_N/keep")).toMatchObject({
        status: 404,
        body: { code: "RECORDING_NOT_FOUND" },
      });
    for (const note of [3, {}, "x".repeat(501)])
      expect(await send(running, "PUT", `/api/recordings/${KEY}/keep`, { note })).toMatchObject({
        status: 400,
        body: { code: "INVALID_BODY" },
      });
    expect((await send(running, "PUT", "/api/recordings/..%2F..%2Fetc/keep")).status).toBe(404);
    expect(existsSync(join(running.destination, ".dashdock", "kept.json"))).toBe(false);
  });

  test("a list that is damaged stops deleting, and not the service; repaired by hand, it is read at once", async () => {
    await using running = await start();
    put(running, OLD);
    mkdirSync(join(running.destination, ".dashdock"), { recursive: true });
    const list = join(running.destination, ".dashdock", "kept.json");
    const damaged = [
      '{"version":1,"recordings":{"20260',
      '{"version":2,"recordings":{}}',
      "",
      '{"version":1,"recordings":{"x":{"at":"","note":null}}}',
    ];
    for (const text of damaged) {
      writeFileSync(list, text);
      await run(running);
      expect(atHome(running)).toEqual(OLD);
      expect((await state(running)).problem).toBe(
        "Nothing is deleted: .dashdock/kept.json in the recordings folder is damaged, so it is unknown what is kept; put a whole copy of it there, as from a backup.",
      );
      for (const [method, path, body] of [
        ["DELETE", `/api/recordings/${KEY}`],
        ["PUT", `/api/recordings/${KEY}/keep`],
        ["POST", "/api/trash/restore", { all: true }],
      ] as const)
        expect(await send(running, method, path, body)).toMatchObject({
          status: 503,
          body: { code: "TRASH_UNUSABLE", error: expect.stringContaining(".dashdock/kept.json") },
        });
      expect(readFileSync(list, "utf8")).toBe(text);
      expect((await running.client.fetch("/viewer")).status).toBe(200);
    }
    expect(fromCard(running)).toEqual(VIDEOS);
    writeFileSync(list, JSON.stringify({ version: 1, recordings: { [KEY]: { at: NOW, note: null } } }));
    await run(running);
    expect(atHome(running)).toEqual([`${KEY}F.mp4`]);
    expect((await state(running)).problem).toBeNull();
  });

  test("marks outlive the loss of the config folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "retention-"));
    try {
      {
        await using running = await start({ folder });
        put(running, OLD);
        await send(running, "PUT", `/api/recordings/${KEY}/keep`, { note: "mine" });
      }
      rmSync(join(folder, "config"), { recursive: true });
      await using running = await start({ folder, env: { KEEP: "4w" } });
      await run(running);
      expect(atHome(running)).toEqual([`${KEY}F.mp4`]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
