import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startApp } from "../support/app.ts";

describe("metrics.file and metrics.state_file", () => {
  test("are refused where they would replace something", async () => {
    await using running = await startApp();
    await running.client.open("/");
    const foreign = join(running.folder, "notes.txt");
    writeFileSync(foreign, "mine");
    const settings = join(running.folder, "config", "settings.json");
    for (const path of [settings, join(running.destination, "a.prom"), foreign])
      for (const key of ["file", "state_file"]) {
        const answer = await running.client.send("PATCH", "/api/settings/metrics", { [key]: path });
        expect([key, path, answer.status]).toEqual([key, path, 422]);
        const { details } = (await answer.json()) as { details: { field_errors: { path: string; message: string }[] } };
        expect(details.field_errors).toEqual([
          {
            path: `metrics.${key}`,
            message: expect.stringMatching(new RegExp(`^metrics.${key} (must be outside|names something)`)),
          },
        ]);
      }
    const good = { file: join(running.folder, "a.prom"), state_file: join(running.folder, "state.json") };
    expect((await running.client.send("PATCH", "/api/settings/metrics", good)).status).toBe(200);
    expect((await running.client.send("PATCH", "/api/settings/metrics", { state_file: "" })).status).toBe(200);
  });

  test("replace nothing when the settings file names such a place", async () => {
    await using running = await startApp();
    const { app, folder, client } = running;
    const foreign = join(folder, "notes.txt");
    writeFileSync(foreign, "mine");
    const settings = join(folder, "config", "settings.json");
    await app.settings.update((latest) => ({
      ...latest,
      metrics: { ...latest.metrics, file: settings, state_file: foreign },
    }));
    const before = readFileSync(settings, "utf8");
    await client.open("/");
    expect((await client.send("POST", "/api/sync/now")).status).toBe(202);
    expect((await running.synced()).state).toBe("completed");
    expect(readFileSync(settings, "utf8")).toBe(before);
    expect(readFileSync(foreign, "utf8")).toBe("mine");
    const warnings = app.log.lines.filter(({ level_no }) => level_no === 30).map(({ message }) => message);
    expect(warnings).toContainEqual(expect.stringContaining("Cannot write the metrics file: its path must be outside"));
    expect(warnings).toContainEqual(expect.stringContaining("the metrics state file: its path names something"));
  });
});
