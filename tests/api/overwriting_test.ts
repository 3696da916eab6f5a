import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startApp } from "../support/app/app.ts";

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

  test("are two files", async () => {
    await using running = await startApp();
    await running.client.open("/");
    const same = join(running.folder, "same.prom");
    const answer = await running.client.send("PATCH", "/api/settings/metrics", { file: same, state_file: same });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("metrics.state_file must not be the file of metrics.file");
  });
});

describe("the recordings folder", () => {
  test("is none of the system, of the settings, of our own files, and no file; nor does it hold the metrics", async () => {
    await using running = await startApp();
    const { client, folder, destination } = running;
    await client.open("/");
    const config = join(folder, "config");
    const file = join(folder, "notes.txt");
    writeFileSync(file, "mine");
    symlinkSync(config, join(folder, "link"));
    symlinkSync("/usr", join(folder, "to-usr"));
    const metrics = { file: join(folder, "next", "a.prom") };
    mkdirSync(join(folder, "next"));
    expect((await client.send("PATCH", "/api/settings/metrics", metrics)).status).toBe(200);
    for (const [path, rule] of [
      ["/", "is a folder of the system"],
      ["/proc/self", "is a folder of the system"],
      ["/dev/null", "is a folder of the system"],
      ["/usr", "is a folder of the system"],
      ["/usr/../etc/dashcam", "is a folder of the system"],
      ["/root", "is a folder of the system"],
      ["/boot/dashcam", "is a folder of the system"],
      [join(folder, "to-usr"), "is a folder of the system"],
      [config, "must be outside of"],
      [join(config, "logs"), "must be outside of"],
      [join(folder, "link"), "must be outside of"],
      [`${destination}/../config`, "must be outside of"],
      [join(destination, ".dashdock", "trash"), "must not lead into .dashdock"],
      [file, "names something that is no folder"],
      [join(folder, "next"), "holds metrics.file"],
    ] as const) {
      const answer = await client.send("PATCH", "/api/settings/system", { destination: path });
      expect([path, answer.status]).toEqual([path, 422]);
      expect(await answer.text()).toContain(`system.destination ${rule}`);
    }
    // A metrics file that a hand edit has put in a wrong place is no reason to refuse another folder.
    await running.app.settings.update((latest) => ({ ...latest, metrics: { ...latest.metrics, file } }));
    const other = await client.send("PATCH", "/api/settings/system", { destination: join(folder, "other") });
    expect(other.status).toBe(200);
  });
});
