import { expect, setDefaultTimeout, test } from "bun:test";
import { runId } from "../../server/domain/runs/run_id.ts";
import { agoInWords } from "../../server/domain/text/format.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { runAt } from "../support/app/history.ts";
import { recordingNames } from "../support/app/listed.ts";
import { cardOf } from "../support/app/sync.ts";
import { progressed } from "../support/browser/frames.ts";

setDefaultTimeout(60_000);

const START = "2026-06-07T11:14:00Z";
const KEEP = { retention: { keep: "" } } as const;

async function look({ client }: RunningApp, path: string): Promise<string> {
  return (await (await client.fetch(path)).text()).replaceAll(/<svg hidden.*?<\/svg>|data-props="[^"]*"/gs, "");
}

/** Each time of a page with the age that stands in it or right behind it. */
function agesIn(html: string): { readonly at: number; readonly age: string }[] {
  const found = html.matchAll(/<time datetime="([^"]+)"[^>]*>([^<]*)<\/time>([^<]*)/g);
  return [...found].flatMap(([, at = "", within = "", behind = ""]) => {
    const age = /(just now|[0-9]+\u00a0(?:min|h|d) ago)/.exec(`${within}${behind}`)?.[1];
    return age === undefined ? [] : [{ at: Date.parse(at), age }];
  });
}

test("an age is that of the time beside it, also of a run that took half an hour", async () => {
  const clock = new FakeClock(START);
  await using running = await startApp({ clock, settings: KEEP });
  await running.client.open("/");
  await running.client.send("POST", "/api/sync/now");
  await running.synced();
  const ended = clock.now() / 1000 + 1800;
  await clock.advance(1_801_000);
  running.app.history.append(runAt(ended, { durationSeconds: 1800, address: running.simulator.address }));
  await running.simulator.goAway();
  await clock.advance(420_000);
  const ages = agesIn((await look(running, "/")) + (await look(running, "/hx/dashcam-card")));
  expect(ages.length).toBeGreaterThan(1);
  for (const { at, age } of ages) expect(age).toBe(agoInWords((clock.now() - at) / 1000));
  // The run by when it began, which is what stands there.
  expect(ages.map(({ age }) => age)).toContain("37\u00a0min ago");
});

test("statistics during the first sync say that it runs, and not that there are no runs", async () => {
  const names = recordingNames(6, "20260607");
  await using running = await startApp({ settings: KEEP, card: cardOf(names, 4000) });
  await running.client.open("/");
  running.simulator.fault({ name: "stall", match: new RegExp(names[2] ?? ""), after: 1000 });
  await running.client.send("POST", "/api/sync/now");
  await progressed(running.client, ({ recordings_completed: done }) => done === 2);
  const text = await look(running, "/stats");
  expect(text).toContain("The first sync is running");
  expect(text).not.toContain("No runs yet");
  await running.client.send("POST", "/api/sync/stop");
  await running.synced();
  expect(await look(running, "/stats")).not.toContain("The first sync is running");
});

test.each(["list-500", "list-html", "list-garbage"] as const)(
  "a list that failed (%s) is nowhere nothing new, and not nothing downloaded",
  async (fault) => {
    const clock = new FakeClock(START);
    await using running = await startApp({ clock, settings: KEEP });
    await running.client.open("/");
    running.simulator.fault(fault);
    await running.client.send("POST", "/api/sync/now");
    await running.synced();
    const run = running.app.history.latest();
    const paths = ["/", "/stats?range=all", "/hx/sync/last-run-card", `/stats/runs/${run === null ? "" : runId(run)}`];
    const live = await Promise.all(paths.map((path) => look(running, path)));
    // The card shows the end of a run live for some seconds.
    await clock.advance(60_000);
    const stored = await Promise.all(paths.map((path) => look(running, path)));
    for (const text of [...live, ...stored]) expect(text).not.toMatch(/Nothing (new|downloaded)(?!<\/(?:li|span)>)/);
    expect(stored[2]).toContain("The camera’s list was not read");
    // The run leads to what solves it, first of all.
    expect(stored[3]?.match(/class="b b-primary"[^>]*>([^<]+)</)?.[1]).toBe("Check the camera");
  },
);

test("the status says null before any list was seen, also after a run whose list failed", async () => {
  await using running = await startApp({ settings: KEEP });
  await running.client.open("/");
  const counts = async () => {
    const status = (await (await running.client.fetch("/api/status")).json()) as Record<string, unknown>;
    return Object.entries(status).filter(([name]) => /^(pending|recordings)_/.test(name));
  };
  const none = [
    ["pending_files", null],
    ["pending_bytes", null],
    ["recordings_on_camera", null],
    ["recordings_chosen", null],
    ["recordings_home", null],
    ["recordings_waiting", null],
  ] as [string, unknown][];
  expect(await counts()).toEqual(none);
  const lift = running.simulator.fault("list-500");
  await running.client.send("POST", "/api/sync/now");
  await running.synced();
  expect(await counts()).toEqual(none);
  lift();
  await running.client.send("POST", "/api/sync/now");
  await running.synced();
  expect((await counts()).every(([, value]) => typeof value === "number")).toBe(true);
});
