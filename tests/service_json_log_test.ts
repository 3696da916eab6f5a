import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { type Place, temporaryPlace } from "./support/app/process.ts";
import { call, LISTENING, putSettings, serve, serveArgs, untoldArgs } from "./support/app/service.ts";

setDefaultTimeout(20_000);

const JSON_LOG = { LOG_FORMAT: "json" };

let place: Place;
beforeEach(async () => {
  place = await temporaryPlace();
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

/** The lines of a log in JSON, each with all that every line has. */
function linesOf(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const read = JSON.parse(line);
      expect({ ...read }).toMatchObject({
        timestamp: expect.stringMatching(/^[0-9-]+T[0-9:.]+Z$/),
        level: expect.stringMatching(/^(DEBUG|INFO|WARNING|ERROR)$/),
        logger: expect.any(String),
        message: expect.any(String),
      });
      return read;
    });
}

test("LOG_FORMAT=json holds for every line from the first one on, but for the one that says where it listens", async () => {
  await mkdir(place.at("config"), { mode: 0o755 });
  // Told of before the settings are loaded.
  await writeFile(place.at("config", "retention.json"), "{");
  await using service = await serve(place, [], { env: { ...JSON_LOG, CRON: "0 * * * *", SERVICE_TIMEZONE: "UTC" } });
  service.running.signal("SIGTERM");
  const { code, out, err } = await service.running.ended;
  expect([code, out.replace(LISTENING, "")]).toEqual([0, ""]);
  const messages = linesOf(err).map(({ message }) => message);
  for (const part of ["retention.json is damaged", "CRON (", "asks for this code", "Stopping"])
    expect(messages).toContainEqual(expect.stringContaining(part));
  linesOf(await Bun.file(place.at("config", "logs", "dashdock.log")).text());
});

test("the settings file says the form of later starts, whatever the environment says", async () => {
  putSettings(place, { version: 2, logging: { format: "json" } });
  await writeFile(place.at("config", "retention.json"), "{");
  await using service = await serve(place, [], { env: { LOG_FORMAT: "text" } });
  service.running.signal("SIGTERM");
  expect(linesOf((await service.running.ended).err).length).toBeGreaterThan(2);
});

test("a start that fails says why in JSON, too", async () => {
  const busy = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  try {
    const failing: [args: string[], env: Record<string, string>, message: string][] = [
      [[...serveArgs(place), "--port", `${busy.port}`], {}, "Dashdock cannot listen: "],
      [[...serveArgs(place), "--port", "none"], {}, "--port must be"],
      [[...untoldArgs(place), "--destination", "/usr/recordings"], {}, "--destination /usr/recordings "],
      [serveArgs(place), { PUID: "none" }, "PUID"],
      [["serve", "--config", place.at("other"), "--port", "0"], { KEEP: "soon" }, "Dashdock cannot start: KEEP"],
    ];
    for (const [args, env, message] of failing) {
      await using running = call(place, args, { env: { ...JSON_LOG, ...env } });
      const { code, out, err } = await running.ended;
      expect([code, out]).toEqual([2, ""]);
      expect(linesOf(err).at(-1)).toMatchObject({ level: "ERROR", message: expect.stringContaining(message) });
    }
    putSettings(place, "{");
    await using running = call(place, serveArgs(place), { env: JSON_LOG });
    expect(linesOf((await running.ended).err).at(-1)?.["message"]).toStartWith("Dashdock cannot start: ");
  } finally {
    busy.stop(true);
  }
});
