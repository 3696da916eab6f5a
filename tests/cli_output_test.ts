import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { SimulatedCard, syntheticFootage } from "../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator } from "../server/dashcam/simulator/simulator.ts";
import {
  dashdock,
  type Ended,
  type Place,
  shellWords,
  startCommand,
  temporaryPlace,
  treeOf,
} from "./support/app/process.ts";

const FIRST = "20240607_101500_NF.mp4";
const SECOND = "20240607_101600_PF.mp4";
const COMPANIONS = ["20240607_101500_NF.thm", "20240607_101500_N.3gf", "20240607_101500_N.gps"];
/** Prefix of a line of the log. */
const STAMP =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2},[0-9]{3} [+-][0-9:]{5}: (DEBUG|INFO|WARNING|ERROR) \S/;

let place: Place;
let camera: Simulator;
beforeEach(async () => {
  place = await temporaryPlace();
  const card = new SimulatedCard(syntheticFootage(100_000));
  for (const name of [FIRST, SECOND]) card.record(name);
  camera = await openSimulator({ card });
});
afterEach(async () => {
  await camera.close();
  await place[Symbol.asyncDispose]();
});

function sync(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return dashdock(["sync", camera.address, "-d", place.at("home"), ...args], { cwd: place.cwd, env });
}

const linesOf = (text: string) => text.split("\n").slice(0, -1);

describe("what sync says", () => {
  test("without a terminal: its start, each recording and a summary on standard output, nothing on the other", async () => {
    const { code, out, err } = await sync([]);
    expect([code, err]).toEqual([0, ""]);
    const [start, ...others] = linesOf(out);
    expect(start).toBe(`Sync started: camera ${camera.address}`);
    // A line comes when its recording is safely written, which a later one may be before.
    const [first, second, ...rest] = others.slice(0, -1).toSorted();
    const summary = others.at(-1);
    expect(first).toMatch(new RegExp(`^Downloaded ${FIRST}: 100\u00a0kB at [0-9.]+\u00a0[kM]?B/s$`));
    expect(second).toStartWith(`Downloaded ${SECOND}: `);
    expect(summary).toMatch(
      /^Sync finished: 8\u00a0files \([0-9]+\u00a0kB\) came home in (?:[0-9]+\u00a0s|under a second)$/,
    );
    expect(rest).toEqual([]);
    expect(out).not.toContain("\x1b");
    expect(linesOf((await sync([])).out).at(-1)).toBe("Sync finished: nothing new, 8 already here");
  });

  test("with --quiet nothing, until there is an error", async () => {
    expect(await sync(["--quiet"])).toEqual({ code: 0, out: "", err: "" });
    camera.fault("list-500");
    const { code, out, err } = await sync(["-q"]);
    expect([code, out]).toEqual([2, ""]);
    expect(linesOf(err)).toEqual([expect.stringMatching(/: ERROR Sync failed: /)]);
  });

  test("with --cron the recordings that came home, and nothing at all when there are none", async () => {
    const { code, out, err } = await sync(["--cron"]);
    expect([code, out]).toEqual([0, ""]);
    expect(linesOf(err)).toHaveLength(2);
    for (const name of [FIRST, SECOND]) expect(err).toContain(`Downloaded ${name}`);
    expect(await sync(["--cron"])).toEqual({ code: 0, out: "", err: "" });
  });

  test("with --cron the files that failed, each in one line", async () => {
    camera.fault({ name: "error-500", match: new RegExp(FIRST) });
    const { code, out, err } = await sync(["--cron"]);
    expect([code, out]).toEqual([0, ""]);
    expect(linesOf(err)).toEqual([
      expect.stringMatching(new RegExp(`WARNING Failed ${FIRST}: .*500`)),
      expect.stringContaining(`Downloaded ${SECOND}`),
    ]);
  });

  for (const args of [["-v"], ["--verbose"]])
    test(`with ${args} the log from INFO on, on standard error`, async () => {
      const { out, err } = await sync(args);
      expect(out).toBe("");
      for (const line of linesOf(err)) expect(line).toMatch(STAMP);
      expect(linesOf(err)).toHaveLength(4);
      expect(err).not.toContain("DEBUG");
      for (const name of COMPANIONS) expect(err).not.toContain(name);
    });

  for (const args of [["-vv"], ["-v", "-v"], ["--verbose", "--verbose"], ["-vvv"]])
    test(`with ${args.join(" ")} everything`, async () => {
      const { out, err } = await sync(args);
      expect(out).toBe("");
      for (const line of linesOf(err)) expect(line).toMatch(STAMP);
      for (const name of COMPANIONS) expect(err).toContain(`DEBUG Downloaded ${name}`);
    });

  test("with --log-format json lines that parse, in every mode and on both outputs", async () => {
    camera.fault({ name: "error-500", match: new RegExp(FIRST) });
    const events = new Set<unknown>();
    for (const args of [["-vv"], ["--cron"], []]) {
      const { out, err } = await sync(["--log-format", "json", "--retry-failed-after", "1s", ...args]);
      for (const line of linesOf(out + err)) events.add(readLine(line)["event"]);
    }
    for (const event of [
      "sync_started",
      "recording_downloaded",
      "file_downloaded",
      "file_download_failed",
      "sync_finished",
    ])
      expect(events).toContain(event);
  });

  test("with LOG_FORMAT=json as well, unless an option says otherwise", async () => {
    const json = { LOG_FORMAT: "json" };
    const { out, err } = await sync([], json);
    expect(linesOf(out).map((line) => readLine(line)["event"])).toEqual([
      ...["sync_started", "recording_downloaded", "recording_downloaded", "sync_finished"],
    ]);
    expect(err).toBe("");
    expect((await sync(["--log-format", "text"], json)).out).toStartWith("Sync started: ");
    const wrong = await sync([], { LOG_FORMAT: "xml" });
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/^LOG_FORMAT /)]);
  });

  test("in json also why it does not begin", async () => {
    await mkdir(place.at("home/.dashdock"), { recursive: true });
    await writeFile(place.at("home/.dashdock/format"), "99\n");
    for (const [args, env] of [
      [["--log-format", "json"], {}],
      [["--log-format=json"], {}],
      [[], { LOG_FORMAT: "json" }],
      [["--log-format", "json", "--keep", "soon"], {}],
      [["--nothing", "--log-format", "json"], {}],
      [[], { LOG_FORMAT: "json", PUID: "none" }],
    ] as [string[], Record<string, string>][]) {
      const { code, out, err } = await sync(args, env);
      expect([code, out, linesOf(err).map((line) => readLine(line)["level"])]).toEqual([2, "", ["ERROR"]]);
    }
  });

  for (const form of [[], ["-v"], ["--log-format", "json"]])
    test(`${["into a pipe that is closed ends it without a word", ...form].join(" ")}`, async () => {
      const card = new SimulatedCard(syntheticFootage(100_000));
      for (let minute = 10; minute < 40; minute++) card.record(`20240607_10${minute}00_NF.mp4`);
      await using slow = await openSimulator({ card, rate: 400_000 });
      const words = shellWords(["sync", slow.address, "-d", place.at("home"), ...form]);
      // The log of -v is on standard error.
      const command = `{ { ${words} 3>&-; echo $? >&3; } ${form.includes("-v") ? "2>&1" : ""} | head -n 1; } 3>&1`;
      await using running = startCommand(["sh", "-c", command], { cwd: place.cwd });
      const { out, err } = await running.ended;
      expect(err).toBe("");
      expect(out).toEndWith("\n1\n");
      expect(linesOf(out)).toHaveLength(2);
      const videos = (await treeOf(place.at("home")))?.filter((path) => /^2.*mp4$/.test(path)) ?? [];
      expect(videos.length).toBeLessThan(30);
    });
});

/** A line in JSON that has what each has. */
function readLine(line: string): Record<string, unknown> {
  const read = JSON.parse(line);
  expect(new Date(read.timestamp).toISOString()).toBe(read.timestamp);
  expect({ ...read }).toMatchObject({
    level: expect.stringMatching(/^(DEBUG|INFO|WARNING|ERROR)$/),
    logger: expect.any(String),
    message: expect.any(String),
  });
  return read;
}

describe("metrics", () => {
  /** A push gateway that notes what it is given, or a proxy that the command must not use. */
  function gateway(status = 200) {
    const seen: { method: string; path: string; type: string | null; body: string }[] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const { method, headers, url } = request;
        const path = url.slice(new URL(url).origin.length);
        seen.push({ method, path, type: headers.get("content-type"), body: await request.text() });
        return new Response("", { status });
      },
    });
    return { seen, url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) };
  }

  test("go into --metrics-file, and the time of the last file into the destination", async () => {
    const file = place.at("dashdock.prom");
    expect((await sync(["--metrics-file", file])).code).toBe(0);
    const text = await readFile(file, "utf8");
    for (const line of ["dashdock_last_run_success 1", "dashdock_files_downloaded_last_run 8"])
      expect(text).toContain(`\n${line}\n`);
    expect((await treeOf(place.home))?.filter((path) => !path.startsWith("home"))).toEqual(["dashdock.prom"]);
    const state = JSON.parse(await readFile(place.at("home/.dashdock.metrics-state.json"), "utf8"));
    const pulled = state.last_successful_file_pull_timestamp_seconds;
    expect(text).toContain(`dashdock_last_successful_file_pull_timestamp_seconds ${pulled}\n`);
    await sync(["--metrics-file", file]);
    const again = await readFile(file, "utf8");
    expect(again).toContain("dashdock_files_downloaded_last_run 0\n");
    expect(again).toContain(`dashdock_last_successful_file_pull_timestamp_seconds ${pulled}\n`);
  });

  test("are pushed under job and instance, the address when none is given", async () => {
    await using collector = gateway();
    const push = ["--metrics-pushgateway-url", `${collector.url}//`];
    const named = ["--metrics-job", "a b", "--metrics-instance", "dash/cam", "--metrics-state-file", place.at("state")];
    expect((await sync([...push, ...named])).code).toBe(0);
    expect((await sync(push)).code).toBe(0);
    expect(collector.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "PUT /metrics/job/a%20b/instance/dash%2Fcam",
      `PUT /metrics/job/dashdock/instance/${encodeURIComponent(camera.address)}`,
    ]);
    expect(collector.seen[0]?.type).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(collector.seen[0]?.body).toContain("dashdock_files_downloaded_last_run 8\n");
    expect(existsSync(place.at("state"))).toBe(true);
  });

  test("tell of a failed run too, with its reason", async () => {
    camera.fault("list-500");
    const file = place.at("dashdock.prom");
    expect((await sync(["--metrics-file", file])).code).toBe(2);
    const text = await readFile(file, "utf8");
    expect(text).toContain("dashdock_last_run_success 0\n");
    expect(text).toContain('dashdock_last_run_failure{reason="http"} 1\n');
  });

  test("that cannot be delivered are a warning and change nothing", async () => {
    await using refusing = gateway(500);
    for (const target of [
      ["--metrics-file", place.at("no/such/folder/file")],
      ["--metrics-pushgateway-url", refusing.url],
      ["--metrics-pushgateway-url", "http://127.0.0.1:1"],
    ]) {
      const { code, err } = await sync(target);
      expect(code).toBe(0);
      expect(linesOf(err)).toEqual([expect.stringMatching(/: WARNING Cannot (write the metrics file|push metrics)/)]);
    }
  });

  test("a state file that is damaged is a warning, and repaired", async () => {
    await mkdir(place.at("home"));
    for (const text of ["{", "[]", "7", ""]) {
      await writeFile(place.at("home/.dashdock.metrics-state.json"), text);
      expect((await sync(["--metrics-file", place.at("file")])).code).toBe(0);
    }
  });

  test("proxy variables are ignored, for the camera and for metrics", async () => {
    await using proxy = gateway();
    await using collector = gateway();
    const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
    const env = Object.fromEntries(names.map((name) => [name, proxy.url]));
    const { code, out } = await sync(["--metrics-pushgateway-url", collector.url], env);
    expect([code, out]).toEqual([0, expect.stringContaining("8\u00a0files")]);
    expect(collector.seen).toHaveLength(1);
    expect(proxy.seen).toEqual([]);
  });

  test("the affinity key goes to the camera and not to the collector", async () => {
    const keys: (string | null)[] = [];
    const other = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ headers }) => {
        keys.push(headers.get("x-affinity-key"));
        return new Response("v:1.00\r\n");
      },
    });
    const url = `http://127.0.0.1:${other.port}`;
    const args = ["sync", `127.0.0.1:${other.port}`, "-d", place.at("home"), "--metrics-pushgateway-url", url];
    await dashdock([...args, "--affinity-key", "one of many"], { cwd: place.cwd });
    await dashdock([...args, "--affinity-key", ""], { cwd: place.cwd });
    await other.stop(true);
    // The camera is asked for its interface and for its list.
    expect(keys).toEqual(["one of many", "one of many", null, null, null, null]);
  });
});
