import { expect, setDefaultTimeout, test } from "bun:test";
import type { RunDetail } from "../../server/domain/runs/run_detail.ts";
import { runId } from "../../server/domain/runs/run_id.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { runAt } from "../support/app/history.ts";
import { recordingNames } from "../support/app/listed.ts";
import { cardOf } from "../support/app/sync.ts";
import { progressed } from "../support/browser/frames.ts";

setDefaultTimeout(60_000);

const KEEP = { retention: { keep: "" } } as const;

const plain = (text: string | undefined) => (text ?? "").replaceAll(/[\u00a0\u202f]|&nbsp;/g, " ");

async function latest({ app, client }: RunningApp): Promise<RunDetail> {
  const run = app.history.latest();
  if (run === null) throw new Error("no run has ended");
  return (await (await client.fetch(`/api/runs/${runId(run)}`)).json()) as RunDetail;
}

/** A run that has brought five of twelve recordings, and hangs in the sixth. */
async function hanging(folder?: string): Promise<RunningApp & { lift: () => void }> {
  const names = recordingNames(12, "20260607");
  const running = await startApp({ settings: KEEP, card: cardOf(names, 4000), ...(folder && { folder }) });
  await running.client.open("/");
  const lift = running.simulator.fault({
    name: "stall",
    match: new RegExp(names[5]?.replace(".", "\\.") ?? ""),
    after: 1000,
  });
  await running.client.send("POST", "/api/sync/now");
  await progressed(running.client, ({ recordings_completed: done }) => done === 5);
  return Object.assign(running, { lift });
}

test("a run that was stopped lists every recording that waits, by name and with the cause", async () => {
  await using running = await hanging();
  await running.client.send("POST", "/api/sync/stop");
  await running.synced();
  const { sentence, work, causes, outcome } = await latest(running);
  expect(sentence).toBe("The run was stopped. 5 of 12\u00a0recordings downloaded.");
  expect(outcome).toBe("Stopped");
  expect(work).toEqual({ planned: 12, downloaded: 5, failed: 0, waiting: 7, missing: 0, left_out: 0 });
  expect(causes).toEqual([
    {
      cause: "waiting",
      recordings: 7,
      title: "7\u00a0recordings are waiting",
      sentence: "The run was stopped before their turn. The next run tries again.",
      names: recordingNames(12, "20260607").slice(5).toSorted(),
    },
  ]);
});

test("a service that ends in the middle of a run is told as a restart, and not as a user's stop", async () => {
  const running = await hanging();
  await running.stop();
  const connection = { address: running.simulator.address };
  await using again = await startApp({ folder: running.folder, settings: { ...KEEP, connection } });
  await again.client.open("/");
  const found = await latest(again);
  expect(found).toMatchObject({
    outcome: "Stopped by a restart",
    sentence: "Dashdock restarted. 5 of 12\u00a0recordings downloaded.",
    failure: { sentence: "Dashdock restarted." },
    causes: [{ recordings: 7, sentence: "The restart came before their turn. The next run tries again." }],
  });
  const overview = (await (await again.client.fetch("/api/overview")).json()) as Record<string, unknown>;
  expect(overview).toMatchObject({ mood: "waiting", sentence: "Dashdock restarted during the last sync." });
  for (const path of ["/", `/stats/runs/${found.id}`, "/stats?range=all"]) {
    const text = await (await again.client.fetch(path)).text();
    expect(text).not.toMatch(/by user|stopped by hand/i);
  }
  await running[Symbol.asyncDispose]();
});

test("a run tells when its list was there and when its errors came, and which recordings it brought", async () => {
  const names = recordingNames(6, "20260607");
  const clock = new FakeClock("2026-06-07T11:14:00Z");
  await using running = await startApp({ clock, settings: KEEP, card: cardOf(names, 4000) });
  await running.client.open("/");
  const bad = names.slice(0, 2);
  for (const name of bad) running.simulator.fault({ name: "error-500", match: new RegExp(name) });
  await running.client.send("POST", "/api/sync/now");
  await running.synced();
  const { times, brought, failed } = await latest(running);
  expect(times.map(({ what, title }) => [what, title])).toEqual([
    ["started", "Started by hand"],
    ["listed", "List read"],
    ["first-error", "First error"],
    ["last-error", "Last error"],
    ["ended", "Ended"],
  ]);
  expect(times.every(({ at }) => at === clock.now())).toBe(true);
  expect(plain(times[1]?.words)).toBe("6 recordings, 6 of them new");
  expect(plain(times[3]?.words)).toBe("The same error, 2 in all");
  expect(failed.by_cause).toMatchObject([{ first_at: clock.now(), last_at: clock.now() }]);
  expect(brought).toEqual({ by_type: { N: 4 }, names: names.slice(2).toSorted() });
});

test("the page of a run shows times, the newest clips it brought, and its main button", async () => {
  const names = recordingNames(20, "20260607");
  await using running = await startApp({ settings: KEEP, card: cardOf(names, 4000) });
  await running.client.open("/");
  running.simulator.fault({ name: "error-500", match: new RegExp(names[0] ?? "") });
  await running.client.send("POST", "/api/sync/now");
  await running.synced();
  const { id } = await latest(running);
  const text = plain((await running.client.open(`/stats/runs/${id}`)).text);
  expect(text).toContain("Retry 1 recording");
  expect(text.match(/b-primary/g)).toHaveLength(1);
  expect(text).toContain("Downloaded: 19 recordings");
  expect(text.match(/class="thumb"/g)).toHaveLength(6);
  expect(text).toContain("And 7 more recordings");
  for (const title of ["Started by hand", "List read", "First error", "Ended", "Next run"])
    expect(text).toContain(title);
});

test("a run that the disk ended says where space could come from, and how much is needed", async () => {
  const names = recordingNames(6, "20260607");
  const card = cardOf(names, 4000);
  await using running = await startApp({ settings: KEEP, card });
  await running.client.open("/");
  await running.client.send("POST", "/api/sync/now");
  await running.synced();
  expect((await running.client.send("DELETE", "/api/recordings/20260607_000000_N")).status).toBe(200);
  for (const name of recordingNames(4, "20260608")) card.record(name);
  await running.client.send("PATCH", "/api/settings/retention", { max_used_disk_percent: 1 });
  await running.client.send("POST", "/api/sync/now");
  await running.synced();
  const { id, times, work } = await latest(running);
  expect(times.map(({ title }) => title)).toContain("Disk limit reached");
  expect(work).toMatchObject({ downloaded: 0, waiting: 4 });
  const text = plain((await running.client.open(`/stats/runs/${id}`)).text);
  expect(text).toContain("Where space could come from");
  expect(text).toMatch(/Needed: [0-9.]+ [kMG]?B/);
  // The disk of the machine is fuller than that: a limit below what is used would stop at once.
  const offered = Number(/With “Stop downloading at” ([0-9]+) % instead of 1 %\./.exec(text)?.[1] ?? 0);
  const { used_percent: used } = (await (await running.client.fetch("/api/health/storage")).json()) as Record<
    string,
    number
  >;
  expect(offered === 0 || offered > (used ?? 100)).toBe(true);
  expect(text).toContain("Delete 2 recordings…");
  expect(text).toContain(">Try again<");
  expect(text.match(/b-primary/g)).toHaveLength(1);
});

test("a run whose clips are gone says why none is shown", async () => {
  await using running = await startApp({ settings: KEEP, card: cardOf(recordingNames(4, "20260607"), 4000) });
  await running.client.open("/");
  await running.client.send("POST", "/api/sync/now");
  await running.synced();
  const { id } = await latest(running);
  for (const key of ["20260607_000000_N", "20260607_000100_N"])
    expect((await running.client.send("DELETE", `/api/recordings/${key}`)).status).toBe(200);
  const text = plain((await running.client.open(`/stats/runs/${id}`)).text);
  expect(text).toContain("Downloaded: 4 recordings");
  expect(text).toContain("These recordings are not here any more.");
});

test("a run that failed of something unexpected leads to its log, once", async () => {
  await using running = await startApp({ settings: KEEP });
  const run = runAt(Date.now() / 1000 - 60, {
    ...{ success: false, exitCode: 1, failures: { unknown: 1 } },
    ...{ cause: "unexpected", message: "something unexpected went wrong" },
  });
  running.app.history.append(run);
  const text = plain((await running.client.open(`/stats/runs/${runId(run)}`)).text);
  expect(text.match(/href="\/logs\?[^"]*"/g)).toHaveLength(1);
  expect(text).toContain("Log of this run");
});

test("a button of a row has the number of that row; what is not all shown is tried again from the head", async () => {
  await using running = await startApp({ settings: KEEP });
  const names = recordingNames(60, "20260607");
  const failed = names.map((name, at) => {
    const cause = at % 2 === 0 ? ("http" as const) : ("reset" as const);
    return { name, reason: "http" as const, cause, message: "the camera answered with status 500" };
  });
  const counts = { planned: 60, failed: 60, videos: 0, present: 0, blocked: 0, absent: 0, held: 0 };
  const run = runAt(Date.now() / 1000 - 60, {
    failures: { http: 60 },
    counts: { ...counts, empty: 0, vanished: 0, growing: 0 },
  });
  running.app.history.append(run, failed);
  const path = `/stats/runs/${runId(run)}`;
  const part = plain((await running.client.open(path)).text);
  expect(part.match(/Retry [0-9]+(?: recordings)?(?=<)/g)).toEqual(["Retry 60 recordings"]);
  expect(part.match(/Check the camera/g)).toHaveLength(2);
  const whole = plain((await running.client.open(`${path}?files=all`)).text);
  expect(whole.match(/Retry [0-9]+(?: recordings)?(?=<)/g)).toEqual(["Retry 60 recordings", "Retry 30", "Retry 30"]);
});

test("what waits after a stop is downloaded by the page's main button, without script", async () => {
  await using running = await hanging();
  await running.client.send("POST", "/api/sync/stop");
  await running.synced();
  const { id } = await latest(running);
  const path = `/stats/runs/${id}`;
  expect(plain((await running.client.open(path)).text)).toContain("Download 7 recordings now");
  running.lift();
  const answer = await running.client.submit(path, { waiting: "1" });
  expect(answer.headers.get("location")).toBe(`${path}?coming=7`);
  expect(plain((await running.client.open(`${path}?coming=7`)).text)).toContain("7 recordings come now.");
  await running.synced();
  expect((await latest(running)).work).toMatchObject({ downloaded: 7, waiting: 0 });
  // The run that was stopped leads to the one that went on.
  const text = plain((await running.client.open(path)).text);
  expect(text.match(/Show the run of \d\d:\d\d/g)).toHaveLength(2);
  expect(text.match(/b-primary/g)).toHaveLength(1);
});

test("what the settings leave out is downloaded once, and protected", async () => {
  const left = ["20260607_050000_PF.mp4", "20260607_060000_PF.mp4"];
  const names = [...recordingNames(4, "20260607"), ...left];
  await using running = await startApp({ settings: { ...KEEP, sync: { exclude: ["P"] } }, card: cardOf(names, 4000) });
  await running.client.open("/");
  await running.client.send("POST", "/api/sync/now");
  await running.synced();
  const { id } = await latest(running);
  const path = `/stats/runs/${id}`;
  expect(plain((await running.client.open(path)).text)).toContain("Download 2 once");
  const answer = await running.client.submit(path, { once: "selection" });
  expect(answer.headers.get("location")).toBe(`${path}?coming=2`);
  await running.synced();
  expect((await latest(running)).brought?.names).toEqual(left);
  expect((await running.app.retention.kept.all()).size).toBe(2);
  const after = plain((await running.client.open(path)).text);
  expect(after).not.toContain("Download 2 once");
  expect((await running.client.submit(path, { once: "selection" })).headers.get("location")).toBe(`${path}?retried=0`);
});

test("what the settings leave out, and what is gone from the card, have a row each", async () => {
  const names = [...recordingNames(4, "20260607"), "20260607_050000_PF.mp4", "20260607_060000_PF.mp4"];
  await using running = await startApp({
    settings: { ...KEEP, sync: { exclude: ["P"] } },
    card: cardOf(names, 4000),
  });
  await running.client.open("/");
  running.simulator.fault({ name: "not-found", match: new RegExp(names[0] ?? "") });
  await running.client.send("POST", "/api/sync/now");
  await running.synced();
  const { work, causes } = await latest(running);
  expect(work).toEqual({ planned: 4, downloaded: 3, failed: 0, waiting: 0, missing: 1, left_out: 2 });
  expect(causes.map(({ title, names: listed }) => [title, listed])).toEqual([
    ["1\u00a0recording is missing on the camera", [names[0] ?? ""]],
    ["2\u00a0recordings are left out by your settings", names.slice(4)],
  ]);
  const run = running.app.history.latest();
  const { text } = await running.client.open(`/stats/runs/${run === null ? "" : runId(run)}`);
  expect(text).toContain('href="/help/missing">Prevent this<');
  expect((await running.client.fetch("/help/missing")).status).toBe(200);
});
