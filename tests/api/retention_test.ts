import { describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TrashDay } from "../../server/domain/retention/deletion.ts";
import { FakeClock } from "../support/app/clock.ts";
import { nothingDeleted } from "../support/app/deletion.ts";
import { atHome, DAY, inTrash, namesFrom, put, run, send, state } from "../support/app/held.ts";
import { days, fromCard, KEY, NOW, OLD, start } from "../support/app/retention.ts";
import { cardOf, listTree } from "../support/app/sync.ts";
import { mayMount, SmallDisk } from "../support/disk/disks.ts";

setDefaultTimeout(30_000);

describe("who may ask", () => {
  const CHANGES = [
    ["POST", "/api/retention/confirm"],
    ["POST", "/api/retention/seen"],
    ["POST", "/api/trash/restore"],
    ["DELETE", "/api/trash"],
    ["PUT", `/api/recordings/${KEY}/keep`],
    ["DELETE", `/api/recordings/${KEY}/keep`],
    ["DELETE", `/api/recordings/${KEY}`],
    ["DELETE", "/api/recordings"],
  ] as const;
  const QUESTIONS = ["/api/retention", "/api/retention/preview", "/api/trash", `/api/trash/${KEY}/thumbnail`] as const;

  test("nobody who is not signed in; nothing is changed", async () => {
    await using running = await start({ mode: "login", password: "correct horse battery staple" });
    put(running, OLD);
    for (const [method, path] of [...CHANGES, ...QUESTIONS.map((path) => ["GET", path] as const)]) {
      const answer = await running.client.send(method, path);
      expect([method, path, answer.status]).toEqual([method, path, 401]);
      expect(await answer.json()).toMatchObject({ code: "AUTH_REQUIRED" });
    }
    expect(atHome(running)).toEqual(OLD);
  });

  test("nobody without the token of a page; nothing is changed", async () => {
    await using running = await start();
    put(running, OLD);
    for (const [method, path] of CHANGES) {
      const answer = await running.client.fetch(path, { method });
      expect([method, path, answer.status]).toEqual([method, path, 403]);
      expect(await answer.json()).toMatchObject({ code: "CSRF_FAILED" });
    }
    expect(atHome(running)).toEqual(OLD);
    expect(existsSync(join(running.destination, ".dashdock"))).toBe(false);
  });
});

describe("what is told of deleting", () => {
  test("before anything happened", async () => {
    await using running = await start();
    expect(await state(running)).toEqual(nothingDeleted());
    expect(await days(running)).toEqual([]);
    expect(await send(running, "POST", "/api/retention/confirm")).toMatchObject({
      status: 409,
      body: { code: "NOTHING_HELD" },
    });
  });

  test("after a pass: the receipt, until it is seen, in the run, in the log and after a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "retention-"));
    const clock = new FakeClock("2026-06-07T10:30:00.123Z");
    const receipt = {
      id: "20260607T103000123Z-age",
      at: "2026-06-07T10:30:00.123Z",
      recordings: 3,
      bytes: 9,
      oldest: "2026-04-01",
      newest: "2026-04-01",
      cause: "age",
      by: null,
      until: "2026-06-14T10:30:00.123Z",
    };
    try {
      {
        await using running = await start({ folder, clock });
        put(running, OLD);
        await run(running);
        expect(await state(running)).toMatchObject({
          last: receipt,
          unseen: [receipt],
          trash: { recordings: 3, bytes: 9, days: 7 },
        });
        expect(running.app.history.latest()?.deleted).toEqual({ recordings: 3, bytes: 9 });
        expect(await days(running)).toEqual([
          {
            date: "2026-06-07",
            recordings: OLD.toReversed().map((name) => ({
              key: name.slice(0, 17),
              deleted_at: receipt.at,
              purge_at: receipt.until,
              bytes: 3,
              cause: "age",
              by: null,
              why: "Older than 4 weeks",
              recordings: 1,
              thumb: null,
            })),
          },
        ]);
        const told = running.app.log.lines.filter(({ message }) => /^Moved 3\srecordings to the trash/.test(message));
        expect(told).toHaveLength(1);
      }
      await using running = await start({ folder, clock });
      expect(await state(running)).toMatchObject({ last: receipt, unseen: [receipt] });
      expect(running.app.history.latest()?.deleted).toEqual({ recordings: 3, bytes: 9 });
      expect((await send(running, "POST", "/api/retention/seen", {})).body).toMatchObject({ code: "INVALID_BODY" });
      expect((await send(running, "POST", "/api/retention/seen", { id: "no" })).body).toEqual({ seen: 0 });
      expect((await send(running, "POST", "/api/retention/seen", { id: receipt.id })).body).toEqual({ seen: 1 });
      expect((await send(running, "POST", "/api/retention/seen", { id: receipt.id })).body).toEqual({ seen: 0 });
      expect(await state(running)).toMatchObject({ last: receipt, unseen: [] });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("a change of the settings tells what it will delete", async () => {
    await using running = await start({ settings: { retention: { keep: "" } } });
    put(running, OLD);
    const { status, body } = await send(running, "PATCH", "/api/settings/retention", { keep: "4w" });
    expect([status, body]).toEqual([
      200,
      { section: "retention", tier: expect.any(String), applied: true, would_delete: { recordings: 3, bytes: 9 } },
    ]);
    expect((await send(running, "PATCH", "/api/settings/retention", { keep: "" })).body).toMatchObject({
      would_delete: { recordings: 0, bytes: 0 },
    });
    expect((await send(running, "PATCH", "/api/settings/viewer", {})).body).not.toHaveProperty("would_delete");
  });

  test("what a limit deletes is not called nothing while nobody knows how large recordings are", async () => {
    await using running = await start({ settings: { retention: { keep: "" } } });
    put(running, OLD);
    for (const name of OLD) truncateSync(join(running.destination, name), 900_000_000);
    // Sizes are measured as on a disk that answers late.
    const late = spyOn(running.app.retention.sizes, "learnWithin").mockResolvedValue(undefined);
    const preview = "/api/retention/preview?max_gb=1";
    expect(await (await running.client.fetch(preview)).json()).toMatchObject({ recordings: null, forecast: null });
    expect((await send(running, "PATCH", "/api/settings/retention", { max_gb: 1 })).body["would_delete"]).toBeNull();
    expect(await state(running)).toMatchObject({ held: null });
    late.mockRestore();
    expect(await (await running.client.fetch(preview)).json()).toMatchObject({ recordings: 2, bytes: 1_800_000_000 });
  });

  test("the trash is told a day at a time, and in parts", async () => {
    const clock = new FakeClock(NOW);
    await using running = await start({ clock });
    put(running, OLD);
    await run(running);
    clock.pass(DAY);
    put(running, namesFrom("20260402", 2));
    await run(running);
    expect((await days(running)).map(({ date, recordings }) => [date, recordings.length])).toEqual([
      ["2026-06-08", 2],
      ["2026-06-07", 3],
    ]);
    const keysOf = (found: TrashDay[]) => found.flatMap(({ recordings }) => recordings.map(({ key }) => key));
    expect(keysOf(await days(running, "?date=2026-06-07&limit=2"))).toEqual(["20260401_000200_N", "20260401_000100_N"]);
    expect(keysOf(await days(running, "?date=2026-06-07&limit=2&after=20260401_000100_N"))).toEqual([KEY]);
    expect(keysOf(await days(running, "?limit=3"))).toHaveLength(3);
    expect(await days(running, "?date=2020-01-01")).toEqual([]);
    const bad = await running.client.fetch("/api/trash?date=yesterday");
    expect([bad.status, await bad.json()]).toEqual([422, expect.objectContaining({ code: "INVALID_DATE" })]);
  });
});

test("a destination that is another one by now: nothing is deleted, kept, restored or written there", async () => {
  await using running = await start();
  await run(running);
  const away = `${running.destination}.away`;
  renameSync(running.destination, away);
  put(running, OLD);
  mkdirSync(join(running.destination, ".dashdock"));
  writeFileSync(join(running.destination, ".dashdock", "id"), "0123456789abcdef0123456789abcdef\n");
  const before = listTree(running.destination);
  for (const [method, path, body] of [
    ["DELETE", `/api/recordings/${KEY}`],
    ["PUT", `/api/recordings/${KEY}/keep`],
    ["POST", "/api/trash/restore", { all: true }],
    ["DELETE", "/api/trash"],
  ] as const)
    expect(await send(running, method, path, body)).toMatchObject({ status: 503, body: { code: "TRASH_UNUSABLE" } });
  await run(running);
  expect(listTree(running.destination)).toEqual(before);
  // The accepted folder is used; its contents came from elsewhere.
  expect((await send(running, "POST", "/api/destination/accept")).status).toBe(200);
  expect((await send(running, "PUT", `/api/recordings/${KEY}/keep`)).status).toBe(200);
});

describe("limits", () => {
  test("above so many GB the oldest go, events and manual ones last, and do not come again", async () => {
    const card = cardOf(["20260501_100000_NF.mp4", "20260607_101500_EF.mp4", "20260607_101600_NF.mp4"], 1000);
    await using running = await start({ card, settings: { retention: { keep: "", max_gb: 1, event_context: 0 } } });
    await run(running);
    const large = [
      "20260401_100000_EF.mp4",
      "20260402_100000_NF.mp4",
      "20260403_100000_MF.mp4",
      "20260404_100000_PF.mp4",
    ];
    put(running, large);
    for (const name of large) truncateSync(join(running.destination, name), 400_000_000);
    await run(running);
    // 1.6 GB and a little: two have to go, the oldest of those that are no event nor manual.
    expect(inTrash(running)).toEqual(["20260402_100000_NF.mp4", "20260404_100000_PF.mp4"]);
    expect((await state(running)).last).toMatchObject({ cause: "room", recordings: 2, bytes: 800_000_000 });
    const more = ["20260605_100000_NF.mp4", "20260606_100000_NF.mp4"];
    put(running, more);
    for (const name of more) truncateSync(join(running.destination, name), 200_000_000);
    const asked = running.simulator.requests.length;
    for (let turn = 0; turn < 3; turn++) await run(running);
    // The old recording from the card went as well; it stays away.
    expect(inTrash(running)).toContain("20260501_100000_NF.mp4");
    expect(existsSync(join(running.destination, "20260501_100000_NF.mp4"))).toBe(false);
    const fetched = running.simulator.requests
      .slice(asked)
      .filter(({ path }) => path.endsWith("20260501_100000_NF.mp4"));
    expect(fetched).toEqual([]);
    expect(running.app.history.latest()?.leftOut?.deleted).toBe(1);
    // Recordings that are an event or manual go later.
    expect(existsSync(join(running.destination, large[0] ?? ""))).toBe(true);
    expect(existsSync(join(running.destination, large[2] ?? ""))).toBe(true);
  });

  test("kept ones never go, however far above it is", async () => {
    await using running = await start({ settings: { retention: { keep: "", max_gb: 1 } } });
    put(running, OLD);
    for (const name of OLD) truncateSync(join(running.destination, name), 900_000_000);
    for (const name of OLD.slice(0, 2)) await send(running, "PUT", `/api/recordings/${name.slice(0, 17)}/keep`);
    await run(running);
    expect(atHome(running)).toEqual(OLD);
    await send(running, "DELETE", `/api/recordings/${OLD[1]?.slice(0, 17)}/keep`);
    await run(running);
    expect(atHome(running)).toEqual(OLD.slice(0, 1));
  });

  test("one that cannot be reached takes nothing, and nothing that just came; the other one and the age rule still work", async () => {
    const card = cardOf(["20260607_101500_NF.mp4", "20260607_101600_EF.mp4"], 1000);
    const settings = { retention: { keep: "4w", max_gb: 2 } };
    await using running = await start({ card, settings });
    const large = ["holiday/20260601_100000_NF.mp4", "20260602_100000_NF.mp4", "20260603_100000_NF.mp4"];
    put(running, OLD);
    put(running, large);
    for (const name of large) truncateSync(join(running.destination, name), 1_200_000_000);
    await send(running, "PUT", "/api/recordings/20260602_100000_N/keep");
    // Recordings that came and may go hold 2 kB: 1.6 GB would have to go.
    await send(running, "PUT", "/api/recordings/20260603_100000_N/keep");
    for (let turn = 0; turn < 3; turn++) await run(running);
    expect(fromCard(running)).toEqual(["20260607_101500_NF.mp4", "20260607_101600_EF.mp4"]);
    expect(inTrash(running)).toEqual(OLD);
    expect((await state(running)).problem).toMatch(
      /^Nothing is deleted for the limit of 2.GB: it cannot be reached\. 2\.4.GB of kept recordings and 1\.2.GB of recordings in folders of your own stay\.$/,
    );
    const told = running.app.log.lines.filter(({ message }) => message.startsWith("Nothing is deleted for the limit"));
    expect(told).toHaveLength(1);
    await send(running, "DELETE", "/api/recordings/20260602_100000_N/keep");
    await send(running, "DELETE", "/api/recordings/20260603_100000_N/keep");
    expect((await state(running)).problem).toBeNull();
    await run(running);
    expect(inTrash(running)).toEqual([...OLD, "20260602_100000_NF.mp4", "20260603_100000_NF.mp4"]);
  });

  test.skipIf(!mayMount())(
    "above so much of the disk the trash is emptied first, then the oldest leave it (needs the right to mount)",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "retention-"));
      try {
        using _disk = new SmallDisk(join(folder, "recordings"), "10m");
        const card = cardOf(["20260607_101500_NF.mp4"], 1000);
        const settings = { retention: { keep: "8w", max_percent: 50 } };
        const clock = new FakeClock(NOW);
        await using running = await start({ folder, card, settings, clock });
        const megabyte = Buffer.alloc(1_000_000, "x").toString("latin1");
        put(running, ["20260401_100000_NF.mp4", "20260402_100000_NF.mp4"], megabyte);
        await run(running);
        // 2 MB of 10: past their keep time only.
        expect(inTrash(running)).toHaveLength(2);
        const young = namesFrom("20260601", 5);
        put(running, young, megabyte);
        await run(running);
        // 7 MB: the trash makes room, oldest first, and no recording has to go.
        expect(atHome(running)).toEqual(young);
        expect(inTrash(running)).toEqual([]);
        put(running, namesFrom("20260602", 2), megabyte);
        clock.pass(1000);
        await run(running);
        expect(atHome(running)).toEqual([...young.slice(2), ...namesFrom("20260602", 2)]);
        expect(inTrash(running)).toEqual([]);
        expect((await state(running)).last).toMatchObject({ cause: "room", recordings: 2 });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
