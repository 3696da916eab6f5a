import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import dashboard from "../assets/deploy/grafana.json";
import { offeredMetrics } from "./support/app/offered_metrics.ts";

setDefaultTimeout(60_000);

const QUERIES = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

describe("the Grafana dashboard", () => {
  let offered: Awaited<ReturnType<typeof offeredMetrics>>;
  beforeAll(async () => {
    offered = await offeredMetrics();
  });

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
