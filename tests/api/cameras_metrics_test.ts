import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bothAreHome, type CarAndVan, carAndVan } from "../support/app/several_cameras.ts";

setDefaultTimeout(30_000);

const SCRAPED = { metrics: { scrape: true } };
/** Every line of the format: a comment, or a name with labels and a number. */
const EXPOSITION =
  /^(# (HELP|TYPE) dashdock_[a-z_]+ .+\n|dashdock_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+\n)*$/;
const OF_PROCESS = /^dashdock_(config_disk_full|build_info)\b/;

const scrape = async ({ client }: CarAndVan) => await (await client.fetch("/metrics")).text();
const samplesIn = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
const valueIn = (text: string, sample: string) =>
  samplesIn(text)
    .find((line) => line.startsWith(`dashdock_${sample} `))
    ?.split(" ")[1];

test("With two cameras every sample of a camera has its label, and each metric its help and its type once", async () => {
  await using running = await carAndVan({ settings: SCRAPED });
  await bothAreHome(running);
  const text = await scrape(running);
  expect(text).toMatch(EXPOSITION);
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const line of samplesIn(text)) expect([line, line.includes('camera="')]).toEqual([line, !OF_PROCESS.test(line)]);
  for (const [sample, value] of [
    ['files_downloaded_total{camera="main"}', "12"],
    ['files_downloaded_total{camera="van"}', "18"],
    ['recordings_home{camera="main"}', "4"],
    ['recordings_home{camera="van"}', "6"],
    ['last_run_failure{camera="van",reason="http"}', "0"],
    ["config_disk_full", "0"],
  ] as const)
    expect([sample, valueIn(text, sample)]).toEqual([sample, value]);
  // Samples of one metric stand together.
  const order = samplesIn(text).map((line) => /^\w+/.exec(line)?.[0]);
  expect(order.filter((name, at) => name !== order[at - 1]).length).toBe(new Set(order).size);
});

test("The label goes with the second camera", async () => {
  await using running = await carAndVan({ settings: SCRAPED });
  await bothAreHome(running);
  expect((await running.client.send("DELETE", "/api/cameras/van")).status).toBe(204);
  expect(await scrape(running)).not.toContain("camera=");
});

test("The metrics file has the figures of both cameras after a run of either, and each keeps its own totals", async () => {
  await using running = await carAndVan({ settings: SCRAPED });
  const file = join(running.folder, "metrics.prom");
  await running.client.send("PATCH", "/api/settings/metrics", { file });
  await bothAreHome(running);
  for (const id of ["main", "van", "main"]) {
    const { job } = running.app.cameras.of(id) ?? running.app;
    job.start("manual");
    await job.ended();
    const text = await readFile(file, "utf8");
    expect(text).toMatch(EXPOSITION);
    expect(text.match(/^# TYPE dashdock_last_run_success gauge$/gm)).toHaveLength(1);
    expect(valueIn(text, 'dashcam_recordings_seen{camera="main"}')).toBe("4");
    expect(valueIn(text, 'dashcam_recordings_seen{camera="van"}')).toBe("6");
  }
  for (const folder of ["config", join("config", "cameras", "van")])
    expect(existsSync(join(running.folder, folder, "metrics-state.json"))).toBe(true);
});

test("The run that ends because its camera is taken away leaves the figures of the others alone", async () => {
  await using running = await carAndVan();
  const file = join(running.folder, "metrics.prom");
  await running.client.send("PATCH", "/api/settings/metrics", { file });
  await bothAreHome(running);
  const before = await readFile(file, "utf8");
  running.van.card.record("20260607_110000_NF.mp4");
  running.van.card.record("20260607_110100_NF.mp4");
  running.van.rate = 10_000;
  const job = running.app.cameras.of("van")?.job;
  job?.start("manual");
  await running.van.asked(/110000_NF\.mp4$/);
  expect((await running.client.send("DELETE", "/api/cameras/van")).status).toBe(204);
  expect(job?.snapshot.state).toBe("failed");
  expect(await readFile(file, "utf8")).toBe(before);
  running.app.job.start("manual");
  await running.synced();
  const text = await readFile(file, "utf8");
  expect(valueIn(text, "dashcam_recordings_seen")).toBe("4");
  expect(text).not.toContain("camera=");
});

test("Both are pushed in the name of the first camera, so that no push takes away the other's figures", async () => {
  const pushed: { path: string; text: string }[] = [];
  const gateway = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      pushed.push({ path: new URL(request.url).pathname, text: await request.text() });
      return new Response(null, { status: 202 });
    },
  });
  try {
    await using running = await carAndVan();
    await bothAreHome(running);
    await running.client.send("PATCH", "/api/settings/metrics", {
      pushgateway_url: `http://127.0.0.1:${gateway.port}`,
    });
    pushed.length = 0;
    for (const { job } of running.app.cameras.all) job.start("manual");
    for (const { job } of running.app.cameras.all) await job.ended();
    const path = `/metrics/job/dashdock/instance/${encodeURIComponent(running.simulator.address)}`;
    expect(pushed.map((one) => one.path)).toEqual([path, path]);
    for (const { text } of pushed)
      for (const id of ["main", "van"]) expect(valueIn(text, `last_run_success{camera="${id}"}`)).toBe("1");
  } finally {
    await gateway.stop(true);
  }
});

test("A metrics file in the folder of a further camera is refused", async () => {
  await using running = await carAndVan();
  const file = join(running.folder, "van", "metrics.prom");
  const answer = await running.client.send("PATCH", "/api/settings/metrics", { file });
  expect([answer.status, JSON.stringify(await answer.json())]).toEqual([
    422,
    expect.stringContaining(`must be outside of ${join(running.folder, "van")}`),
  ]);
});
