import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { offeredMetrics } from "./support/app/offered_metrics.ts";
import { startCommand, temporaryPlace } from "./support/app/process.ts";

setDefaultTimeout(60_000);

const FILE = join(import.meta.dir, "../assets/deploy/alerts.yaml");
const PROMTOOL = Bun.which("promtool");
if (PROMTOOL === null)
  console.log("No promtool found: the tests of when the alerts of alerts.yaml fire are skipped (Debian: prometheus).");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
const { groups } = Bun.YAML.parse(await Bun.file(FILE).text()) as { groups: { rules: Rule[] }[] };
const RULES = groups.flatMap(({ rules }) => rules);

/** A metric's values from the epoch on, one each five minutes: what is older than that counts as gone. */
type Series = Readonly<Record<string, string>>;
interface Case {
  readonly alert: string;
  readonly when: string;
  readonly series: Series;
  /** A time at which it has fired. */
  readonly at?: string;
  /** A time at which it has not. */
  readonly notAt?: string;
}

const DAY = 86_400;
const STEP_MINUTES = 5;
const steps = (hours: number) => (hours * 60) / STEP_MINUTES - 1;
/** A value that stands for `hours`. */
const still = (value: number, hours: number) => `${value}+0x${steps(hours)}`;
/** The time itself, for `hours`. */
const growing = (hours: number) => `0+${STEP_MINUTES * 60}x${steps(hours)}`;
const CASES: readonly Case[] = [
  { alert: "DashdockDown", when: "it does not answer", series: { up: still(0, 4) }, at: "2h", notAt: "0m" },
  { alert: "DashdockDown", when: "it answers", series: { up: still(1, 4) }, notAt: "2h" },
  {
    alert: "DashdockDestinationUnknown",
    when: "it is another",
    series: { dashdock_destination_unknown: `${still(0, 1)} ${still(1, 3)}` },
    at: "3h",
    notAt: "1h",
  },
  {
    alert: "DashdockDiskStopsSync",
    when: "the disk ended a run",
    series: { 'dashdock_last_run_failure{reason="disk"}': `${still(0, 1)} ${still(1, 3)}` },
    at: "3h",
    notAt: "1h",
  },
  {
    alert: "DashdockDiskStopsSync",
    when: "the network ended a run",
    series: { 'dashdock_last_run_failure{reason="network"}': still(1, 4) },
    notAt: "3h",
  },
  {
    alert: "DashdockConfigDiskFull",
    when: "it is full",
    series: { dashdock_config_disk_full: `${still(0, 1)} ${still(1, 3)}` },
    at: "3h",
    notAt: "1h",
  },
  {
    alert: "DashdockSyncsFail",
    when: "the camera is seen for days after the last good run",
    series: {
      dashdock_camera_last_seen_timestamp_seconds: growing(60),
      dashdock_last_good_run_timestamp_seconds: still(0, 60),
    },
    at: "44h",
    notAt: "40h",
  },
  {
    alert: "DashdockSyncsFail",
    when: "no run ever went through",
    series: { dashdock_camera_last_seen_timestamp_seconds: still(0, 12) },
    at: "7h",
    notAt: "5h",
  },
  {
    alert: "DashdockSyncsFail",
    when: "the car is away",
    series: {
      dashdock_camera_last_seen_timestamp_seconds: still(60, 200),
      dashdock_last_good_run_timestamp_seconds: still(0, 200),
    },
    notAt: "160h",
  },
  {
    alert: "DashdockNoSyncs",
    when: "none runs",
    series: { dashdock_last_run_timestamp_seconds: still(0, 72) },
    at: "50h",
    notAt: "47h",
  },
  {
    alert: "DashdockNoSyncs",
    when: "they run",
    series: { dashdock_last_run_timestamp_seconds: growing(72) },
    notAt: "70h",
  },
  {
    alert: "DashdockRecordingsWait",
    when: "some wait",
    series: { dashdock_recordings_waiting: still(3, 72) },
    at: "50h",
    notAt: "40h",
  },
  {
    alert: "DashdockRecordingsWait",
    when: "all came home between",
    series: { dashdock_recordings_waiting: `${still(3, 30)} 0 ${still(3, 30)}` },
    notAt: "60h",
  },
  {
    alert: "DashdockCameraAway",
    when: "it is away",
    series: { dashdock_camera_last_seen_timestamp_seconds: still(DAY, 240) },
    at: "200h",
    notAt: "190h",
  },
  {
    alert: "DashdockFilesFail",
    when: "some fail",
    series: { dashdock_failed_marker_files: still(2, 100) },
    at: "80h",
    notAt: "70h",
  },
];

/** With the labels that Prometheus adds. */
function labelled(name: string): string {
  const [metric = "", own = ""] = name.split(/[{}]/);
  return `${metric}{${['job="dashdock"', 'instance="nas:8080"', ...(own === "" ? [] : [own])].join(", ")}}`;
}

describe("the alert rules", () => {
  let offered: Awaited<ReturnType<typeof offeredMetrics>>;
  beforeAll(async () => {
    offered = await offeredMetrics();
  });

  test("are for metrics and labels that /metrics has", () => {
    for (const { alert, expr } of RULES) {
      for (const [name] of expr.matchAll(/\bdashdock_\w+/g))
        expect([alert, name, offered.has(name)]).toEqual([alert, name, true]);
      for (const [, name = "", label = ""] of expr.matchAll(/\b(dashdock_\w+)\{(\w+)=/g))
        expect([name, label, offered.get(name)?.has(label)]).toEqual([name, label, true]);
    }
  });

  test("cover all that an alarm needs", () => {
    const used = new Set(RULES.flatMap(({ expr }) => expr.match(/\bdashdock_\w+/g) ?? []));
    for (const name of [
      "recordings_waiting",
      "camera_last_seen_timestamp_seconds",
      "last_good_run_timestamp_seconds",
      "config_disk_full",
      "destination_unknown",
    ])
      expect([name, used.has(`dashdock_${name}`)]).toEqual([name, true]);
  });

  test("have names of their own, a severity, and two sentences at most that say what to do", () => {
    expect(new Set(RULES.map(({ alert }) => alert)).size).toBe(RULES.length);
    for (const { labels, annotations } of RULES) {
      expect(labels.severity).toMatch(/^(critical|warning|info)$/);
      expect(annotations.summary).toMatch(/^[A-Z][^.]+$/);
      expect(annotations.description.match(/\.(?: |$)/g)?.length).toBeLessThanOrEqual(2);
    }
  });

  test("are each tried below", () => {
    expect([...new Set(CASES.map(({ alert }) => alert))].toSorted()).toEqual(
      RULES.map(({ alert }) => alert).toSorted(),
    );
  });
});

describe.skipIf(PROMTOOL === null)("promtool", () => {
  test("finds nothing wrong with the alert rules", async () => {
    await using place = await temporaryPlace();
    const { code, out, err } = await startCommand([PROMTOOL ?? "", "check", "rules", FILE], { cwd: place.cwd }).ended;
    expect([code, out + err]).toEqual([0, expect.stringContaining(`${RULES.length} rules found`)]);
  });

  test.each(CASES)("$alert fires as it should when $when", async ({ alert, series, at, notAt }) => {
    const rule = RULES.find((one) => one.alert === alert);
    if (!rule) throw new Error(`There is no ${alert}`);
    const { annotations, labels } = rule;
    // An alert carries the labels of its first series, and the value goes into its text.
    const [first = ""] = Object.keys(series);
    const own = /(\w+)="(\w+)"/.exec(first);
    const [value = ""] = (series[first] ?? "").split(/[ +]/);
    const fired = {
      exp_labels: { ...labels, job: "dashdock", instance: "nas:8080", ...(own ? { [own[1] ?? ""]: own[2] } : {}) },
      exp_annotations: Object.fromEntries(
        Object.entries(annotations).map(([name, text]) => [
          name,
          text.replace("{{ $labels.instance }}", "nas:8080").replace(/\{\{ \$value .*?\}\}/, value),
        ]),
      ),
    };
    const unit = {
      rule_files: [FILE],
      evaluation_interval: `${STEP_MINUTES}m`,
      tests: [
        {
          interval: `${STEP_MINUTES}m`,
          input_series: Object.entries(series).map(([name, values]) => ({ series: labelled(name), values })),
          alert_rule_test: [
            ...(at ? [{ eval_time: at, alertname: alert, exp_alerts: [fired] }] : []),
            ...(notAt ? [{ eval_time: notAt, alertname: alert, exp_alerts: [] }] : []),
          ],
        },
      ],
    };
    await using place = await temporaryPlace();
    // JSON is YAML.
    await Bun.write(place.at("unit.yaml"), JSON.stringify(unit));
    const { code, out, err } = await startCommand([PROMTOOL ?? "", "test", "rules", place.at("unit.yaml")], {
      cwd: place.cwd,
    }).ended;
    expect([code, code === 0 ? "" : out + err]).toEqual([0, ""]);
  });
});
