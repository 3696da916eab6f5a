import { expect } from "bun:test";
import { startApp } from "./app.ts";

const TOKEN = "aa11bb22cc33dd44ee55ff66";
/** Labels that Prometheus adds to every sample. */
const ADDED: readonly string[] = ["instance", "job"];

/** Each metric that a service offers after its first sync, with the labels of its samples. */
export async function offeredMetrics(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const settings = { metrics: { scrape: true, scrape_token: TOKEN }, retention: { keep: "" } };
  await using app = await startApp({ settings });
  app.app.job.start("manual");
  await app.synced();
  const answer = await app.client.fetch("/metrics", { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(answer.status).toBe(200);
  const offered = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of (await answer.text()).matchAll(/^(dashdock_\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = offered.get(name) ?? new Set(ADDED);
    for (const [, label = ""] of labels.matchAll(/(\w+)=/g)) known.add(label);
    offered.set(name, known);
  }
  return offered;
}
