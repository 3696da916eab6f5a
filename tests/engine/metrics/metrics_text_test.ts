import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import {
  type MetricsTargets,
  pushAddress,
  type RunMetrics,
  renderMetrics,
} from "../../../server/engine/metrics/metrics_text.ts";
import { onBothInterfaces } from "../../support/app/interfaces.ts";
import { FILES_OF, SyncBench } from "../../support/app/sync.ts";

const METRICS: RunMetrics = {
  run: {
    ts: 1_780_000_000.25,
    success: false,
    exitCode: 1,
    durationSeconds: 12.5,
    files: 3,
    bytes: 4_000_000,
    recordingsSeen: 10,
    recordingsSelected: 7,
    diskUsedRatio: 0.625,
    failedMarkers: 2,
    failures: { ...noFailures(), http: 2, disk: 1 },
    dryRun: false,
  },
  reason: "disk",
  fileFailures: { ...noFailures(), http: 2 },
  lastPullAt: 1_779_999_999,
};

const byReason = (name: string, help: string, values: Partial<Record<string, number>>) =>
  `# HELP dashdock_${name} ${help}\n# TYPE dashdock_${name} gauge\n${["disk", "http", "network", "timeout", "unknown"]
    .map((reason) => `dashdock_${name}{reason="${reason}"} ${values[reason] ?? 0}\n`)
    .join("")}`;
const one = (name: string, help: string, value: number) =>
  `# HELP dashdock_${name} ${help}\n# TYPE dashdock_${name} gauge\ndashdock_${name} ${value}\n`;

test("renderMetrics() writes every gauge with its help, its type and all five reasons, and nothing else", () => {
  expect(renderMetrics(METRICS)).toBe(
    [
      one("last_run_timestamp_seconds", "End of the latest run.", 1_780_000_000.25),
      one("last_run_success", "1 when the latest run went through.", 0),
      one("last_run_exit_code", "Exit code of the latest run.", 1),
      byReason("last_run_failure", "1 for the reason that ended the latest run.", { disk: 1 }),
      one("last_successful_file_pull_timestamp_seconds", "Latest file that came home.", 1_779_999_999),
      byReason("file_download_failures_last_run", "Failed files of the latest run.", { http: 2 }),
      one("files_downloaded_last_run", "Files that came home in the latest run.", 3),
      one("run_duration_seconds", "Duration of the latest run.", 12.5),
      one("dashcam_recordings_seen", "Recordings on the camera's list.", 10),
      one("recordings_selected", "Recordings that the rules let through.", 7),
      one("bytes_downloaded_last_run", "Bytes transferred in the latest run.", 4_000_000),
      one("destination_disk_used_ratio", "Use of the destination's disk, 0 to 1.", 0.625),
      one("failed_marker_files", "Failure markers below the destination.", 2),
    ].join(""),
  );
});

test("renderMetrics() writes 0 for what is not known", () => {
  const text = renderMetrics({
    ...METRICS,
    lastPullAt: null,
    reason: null,
    run: { ...METRICS.run, diskUsedRatio: null },
  });
  expect(text).toContain("dashdock_last_successful_file_pull_timestamp_seconds 0\n");
  expect(text).toContain("dashdock_destination_disk_used_ratio 0\n");
  expect(text).not.toMatch(/NaN|null|undefined|Infinity/);
  for (const line of text.trimEnd().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) dashdock_|dashdock_[a-z_]+({reason="[a-z]+"})? [0-9.]+$)/);
});

test.each([
  ["http://gate:9091", "cam", "one", "http://gate:9091/metrics/job/cam/instance/one"],
  ["http://gate:9091///", "a b", "dash/cam", "http://gate:9091/metrics/job/a%20b/instance/dash%2Fcam"],
  [
    "https://gate/base/",
    "é?",
    "10.0.0.5:8080#1",
    "https://gate/base/metrics/job/%C3%A9%3F/instance/10.0.0.5%3A8080%231",
  ],
])("pushAddress() of %s for %s and %s", (url, job, instance, address) => {
  expect(pushAddress(url, job, instance)).toBe(address);
});

interface Seen {
  method: string;
  path: string;
  type: string | null;
  body: string;
}

/** A push gateway that keeps what it was sent. */
function openGateway(status = 202) {
  const seen: Seen[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = await request.text();
      seen.push({ method: request.method, path: pathname, type: request.headers.get("content-type"), body });
      return new Response("", { status, headers: status === 302 ? { Location: "/elsewhere" } : {} });
    },
  });
  return { seen, url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) };
}

function metricsOf(bench: SyncBench, targets: Partial<MetricsTargets>) {
  const folder = join(dirname(bench.destination), "metrics");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "dashdock.prom");
  const stateFile = join(folder, "state.json");
  const all = { file: null, pushgatewayUrl: null, job: "a b", instance: "dash/cam", timeoutMs: 2000, ...targets };
  return { folder, file, stateFile, metrics: { targets: all, stateFile } };
}

onBothInterfaces((generation) => {
  describe("a sync with metrics", () => {
    test("writes the file in one step and leaves nothing beside it", async () => {
      await using bench = await SyncBench.open({ generation });
      const { folder, file } = metricsOf(bench, {});
      const { metrics } = metricsOf(bench, { file });
      writeFileSync(file, "of the run before\n");
      const inode = statSync(file).ino;
      const result = await bench.sync({ metrics });
      const text = readFileSync(file, "utf8");
      expect(text).toContain("dashdock_last_run_success 1\n");
      expect(text).toContain(`dashdock_files_downloaded_last_run ${FILES_OF[generation]}\n`);
      expect(text).toContain(`dashdock_bytes_downloaded_last_run ${result.run.bytes}\n`);
      expect(statSync(file).ino).not.toBe(inode);
      expect(statSync(file).mode & 0o777).toBe(0o644);
      expect(readdirSync(folder).sort()).toEqual(["dashdock.prom", "state.json"]);
    });

    test("pushes the same text, with job and instance encoded into the address only", async () => {
      await using bench = await SyncBench.open({ generation });
      await using gateway = openGateway();
      const { file } = metricsOf(bench, {});
      await bench.sync({ metrics: metricsOf(bench, { file, pushgatewayUrl: `${gateway.url}/` }).metrics });
      expect(gateway.seen).toEqual([
        {
          method: "PUT",
          path: "/metrics/job/a%20b/instance/dash%2Fcam",
          type: "text/plain; version=0.0.4; charset=utf-8",
          body: readFileSync(file, "utf8"),
        },
      ]);
    });

    test("tells of a run that failed, too", async () => {
      await using bench = await SyncBench.open({ generation, faults: ["list-500"] });
      const { file } = metricsOf(bench, {});
      await bench.sync({ metrics: metricsOf(bench, { file }).metrics });
      const text = readFileSync(file, "utf8");
      expect(text).toContain("dashdock_last_run_success 0\n");
      expect(text).toContain('dashdock_last_run_failure{reason="http"} 1\n');
      expect(text).toContain('dashdock_file_download_failures_last_run{reason="http"} 0\n');
    });

    test("says when the last file came home, also in later runs without one", async () => {
      await using bench = await SyncBench.open({ generation });
      const { file, stateFile } = metricsOf(bench, {});
      const { metrics } = metricsOf(bench, { file });
      const pulled = () =>
        /^dashdock_last_successful_file_pull_timestamp_seconds (.*)$/m.exec(readFileSync(file, "utf8"))?.[1];
      writeFileSync(stateFile, '{"last_successful_file_pull_timestamp_seconds": 1234.5, "another": "key"}\n');
      await bench.simulator.goAway();
      await bench.sync({ metrics });
      expect(pulled()).toBe("1234.5");
      await bench.simulator.comeBack();
      const { lastPullAt } = await bench.sync({ metrics });
      expect(lastPullAt).toBeGreaterThan(Date.now() / 1000 - 60);
      expect(pulled()).toBe(String(lastPullAt));
      await bench.sync({ metrics });
      expect(pulled()).toBe(String(lastPullAt));
      expect(JSON.parse(readFileSync(stateFile, "utf8"))).toMatchObject({
        last_successful_file_pull_timestamp_seconds: lastPullAt,
        another: "key",
      });
    });

    test("does not take a dry run for a file that came home", async () => {
      await using bench = await SyncBench.open({ generation });
      const { file, folder } = metricsOf(bench, {});
      await bench.sync({ dryRun: true, metrics: metricsOf(bench, { file }).metrics });
      expect(readFileSync(file, "utf8")).toContain("dashdock_files_downloaded_last_run 0\n");
      expect(readdirSync(folder)).toEqual(["dashdock.prom"]);
    });

    test.each(["[]", "7", "null", '"text"', "{", ""])("begins a damaged state file anew: %s", async (content) => {
      await using bench = await SyncBench.open({ generation });
      const { file, stateFile } = metricsOf(bench, {});
      writeFileSync(stateFile, content);
      const result = await bench.sync({ metrics: metricsOf(bench, { file }).metrics, include: ["EF"] });
      expect(result.failure).toBeNull();
      expect(bench.told("WARNING")).toEqual([expect.stringMatching(/metrics state .* is damaged/)]);
      expect(JSON.parse(readFileSync(stateFile, "utf8"))).toMatchObject({
        last_successful_file_pull_timestamp_seconds: result.lastPullAt,
      });
    });
  });
});

describe("trouble with metrics is a warning and never changes the run", () => {
  const rows: { what: string; targets: Partial<MetricsTargets>; warning: RegExp }[] = [
    {
      what: "no folder for the file",
      targets: { file: "/nowhere/at/all.prom" },
      warning: /Cannot write the metrics file \(ENOENT\)/,
    },
    {
      what: "nobody listens",
      targets: { pushgatewayUrl: "http://127.0.0.1:1" },
      warning: /Cannot push metrics: no answer/,
    },
    { what: "an address of another kind", targets: { pushgatewayUrl: "ftp://gate" }, warning: /must begin with http/ },
    { what: "no address at all", targets: { pushgatewayUrl: "gate" }, warning: /must begin with http/ },
  ];
  test.each(rows)("$what", async ({ targets, warning }) => {
    await using bench = await SyncBench.open();
    const result = await bench.sync({ metrics: metricsOf(bench, targets).metrics, include: ["EF"] });
    expect(result.run).toMatchObject({ success: true, exitCode: 0 });
    expect(bench.told("WARNING", "ERROR")).toEqual([expect.stringMatching(warning)]);
  });

  test.each([400, 500, 302])("the gateway answers %d", async (status) => {
    await using bench = await SyncBench.open();
    await using gateway = openGateway(status);
    const result = await bench.sync({
      metrics: metricsOf(bench, { pushgatewayUrl: gateway.url }).metrics,
      include: ["EF"],
    });
    expect(result.failure).toBeNull();
    expect(bench.told("WARNING")).toEqual([`Cannot push metrics: the push gateway answered with status ${status}`]);
    expect(gateway.seen.map(({ path }) => path)).not.toContain("/elsewhere");
  });

  test("the gateway never answers", async () => {
    await using bench = await SyncBench.open();
    bench.simulator.fault({ name: "never-answers", match: /metrics/ });
    const { metrics } = metricsOf(bench, { pushgatewayUrl: bench.simulator.url, timeoutMs: 300 });
    const result = await bench.sync({ metrics, include: ["EF"] });
    expect(result.failure).toBeNull();
    expect(bench.told("WARNING")).toEqual(["Cannot push metrics: no answer"]);
  });
});
