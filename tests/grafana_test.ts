import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import dashboard from "../assets/deploy/grafana.json";
import { type RunningApp, startApp } from "./support/app.ts";

setDefaultTimeout(60_000);

const QUERIES = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
/** What Prometheus adds to every sample. */
const ADDED: readonly string[] = ["instance", "job"];

describe("the Grafana dashboard", () => {
  let app: RunningApp;
  /** Each metric with the labels of its samples. */
  const offered = new Map<string, Set<string>>();
  beforeAll(async () => {
    app = await startApp({
      settings: { metrics: { scrape: true, scrape_token: "aa11bb22cc33dd44ee55ff66" }, retention: { keep: "" } },
    });
    app.app.job.start("manual");
    await app.synced();
    const answer = await app.client.fetch("/metrics", {
      headers: { authorization: "Bearer aa11bb22cc33dd44ee55ff66" },
    });
    expect(answer.status).toBe(200);
    for (const [, name = "", labels = ""] of (await answer.text()).matchAll(/^(dashdock_\w+)(?:\{(.*)\})? \S+$/gm)) {
      const known = offered.get(name) ?? new Set(ADDED);
      for (const [, label = ""] of labels.matchAll(/(\w+)=/g)) known.add(label);
      offered.set(name, known);
    }
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("asks for something in every panel, and no two panels have the same place", () => {
    expect(dashboard.panels.every(({ targets }) => targets.length > 0)).toBe(true);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const places = dashboard.panels.map(({ gridPos: { x, y } }) => `${x},${y}`);
    expect(new Set(places).size).toBe(places.length);
  });

  for (const { title, expr } of QUERIES)
    test(`asks for what /metrics has: ${title}, ${expr}`, () => {
      const [metric = "", ...others] = expr.match(/\bdashdock_\w+/g) ?? [];
      expect(others).toEqual([]);
      expect([...offered.keys()]).toContain(metric);
      const labels = [...expr.matchAll(/(\w+)=~|by \((\w+)\)/g)].map(
        ([, matched, grouped]) => matched ?? grouped ?? "",
      );
      for (const label of labels) expect([...(offered.get(metric) ?? [])]).toContain(label);
      // A counter is told by how much it grew, what is no counter as it is.
      expect([expr, expr.includes("increase(")]).toEqual([expr, metric.endsWith("_total")]);
    });

  test("lets one choose among the services by a metric that each has", () => {
    const [, { query = "" } = {}] = dashboard.templating.list;
    expect([...offered.keys()]).toContain(/^label_values\((\w+), instance\)$/.exec(query)?.[1] ?? "");
  });
});
