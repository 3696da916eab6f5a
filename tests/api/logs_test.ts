import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { LogLine } from "../../server/domain/logs/log_line.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { expectHeaders, play } from "../support/app/scenarios.ts";
import { Frames } from "../support/browser/frames.ts";

setDefaultTimeout(20_000);

interface Recent {
  boot_id: string;
  lines: LogLine[];
  file_path: string;
  capacity: number;
  verbosity: string;
}

async function open(options: Parameters<typeof startApp>[0] = {}): Promise<RunningApp> {
  const running = await startApp(options);
  await running.client.open("/");
  return running;
}

const recent = async ({ client }: RunningApp): Promise<Recent> =>
  (await (await client.fetch("/api/logs/recent")).json()) as Recent;
const change = async ({ client }: RunningApp, fields: unknown) =>
  expect((await client.send("PATCH", "/api/settings/logging", fields)).status).toBe(200);
const texts = (lines: readonly LogLine[]) => lines.map(({ message }) => message);

describe("GET /api/logs/recent", () => {
  test("tells the lines in memory, numbered from 1, and where the rest is", async () => {
    await using running = await open();
    const { lines, ...rest } = await recent(running);
    expect(rest).toEqual({
      boot_id: running.app.bootId,
      file_path: join(running.folder, "config", "logs", "dashdock.log"),
      capacity: 500,
      verbosity: "normal",
    });
    expect(rest.boot_id).toMatch(/^[0-9a-f]{32}$/);
    expect(lines.length).toBeGreaterThan(0);
    for (const [index, line] of lines.entries())
      expect(line).toEqual({
        seq: index + 1,
        ts: expect.stringMatching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z$/),
        level: "INFO",
        level_no: 20,
        logger: expect.any(String),
        message: expect.any(String),
      });
  });

  test("names the verbosity of the settings, quiet before all", async () => {
    await using running = await open();
    for (const [fields, verbosity] of [
      [{ verbose: 1 }, "verbose"],
      [{ verbose: 2 }, "debug"],
      [{ verbose: 7 }, "debug"],
      [{ quiet: true }, "quiet"],
      [{ quiet: false, verbose: 0 }, "normal"],
    ] as const) {
      await change(running, fields);
      expect((await recent(running)).verbosity).toBe(verbosity);
    }
  });

  test("holds what is captured from a change on, without a restart", async () => {
    await using running = await open();
    const { log } = running.app;
    const say = () => {
      log.debug("other", "debug other");
      log.debug("sync", "debug sync");
      log.info("other", "info");
      log.error("other", "error");
    };
    const heard: string[][] = [];
    for (const fields of [{}, { verbose: 1 }, { verbose: 2 }, { quiet: true }]) {
      await change(running, fields);
      const from = log.lines.at(-1)?.seq ?? 0;
      say();
      heard.push(texts((await recent(running)).lines.filter(({ seq }) => seq > from)));
    }
    expect(heard).toEqual([
      ["info", "error"],
      ["debug sync", "info", "error"],
      ["debug other", "debug sync", "info", "error"],
      ["error"],
    ]);
  });

  test("keeps the newest lines when its capacity changes", async () => {
    await using running = await open();
    await change(running, { ring_buffer_capacity: 10 });
    for (let number = 1; number <= 25; number++) running.app.log.info("test", `line ${number}`);
    const { lines, capacity } = await recent(running);
    expect(capacity).toBe(10);
    expect(texts(lines)).toEqual(Array.from({ length: 10 }, (_, index) => `line ${index + 16}`));
    await change(running, { ring_buffer_capacity: 20 });
    running.app.log.info("test", "line 26");
    const kept = texts((await recent(running)).lines);
    expect(kept.length).toBeLessThanOrEqual(20);
    const newest = Array.from({ length: 10 }, (_, index) => `line ${index + 16}`);
    expect(kept.slice(-12)).toEqual([...newest, "The logging settings were changed from 127.0.0.1", "line 26"]);
  });
});

describe("GET /api/logs/stream", () => {
  test("begins with all lines in memory, then sends each new line once", async () => {
    await using running = await open();
    running.app.log.info("test", "before");
    const { boot_id, lines } = await recent(running);
    await using frames = await Frames.open(running.client, "/api/logs/stream");
    expectHeaders(frames.response.headers, {
      "content-type": /^text\/event-stream/,
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    expect(await frames.next()).toEqual({ event: "logs", data: { boot_id, lines } });
    running.app.log.info("test", "one");
    const later: LogLine[] = [];
    const take = async () => {
      const { data } = await frames.until(() => true);
      later.push(...(data["lines"] as LogLine[]));
    };
    await take();
    running.app.log.info("test", "two");
    running.app.log.info("test", "three");
    while (later.length < 3) await take();
    expect(texts(later)).toEqual(["one", "two", "three"]);
  });

  test("begins with an empty frame when there is nothing yet", async () => {
    await using first = await open();
    await using running = await startApp({ folder: first.folder, settings: { logging: { quiet: true } } });
    await using frames = await Frames.open(running.client, "/api/logs/stream");
    const { lines } = await recent(running);
    expect(await frames.next()).toEqual({ event: "logs", data: { boot_id: running.app.bootId, lines } });
  });

  test("goes on after the last line heard, for who has heard this process before", async () => {
    await using running = await open();
    const { log, bootId } = running.app;
    const after = log.lines.at(-1)?.seq ?? 0;
    const first = async (query: string) => {
      await using frames = await Frames.open(running.client, `/api/logs/stream${query}`);
      const { data } = (await frames.next()) ?? {};
      return data?.["lines"] as LogLine[];
    };
    expect(await first(`?boot=${bootId}&after=${after}`)).toEqual([]);
    log.info("test", "missed");
    expect(texts(await first(`?boot=${bootId}&after=${after}`))).toEqual(["missed"]);
    const whole = log.lines.length;
    for (const query of [
      `?boot=${"0".repeat(32)}&after=${after}`,
      `?after=${after}`,
      `?boot=${bootId}`,
      `?boot=${bootId}&after=${after + 999}`,
      `?boot=${bootId}&after=-1`,
      `?boot=${bootId}&after=many`,
    ])
      expect([query, (await first(query)).length]).toEqual([query, whole]);
  });

  test("is refused to who is not signed in, and ends when that changes", async () => {
    await using running = await startApp({ password: "a long enough password" });
    await using frames = await Frames.open(running.client, "/api/logs/stream");
    await frames.next();
    await running.app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, mode: "login" } }));
    await frames.ended();
    await play(running.client, { name: "again", ask: ["GET", "/api/logs/stream"], status: 401 });
  });
});

describe("the log", () => {
  const SECRET = "a-scrape-token-of-twenty";

  test("never holds a secret, wherever it comes from", async () => {
    await using running = await open({ password: "a long enough password" });
    const metrics = { ...running.app.settings.current.metrics, scrape_token: SECRET };
    await running.app.settings.update((latest) => ({ ...latest, metrics }));
    const { password_hash, session_secret } = running.app.settings.current.auth;
    const secrets = [SECRET, password_hash, session_secret];
    for (const secret of secrets) running.app.log.error("test", `it said ${secret} twice: ${secret}`);
    // Secrets in addresses, headers and names that clients send.
    for (const secret of secrets) await running.client.fetch(`/api/nope?token=${encodeURIComponent(secret)}`);
    await running.client.send("POST", "/api/auth/password", {
      current_password: "a long enough password",
      new_password: "another long password",
    });
    const told = texts((await recent(running)).lines).filter((message) => message.startsWith("it said"));
    expect(told).toEqual(secrets.map(() => "it said *** twice: ***"));
    await running.app.logFile.flush();
    const file = await readFile(running.app.logFile.path, "utf8");
    for (const secret of [...secrets, "a long enough password", "another long password"])
      expect([secret, file.includes(secret), JSON.stringify(await recent(running)).includes(secret)]).toEqual([
        secret,
        false,
        false,
      ]);
  });

  test("begins with the end of the file after a restart, and says where", async () => {
    const running = await open();
    running.app.log.info("test", "long before the restart");
    running.app.log.warning("test", "before the restart");
    await running.stop();
    await using again = await startApp({ folder: running.folder });
    again.app.log.info("test", "after the restart");
    await again.client.open("/");
    const { lines } = await recent(again);
    const at = lines.findIndex(({ message }) => message === "before the restart");
    expect(lines[at]?.level).toBe("WARNING");
    expect(lines[at]?.seq).toBeLessThanOrEqual(0);
    expect(lines.filter(({ seq }) => seq > 0)[0]?.seq).toBe(1);
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map(({ seq }) => seq).toSorted((one, other) => one - other));
    const page = await (await again.client.fetch("/logs")).text();
    expect(page.replaceAll(/data-props="[^"]*"/g, "")).toMatch(
      /long before the restart[\s\S]*before the restart[\s\S]*Service restarted[\s\S]*after the restart/,
    );
    await running[Symbol.asyncDispose]();
  });

  test("has one line per message, whatever somebody puts into it", async () => {
    await using running = await open();
    const forged = "a\r\n2026-01-01 00:00:00,000: ERROR forged\u2028b\u0000c\u001b[31m";
    running.app.log.info("test", forged);
    const [line] = texts((await recent(running)).lines).slice(-1);
    expect(line).toBe("a 2026-01-01 00:00:00,000: ERROR forged b c [31m");
    await running.app.logFile.flush();
    const written = (await readFile(running.app.logFile.path, "utf8")).trimEnd().split("\n");
    for (const text of written) expect(text).toMatch(/^[0-9-]{10} [0-9:]{8},[0-9]{3} \+00:00: INFO \S/);
  });

  test("is JSON from the moment that is set", async () => {
    await using running = await open();
    await change(running, { format: "json" });
    running.app.log.info("test", 'a "quoted" line', { event: "file_downloaded", speed_bps: 5 });
    await running.app.logFile.flush();
    const last = (await readFile(running.app.logFile.path, "utf8")).trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(last)).toEqual({
      timestamp: expect.stringMatching(/Z$/),
      level: "INFO",
      logger: "test",
      message: 'a "quoted" line',
      event: "file_downloaded",
      speed_bps: 5,
    });
  });

  test("goes into a file that is nobody else's, and is put aside at its size", async () => {
    await using running = await open();
    const { log, logFile } = running.app;
    await change(running, { file_max_bytes: 1000, file_backup_count: 2 });
    for (let number = 1; number <= 60; number++) {
      log.info("test", `line ${number} ${"x".repeat(80)}`);
      await logFile.flush();
    }
    const folder = join(running.folder, "config", "logs");
    expect((await readdir(folder)).sort()).toEqual(["dashdock.log", "dashdock.log.1", "dashdock.log.2"]);
    for (const name of await readdir(folder)) {
      const { size, mode } = await stat(join(folder, name));
      expect([name, size <= 1000, (mode & 0o777).toString(8)]).toEqual([name, true, "600"]);
    }
    const texts = await Promise.all(["", ".1", ".2"].map((end) => readFile(logFile.path + end, "utf8")));
    const numbers = texts.reverse().flatMap((text) => [...text.matchAll(/line ([0-9]+) /g)].map(([, n]) => Number(n)));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => 61 - numbers.length + index));
  });

  test("leaves no old file when none is to be kept", async () => {
    await using running = await open();
    await change(running, { file_max_bytes: 300, file_backup_count: 0 });
    for (let number = 1; number <= 9; number++) {
      running.app.log.info("test", "x".repeat(80));
      await running.app.logFile.flush();
    }
    expect(await readdir(join(running.folder, "config", "logs"))).toEqual(["dashdock.log"]);
  });
});
