import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configFiles } from "../../server/dashcam/simulator/simulated_config.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";

setDefaultTimeout(30_000);

const config = async ({ client }: RunningApp) => (await client.fetch("/api/camera/config")).json();
const changesOf = async ({ client }: RunningApp) => (await client.fetch("/api/camera/changes")).json();
const tested = async (running: RunningApp, path: string) => {
  const answer = await running.client.fetch(path);
  return { status: answer.status, caching: answer.headers.get("cache-control"), body: await answer.json() };
};
const bytes = (text: string) => new TextEncoder().encode(text);

describe("the camera's settings", () => {
  test("are read live, kept for when it is away, and never written to it", async () => {
    await using running = await startApp();
    const { simulator, folder } = running;
    await simulator.goAway();
    expect(await config(running)).toEqual({ available: false, online: false });
    expect(await tested(running, "/api/camera/secret?key=Cloud.sta_pw")).toMatchObject({ status: 404 });
    await simulator.comeBack();
    const live = await config(running);
    expect(Object.keys(live)).toEqual(["available", "online", "read_at", "model", "firmware", "tabs", "changed"]);
    expect(live).toMatchObject({ available: true, online: true, model: "DR900X Plus", firmware: "1.015", changed: [] });
    expect(live.read_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/);
    expect(live.tabs[2].fields.find(({ key }: { key: string }) => key === "Tab3.VOLUME")).toEqual({
      key: "Tab3.VOLUME",
      label: "Volume",
      value: "5",
      raw: "5",
      secret: false,
      has_value: true,
      formats_card: false,
      help: "",
    });
    await simulator.goAway();
    expect(await config(running)).toEqual({ ...live, online: false });
    expect(new Set(simulator.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    const kept = join(folder, "config", "camera");
    expect(readFileSync(join(kept, "config.ini"))).toEqual(Buffer.from(configFiles().config));
    expect([kept, ...["config.ini", "snapshot.json"].map((name) => join(kept, name))].map(modeOf)).toEqual([
      0o700, 0o600, 0o600,
    ]);
  });

  test("are known after a restart, with permissions that were widened narrowed again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-camera-"));
    const place = join(folder, "config", "camera");
    const before = await (async () => {
      await using running = await startApp({ folder });
      return await config(running);
    })();
    await chmod(join(place, "config.ini"), 0o644);
    await using running = await startApp({ folder });
    await running.simulator.goAway();
    expect(await config(running)).toEqual({ ...before, online: false });
    expect(modeOf(join(place, "config.ini"))).toBe(0o600);
    expect(running.app.log.lines.some(({ message }) => message.startsWith("tightening permissions of"))).toBe(true);
    await running.stop();
    for (const broken of ['{"read_at": 5', '{"model": null, "firmware": null}', null]) {
      if (broken === null) rmSync(join(place, "snapshot.json"));
      else writeFileSync(join(place, "snapshot.json"), broken);
      await using other = await startApp({ folder });
      await other.simulator.goAway();
      expect([broken, await config(other)]).toEqual([broken, { available: false, online: false }]);
      await other.stop();
    }
    rmSync(folder, { recursive: true });
  });

  test.each<[string, Uint8Array]>([
    ["a page", bytes("<!doctype html>\n<html>\nlang=1\n</html>")],
    ["nothing", bytes("")],
    ["no key", bytes("[Tab1]\nhello")],
    ["more than any camera's file", bytes(`[Tab1]\n${"A=1\n".repeat(400_000)}`)],
  ])("are not taken from %s", async (_, file) => {
    await using running = await startApp();
    running.simulator.settings = { ...configFiles(), config: file };
    expect(await config(running)).toEqual({ available: false, online: false });
    expect(existsSync(join(running.folder, "config", "camera"))).toBe(false);
    // The second file is not asked for then.
    expect(running.simulator.requests.map(({ path }) => path)).toEqual(["/Config/config.ini"]);
  });

  test("are there without a model where only its second file fails", async () => {
    await using running = await startApp();
    running.simulator.settings = { ...configFiles(), version: bytes("<html>") };
    expect(await config(running)).toMatchObject({ available: true, online: true, model: null, firmware: null });
  });

  test("are answered also where they cannot be kept, which is in the log", async () => {
    await using running = await startApp();
    writeFileSync(join(running.folder, "config", "camera"), "in the way");
    expect(await config(running)).toMatchObject({ available: true, online: true, model: "DR900X Plus" });
    const line = running.app.log.lines.find(({ message }) =>
      message.startsWith("could not save the camera snapshot: "),
    );
    expect(line?.level).toBe("WARNING");
    await running.simulator.goAway();
    expect(await config(running)).toMatchObject({ available: true, online: false });
  });

  test("that could not be kept are kept whole by the next reading", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-camera-"));
    const place = join(folder, "config", "camera");
    {
      await using running = await startApp({ folder });
      writeFileSync(place, "in the way");
      await config(running);
      running.simulator.settings = configFiles({ "Tab3.VOLUME": "4" });
      await config(running);
      rmSync(place);
      expect(await config(running)).toMatchObject({ online: true, changed: [{ key: "Tab3.VOLUME" }] });
    }
    expect(readdirSync(place).sort()).toEqual(["changes.json", "config.ini", "snapshot.json"]);
    await using running = await startApp({ folder });
    await running.simulator.goAway();
    expect(await config(running)).toMatchObject({ available: true, changed: [{ key: "Tab3.VOLUME" }] });
  });

  test("are asked for by a run with the list in hand, and by nothing else while its files come in", async () => {
    await using running = await startApp({ rate: 50_000, settings: { retention: { keep: "" } } });
    const { app, simulator } = running;
    const live = await config(running);
    simulator.requests.length = 0;
    simulator.settings = configFiles({ "Tab3.VOLUME": "4" });
    app.job.start("manual");
    await simulator.asked(/\.mp4$/);
    const seen = await config(running);
    expect(Date.parse(seen.read_at)).toBeGreaterThan(Date.parse(live.read_at));
    expect(seen.changed).toMatchObject([{ key: "Tab3.VOLUME", from: "5", to: "4" }]);
    expect(await tested(running, "/api/dashcam/info")).toMatchObject({ body: { available: false } });
    const paths = simulator.requests.map(({ path }) => path);
    expect(paths.slice(0, 4)).toEqual([
      ...["/accessible", "/blackvue_vod.cgi"],
      ...["/Config/config.ini", "/Config/version.bin"],
    ]);
    expect(paths.slice(4).filter((path) => path.startsWith("/Config/"))).toEqual([]);
  });

  test("asked for by many at once are read once", async () => {
    await using running = await startApp();
    await Promise.all(Array.from({ length: 10 }, () => config(running)));
    expect(running.simulator.requests.map(({ path }) => path)).toEqual(["/Config/config.ini", "/Config/version.bin"]);
  });
});

describe("what changed in the camera's settings", () => {
  test("stays until it is dismissed, whoever else reads, and over a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-camera-"));
    const volume = (from: string, to: string) => ({ key: "Tab3.VOLUME", label: "Volume", from, to });
    const secret = { key: "Cloud.sta_pw", label: "Home network 1 password", from: "changed", to: "changed" };
    await (async () => {
      await using running = await startApp({ folder });
      await config(running);
      running.simulator.settings = configFiles({ "Tab3.VOLUME": "4" });
      expect((await config(running)).changed).toEqual([volume("5", "4")]);
      expect((await config(running)).changed).toEqual([volume("5", "4")]);
      running.simulator.settings = configFiles({ "Tab3.VOLUME": "3", "Cloud.sta_pw": "hunter22" });
      expect((await config(running)).changed).toEqual([volume("5", "3"), secret]);
    })();
    await using running = await startApp({ folder });
    running.simulator.settings = configFiles({ "Tab3.VOLUME": "3", "Cloud.sta_pw": "hunter22" });
    expect((await config(running)).changed).toEqual([volume("5", "3"), secret]);
    const { visits } = await changesOf(running);
    expect(visits.map(({ id, dismissed }: { id: number; dismissed: boolean }) => [id, dismissed])).toEqual([
      [2, false],
      [1, false],
    ]);
    expect(JSON.stringify(visits)).not.toContain("hunter22");
    await running.client.open("/");
    // Another tab knows of the first visit only.
    const dismissed = await running.client.send("POST", "/api/camera/changes/dismiss", { ids: [1] });
    expect(dismissed.status).toBe(200);
    expect((await config(running)).changed).toEqual([volume("4", "3"), secret]);
    expect((await running.client.send("POST", "/api/camera/changes/dismiss", { ids: "all" })).status).toBe(400);
    await running.client.send("POST", "/api/camera/changes/dismiss", {});
    expect((await config(running)).changed).toEqual([]);
    await running.stop();
    const files = readdirSync(join(folder, "config", "camera")).sort();
    expect(files).toEqual(["changes.json", "config.ini", "snapshot.json"]);
    rmSync(folder, { recursive: true });
  });

  test("outlasts a snapshot that was cut short", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-camera-"));
    {
      await using running = await startApp({ folder });
      await config(running);
      running.simulator.settings = configFiles({ "Tab3.VOLUME": "4" });
      await config(running);
    }
    writeFileSync(join(folder, "config", "camera", "snapshot.json"), "{");
    await using running = await startApp({ folder });
    running.simulator.settings = configFiles({ "Tab3.VOLUME": "4" });
    expect((await config(running)).changed).toMatchObject([{ key: "Tab3.VOLUME" }]);
    running.simulator.settings = configFiles({ "Tab3.VOLUME": "4", "Tab1.NormalRecord": "0" });
    await config(running);
    expect((await changesOf(running)).visits.map(({ id }: { id: number }) => id)).toEqual([2, 1]);
  });

  test("is remembered of long values, too, in a file of bounded length", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-camera-"));
    await using running = await startApp({ folder });
    for (let visit = 0; visit < 8; visit++) {
      running.simulator.settings = configFiles({ "Tab3.userString": String(visit).repeat(200_000) });
      await config(running);
    }
    expect((await changesOf(running)).visits.map(({ id }: { id: number }) => id)).toEqual([7, 6]);
    expect(statSync(join(folder, "config", "camera", "changes.json")).size).toBeLessThan(2_000_000);
  });

  test("is nothing where it was changed back, and where another model answers", async () => {
    await using running = await startApp();
    await config(running);
    running.simulator.settings = configFiles({ "Tab3.VOLUME": "4" });
    await config(running);
    running.simulator.settings = configFiles();
    expect((await config(running)).changed).toEqual([]);
    const version = bytes("[firmware]\nmodel = DR750\nversion = 1");
    running.simulator.settings = { ...configFiles({ "Tab3.VOLUME": "1" }), version };
    expect(await config(running)).toMatchObject({ model: "DR750", changed: [] });
  });
});

describe("a password of the camera", () => {
  test("is told by its key, from what was read last, with a line in the log that does not hold it", async () => {
    await using running = await startApp();
    await config(running);
    await running.simulator.goAway();
    expect(await tested(running, "/api/camera/secret?key=Cloud.sta_pw")).toEqual({
      status: 200,
      caching: "no-store",
      body: { key: "Cloud.sta_pw", value: "DemoHome-123" },
    });
    const lines = running.app.log.lines.filter(({ message }) => message.includes("Cloud.sta_pw"));
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(running.app.log.lines)).not.toContain("DemoHome-123");
  });

  test.each([
    "",
    "?key=",
    "?key=Tab3.VOLUME",
    "?key=Cloud",
    "?key=sta_pw",
    "?key=Cloud.sta9_pw",
    "?key=__proto__.a_pw",
  ])("is not told for %p", async (query) => {
    await using running = await startApp();
    await config(running);
    expect(await tested(running, `/api/camera/secret${query}`)).toMatchObject({
      status: 404,
      body: { code: "SECRET_NOT_FOUND" },
    });
  });

  test("that does not decode is said so, and an empty one is empty", async () => {
    await using running = await startApp();
    running.simulator.settings = configFiles({ "Cloud.sta_pw": "0".repeat(64), "Cloud.sta2_pw": "" });
    await config(running);
    expect(await tested(running, "/api/camera/secret?key=Cloud.sta_pw")).toMatchObject({
      status: 422,
      caching: "no-store",
      body: { code: "UNDECODABLE_PASSWORD" },
    });
    expect((await tested(running, "/api/camera/secret?key=Cloud.sta2_pw")).body).toEqual({
      key: "Cloud.sta2_pw",
      value: "",
    });
  });
});

describe("what the camera tells of itself", () => {
  const info = async (running: RunningApp) => (await tested(running, "/api/dashcam/info")).body;

  test("is its model and all its settings, with passwords masked", async () => {
    await using running = await startApp();
    running.simulator.settings = configFiles({ "Cloud.sta3_pw": "" });
    const told = await info(running);
    expect(told).toMatchObject({
      available: true,
      address: running.simulator.address,
      firmware: "DR900X Plus · fw 1.015",
      setting_count: 85,
      config: { Tab3: { VOLUME: "5" }, Wifi: { ap_pw: "***" }, Cloud: { sta_pw: "***", sta3_pw: "" } },
    });
    expect(running.simulator.requests.map(({ path }) => path)).toEqual(["/Config/version.bin", "/Config/config.ini"]);
    running.simulator.settings = { version: bytes(""), config: bytes("A=1") };
    expect(await info(running)).toMatchObject({ firmware: null, setting_count: 1, config: { General: { A: "1" } } });
    running.simulator.settings = { version: bytes("DR900X-2.013\0\u0001"), config: bytes("<html>") };
    expect(await info(running)).toMatchObject({ firmware: "DR900X-2.013", setting_count: 0, config: {} });
  });

  test("is nothing with the newer interface, and says so, also before the first run", async () => {
    await using running = await startApp({ generation: "v1009" });
    const is = { available: false, reason: "this camera does not tell its settings" };
    expect(await info(running)).toEqual(is);
    await running.simulator.goAway();
    expect(await info(running)).toEqual({ available: false, reason: "dashcam unreachable" });
  });

  test("is nothing while it is away, and without an address", async () => {
    await using running = await startApp();
    await running.simulator.goAway();
    expect(await info(running)).toEqual({ available: false, reason: "dashcam unreachable" });
    await running.app.settings.patch("connection", { address: "" });
    expect(await info(running)).toEqual({ available: false, reason: "no address configured" });
    expect(await config(running)).toEqual({ available: false, online: false });
  });
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
