import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSimulator } from "../../server/dashcam/simulator/simulator.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { runAt } from "../support/app/history.ts";
import { listedBefore, recordingNames } from "../support/app/listed.ts";
import { cardOf, VIDEOS } from "../support/app/sync.ts";

setDefaultTimeout(20_000);

const START = "2026-06-07T10:14:00Z";

async function sync(running: RunningApp): Promise<void> {
  await running.client.open("/");
  expect((await running.client.send("POST", "/api/sync/now")).status).toBe(202);
  await running.synced();
}

const text = async ({ client }: RunningApp, path: string) =>
  (await (await client.fetch(path)).text()).replaceAll(/[\u00a0\u202f]/g, " ").replaceAll("&#39;", "'");
const json = async (running: RunningApp, path: string) => JSON.parse(await text(running, path));

/** Everything that tells of the last run, as it is now. */
async function toldOf(running: RunningApp) {
  const { sentence, detail, more, action } = await json(running, "/api/overview");
  return {
    detail,
    more,
    action,
    status: (await json(running, "/api/status")).last_run_message,
    sentence,
    hero: /class="sentence">([^<]*)</.exec(await text(running, "/"))?.[1],
    card: await text(running, "/hx/sync/last-run-card"),
    table: await text(running, "/hx/stats/runs?range=all"),
    csv: (await text(running, "/stats/runs.csv?range=all")).trimEnd().split("\r\n").at(-1),
  };
}

test("why a run failed is told wherever it is shown, and in the same words after a restart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
  const clock = new FakeClock(START);
  const message = "the camera was asked for its list and answered with status 500";
  const expected = {
    status: message,
    sentence: "Sync failed: the camera answered with an error.",
    // The reason in one short sentence first, what exactly happened behind it.
    detail: "This can happen when the camera cannot read its card. Turn the camera off and on.",
    more: expect.stringMatching(/^The camera was asked for its list and answered with status 500\. /),
    action: { kind: "check-camera", label: "Check the camera", href: "/settings#connection-address" },
    hero: "Sync failed: the camera answered with an error.",
    card: expect.stringMatching(/The camera answered with an error<.*<summary>More<.*with status 500/),
    table: expect.stringContaining("The camera answered with an error"),
    csv: expect.stringMatching(new RegExp(`,Failed,The camera answered with an error,.*,${message},,$`)),
  };
  try {
    let address = "";
    {
      await using running = await startApp({ clock, folder });
      running.simulator.fault("list-500");
      await sync(running);
      expect(await toldOf(running)).toEqual(expected);
      await clock.advance(11_000);
      expect(await toldOf(running)).toEqual(expected);
      address = running.simulator.address;
    }
    await using running = await startApp({ clock, folder, settings: { connection: { address } } });
    expect(await toldOf(running)).toEqual(expected);
    expect(await toldOf(running)).not.toMatchObject({ card: expect.stringContaining("in the log") });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("why the camera was not reached stands on the card and in the table", async () => {
  const clock = new FakeClock(START);
  await using running = await startApp({ clock });
  await running.simulator.goAway();
  await sync(running);
  const why = "The camera refused the connection";
  expect((await toldOf(running)).card).toContain(`${why}.<`);
  await clock.advance(11_000);
  const told = await toldOf(running);
  expect(told).toMatchObject({ status: "the camera refused the connection", table: expect.stringContaining(why) });
  expect(told.card).toContain(`${why}.<`);
  const { detail, more } = await json(running, "/api/overview");
  // One cause has one text, wherever it is told.
  const { failure } = await json(running, `/api/runs/${Math.round((running.app.history.latest()?.ts ?? 0) * 1000)}`);
  expect([failure.sentence, detail]).toEqual([`${why}.`, `${why}.`]);
  expect(failure.hint).toStartWith("A device is there");
  expect(more).toStartWith(failure.hint);
  expect(await text(running, "/hx/dashcam-card")).toContain(`>${failure.sentence}<`);
});

test("what a run left out is told by rule on the card, in the table and beside the sentence", async () => {
  const clock = new FakeClock(START);
  await using running = await startApp({ clock, card: cardOf(VIDEOS) });
  const { history } = running.app;
  mkdirSync(running.destination);
  const leftOut = { retention: 9, selection: 3, deleted: 0, unreadable: 0, unknown: 1 };
  history.append(runAt(clock.now() / 1000 - 60, { recordingsSelected: 400, leftOut }));
  const words =
    "13 left out: 9 older than you keep, 3 not chosen by your settings, 1 with a name Dashdock does not know";
  const { card, table } = await toldOf(running);
  expect(card).toContain("412 recordings on the camera");
  expect(card).toContain(`<summary>More</summary><p>${words}.</p>`);
  expect(table).toContain(words);

  // Beside the sentence stands what is left out of the last list, by the settings in force.
  const old = recordingNames(9, "20250101");
  await listedBefore(running, [...old, "20260606_100000_PF.mp4", "20260606_100000_NF.mp4", "MANUAL.MP4"], []);
  await running.client.open("/");
  await running.client.send("PATCH", "/api/settings/sync", { exclude: ["P"] });
  expect((await json(running, "/api/overview")).detail).toContain(
    "11 left out: 9 older than you keep, 1 not chosen by your settings, 1 with a name Dashdock does not know.",
  );
  await listedBefore(running, old, []);
  expect(await json(running, "/api/overview")).toMatchObject({
    mood: "attention",
    detail: expect.stringMatching(/^Every recording on the camera is older than you keep; is its clock set right\?/),
  });
});

test("the camera was last seen at the address that is set now, in every answer", async () => {
  const clock = new FakeClock(START);
  await using running = await startApp({ clock });
  await sync(running);
  await clock.advance(60_000);
  expect(await json(running, "/api/status")).toMatchObject({ last_seen: "2026-06-07T10:15:00.000Z" });
  await using other = await openSimulator({ card: cardOf([]) });
  await other.goAway();
  await running.client.send("PATCH", "/api/settings/connection", { address: other.address });
  // The very first question after the change.
  expect(await json(running, "/api/status")).toMatchObject({ last_seen: null, camera_online: false });
  expect(await json(running, "/api/overview")).toMatchObject({ last_seen_at: null });
  await running.client.send("PATCH", "/api/settings/connection", { address: running.simulator.address });
  expect(await json(running, "/api/overview")).toMatchObject({ last_seen_at: Date.parse(START) });
});

test("a camera that is set while files come from another is not taken for the one that talks", async () => {
  await using running = await startApp({ rate: 100_000, settings: { retention: { keep: "" } } });
  await running.client.open("/");
  await using other = await openSimulator({ card: cardOf([]) });
  await other.goAway();
  await running.client.send("POST", "/api/sync/now");
  await running.simulator.asked(/mp4/);
  await running.client.send("PATCH", "/api/settings/connection", { address: other.address });
  expect(await json(running, "/api/status")).toMatchObject({ state: "running", camera_online: false, last_seen: null });
  await running.client.send("POST", "/api/sync/stop");
  await running.synced();
});
