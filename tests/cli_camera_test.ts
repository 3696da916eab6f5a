import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { SimulatedCard, syntheticFootage } from "../server/dashcam/simulator/simulated_card.ts";
import { LIFE_NAMES } from "../server/dashcam/simulator/simulated_life_patterns.ts";
import { openSimulator } from "../server/dashcam/simulator/simulator.ts";
import { FAULT_HELP } from "../server/dashcam/simulator/simulator_faults.ts";
import { type Listing, parseListing } from "../server/domain/recordings/camera_listing.ts";
import { parseRecording } from "../server/domain/recordings/recording_name.ts";
import { dashdock, type Place, type Running, start, temporaryPlace, treeOf } from "./support/app/process.ts";
import { call } from "./support/app/service.ts";

let place: Place;
beforeEach(async () => {
  place = await temporaryPlace();
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

/** Folder of commands: temporary files have a folder of their own, so that leftovers show. */
const around = () => ({ cwd: place.cwd, env: { TMPDIR: place.home } });

/** A camera command that listens. */
interface Listening extends AsyncDisposable {
  running: Running;
  url: string;
  list(): Promise<Listing>;
}

async function camera(...args: string[]): Promise<Listening> {
  const running = start(["camera", ...args], around());
  await running.says(/\n/);
  const url = /http:\/\/\S+/.exec(running.out)?.[0] ?? "";
  return {
    running,
    url,
    list: async () => parseListing(await (await fetch(`${url}/blackvue_vod.cgi`)).text()),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

describe("camera", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    test(`prints one line when it listens, and nothing more when ${signal} ends it with 0`, async () => {
      await using simulated = await camera("--recordings", "3");
      expect((await simulated.list()).files).toHaveLength(3);
      simulated.running.signal(signal);
      const { code, out, err } = await simulated.running.ended;
      expect([code, err]).toEqual([0, ""]);
      expect(out).toMatch(/^Camera listening on http:\/\/127\.0\.0\.1:[1-9][0-9]*\n$/);
      expect([await treeOf(place.cwd), await treeOf(place.home)]).toEqual([[], []]);
    });

  test("ends though a client is in the middle of a file that would last for hours", async () => {
    await using simulated = await camera("--recordings", "1", "--rate", "1000");
    const [video] = (await simulated.list()).files;
    const answer = await fetch(`${simulated.url}/Record/${video?.name}`);
    const reader = answer.body?.getReader();
    await reader?.read();
    simulated.running.signal("SIGTERM");
    expect((await simulated.running.ended).code).toBe(0);
    await reader?.cancel().catch(() => {});
  });

  test("has 48 recordings, front and rear, unless told otherwise, and takes the port it is given", async () => {
    await using first = await camera();
    const { files } = await first.list();
    expect(files).toHaveLength(48);
    expect(new Set(files.map(({ name }) => parseRecording(name)?.direction))).toEqual(new Set(["F", "R"]));
    const { port } = new URL(first.url);

    const second = await dashdock(["camera", "--port", port], around());
    expect(second).toMatchObject({ code: 2, out: "" });
    expect(second.err).toStartWith(`Cannot listen on 127.0.0.1:${port}: `);
    expect(second.err).not.toContain("    at ");

    first.running.signal("SIGTERM");
    await first.running.ended;
    await using third = await camera("--port", port, "--host", "127.0.0.1", "--recordings", "0");
    expect(third.url).toBe(`http://127.0.0.1:${port}`);
    expect((await third.list()).files).toEqual([]);
  });

  test("serves clips with their companions, at the rate it is given", async () => {
    await using simulated = await camera("--recordings", "2", "--rate", "20000000", "--generation", "legacy");
    const [video] = (await simulated.list()).files;
    const answer = await fetch(`${simulated.url}/Record/${video?.name}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    const bytes = await answer.arrayBuffer();
    expect(new TextDecoder().decode(bytes.slice(4, 8))).toBe("ftyp");
    expect((await fetch(`${simulated.url}/Config/config.ini`)).status).toBe(200);
  });

  test("speaks the newer interface when told to, with the same clips", async () => {
    await using simulated = await camera("--recordings", "2", "--generation", "v1009", "--fault", "metadata-empty");
    const answer = (path: string, init?: RequestInit) => fetch(`${simulated.url}${path}`, init);
    expect(await (await answer("/accessible")).json()).toMatchObject({ accessible: "OK" });
    const { filelist } = (await (await answer("/vodList")).json()) as { filelist: { filename: string }[] };
    expect(filelist.map(({ filename }) => parseRecording(filename)?.direction)).toEqual(["F", "R"]);
    const file = filelist[0]?.filename;
    const clip = await (await answer(`/${file}`)).arrayBuffer();
    expect(new TextDecoder().decode(clip.slice(4, 8))).toBe("ftyp");
    const question = { method: "POST", body: JSON.stringify({ file, types: ["thumbnail"] }) };
    expect(await (await answer("/vodMetadata", question)).json()).toEqual({ resultcode: "BC_ERR_OK", thumbnail: "" });
    expect((await answer("/blackvue_vod.cgi")).status).toBe(415);
  });

  test("tells the settings of the model that it is given", async () => {
    await using simulated = await camera("--recordings", "0", "--model", "dr970x");
    expect(await (await fetch(`${simulated.url}/Config/version.bin`)).text()).toContain("model = DR970X-2CH");
  });

  test("tells the name that it is given as that of its hotspot and its vehicle", async () => {
    await using simulated = await camera("--recordings", "0", "--name", "Van 2", "--model", "dr590x");
    const text = await (await fetch(`${simulated.url}/Config/config.ini`)).text();
    expect(text.match(/^(?:ap_ssid|userString)=.*(?=\r$)/gm)).toEqual(["userString=Van 2", "ap_ssid=Van 2"]);
  });

  test("--fault help lists every fault with a sentence, and listens nowhere", async () => {
    const { code, out, err } = await dashdock(["camera", "--fault", "help"], around());
    expect([code, err]).toEqual([0, ""]);
    for (const { name, help } of FAULT_HELP) expect(out).toContain(`  ${name.padEnd(24)}${help}\n`);
    expect(out.split("\n")).toHaveLength(FAULT_HELP.length + 1);
  });

  test("--fault may be given more than once", async () => {
    await using simulated = await camera("--recordings", "2", "--fault", "list-lf", "--fault", "error-500");
    const text = await (await fetch(`${simulated.url}/blackvue_vod.cgi`)).text();
    expect(text).not.toContain("\r");
    const [video] = parseListing(text).files;
    expect((await fetch(`${simulated.url}/Record/${video?.name}`)).status).toBe(500);
  });

  test("--life lets it come and go, and --speed begins two weeks ago", async () => {
    const begun = Date.now();
    await using simulated = await camera("--life", "taxi", "--speed", "100000", "--recordings", "30");
    const { running } = simulated;
    await running.says(/The car is at home\n.*The camera cannot be reached any more\n/s);
    const [, day = ""] = /^([0-9-]{10}) [0-9]{2}:[0-9]{2} {2}The /m.exec(running.out) ?? [];
    const ago = (begun - Date.parse(day)) / 86_400_000;
    expect(ago).toBeGreaterThan(10);
    expect(ago).toBeLessThan(16);
    running.signal("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0, err: "" });
  });

  test("--life help tells the patterns, and options of a life are refused without one", async () => {
    const { code, out } = await dashdock(["camera", "--life", "help"], around());
    expect([code, [...out.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name)]).toEqual([0, [...LIFE_NAMES]]);
    const speed = await dashdock(["camera", "--speed", "600"], around());
    expect([speed.code, speed.err]).toEqual([2, expect.stringContaining("--speed belongs to a life")]);
  });

  test("what it has comes home by the sync command, and a fault of it is told", async () => {
    await using simulated = await camera("--recordings", "2", "--fault", "not-found");
    const address = new URL(simulated.url).host;
    const { code, out } = await dashdock(["sync", address, "-d", place.at("home")], around());
    expect(code).toBe(0);
    expect(out).toContain("2 overwritten on the camera meanwhile");
  });
});

describe("demo", () => {
  const QUICK = ["--port", "0", "--recordings", "4"];
  const COMPARED = /\nCompared ([0-9]+)\u00a0files with the camera byte by byte: all are the same\n/;

  test("shows itself, syncs by itself, goes on serving, and leaves nothing behind when an interrupt ends it", async () => {
    await using running = call(place, ["demo", ...QUICK, "--rate", "1000000000"]);
    await running.says(COMPARED);
    const [, url] = /^Dashdock [0-9.]+ listening on (http:\/\/127\.0\.0\.1:[0-9]+)\n/m.exec(running.out) ?? [];

    expect(await (await fetch(`${url}/api/auth/me`)).json()).toEqual({
      username: "anonymous",
      mode: "none",
      role: "admin",
    });
    const [, compared] = COMPARED.exec(running.out) ?? [];
    const days = (await (await fetch(`${url}/api/viewer/days`)).json()) as { days: { count: number }[] };
    expect(days.days.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    const series = await (await fetch(`${url}/api/stats/series?range=all`)).json();
    expect(series).toMatchObject({
      summary: { runs: 1, success_rate: 1 },
      series: { points: [{ files: Number(compared) }] },
    });

    running.signal("SIGINT");
    const { code, err } = await running.ended;
    expect([code, err]).toEqual([0, ""]);
    expect(await treeOf(place.home)).toEqual([]);
  });

  test("says little, and last and alone the address to open, which is the only one", async () => {
    await using running = call(place, ["demo", ...QUICK, "--rate", "1000000000"]);
    const ends = /\nOpen this address in a browser:\n(http:\/\/127\.0\.0\.1:[0-9]+)\n/;
    await running.says(ends);
    const [, url = ""] = ends.exec(running.out) ?? [];
    await running.says(new RegExp(`${COMPARED.source}${url}\n$`));
    expect([...new Set(running.out.match(/https?:\/\/\S+/g))]).toEqual([url]);
    expect(running.out.trim().split("\n").length).toBeLessThan(8);
    expect(running.err).toBe("");
    // The log is where it is looked at.
    const log = (await (await fetch(`${url}/api/logs/recent`)).json()) as { lines: { message: string }[] };
    expect(log.lines.some(({ message }) => message.startsWith("Sync started"))).toBe(true);
  });

  test("has two weeks behind it: visits, runs, what the card overwrites, and some recordings that were lost", async () => {
    const options = ["--port", "0", "--recordings", "24", "--rate", "1000000000"];
    await using running = call(place, ["demo", ...options]);
    await running.says(COMPARED);
    const [, url] = /listening on (\S+)\n/.exec(running.out) ?? [];
    const read = async <T>(path: string) => (await (await fetch(`${url}${path}`)).json()) as T;
    const {
      days,
      totals,
      nothing_lost_since: since,
    } = await read<{
      days: { date: string; recorded: number; cause: string | null }[];
      totals: { home: number; lost: number };
      nothing_lost_since: string;
    }>("/api/coverage");
    const ago = (date: string) => Math.round((Date.now() - Date.parse(date)) / 86_400_000);
    const dates = days.filter(({ recorded }) => recorded > 0);
    expect(ago(dates[0]?.date ?? "")).toBeWithin(12, 16);
    expect(totals.home).toBeGreaterThan(200);
    expect(totals.lost).toBeWithin(5, 60);
    expect(days.flatMap(({ cause }) => cause ?? [])).toEqual(["short_visit", "short_visit"]);
    expect(ago(since)).toBeWithin(2, 7);
    const { question, against } = await read<{ question: null; against: string[] }>("/api/card");
    // Checksums are taken a little later.
    expect([question, against.filter((why) => why !== "not_checked")]).toEqual([null, []]);
    const { visits } = await read<{ visits: unknown[] }>("/api/visits?days=60");
    expect(visits.length).toBeWithin(10, 20);
    const { series } = await read<{ series: { points: unknown[] } }>("/api/stats/series?range=all");
    expect(series.points.length).toBeGreaterThan(9);
    // The plan knows the usual visits, and what is overwritten when.
    expect(await read("/api/plan")).toMatchObject({ verdict: "safe", visits_known: 5 });
    // Nothing is asked, and nothing is held: all that is here came by this service.
    expect(await read("/api/retention")).toMatchObject({ held: null });
    running.signal("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0, err: "" });
  });

  test("--cameras 2 shows a car and a van, each with its folder, model and recordings; the van drives off", async () => {
    const data = place.at("two");
    const play = async () => {
      await using running = call(place, ["demo", ...QUICK, "--rate", "1000000000", "--data", data, "--cameras", "2"]);
      await running.says(/\nCompared [0-9]+\u00a0files of Car with the camera byte by byte: all are the same\n/);
      expect(running.out).toContain("2 simulated cameras with 4\u00a0recordings each are part of it");
      const [, url] = /listening on (\S+)\n/.exec(running.out) ?? [];
      const { cameras } = (await (await fetch(`${url}/api/cameras`)).json()) as { cameras: Record<string, unknown>[] };
      running.signal("SIGTERM");
      expect(await running.ended).toMatchObject({ code: 0, err: "" });
      return cameras;
    };
    const cameras = await play();
    expect(cameras).toMatchObject([
      { id: "main", name: "Car", letter: "C", destination: `${data}/recordings`, state: "safe", waiting: 0 },
      { id: "van", name: "Van", letter: "V", destination: `${data}/van` },
    ]);
    const bases = async (folder: string) =>
      (await readdir(join(data, folder), { recursive: true }))
        .filter((path) => path.endsWith(".mp4"))
        .map((path) => path.slice(path.lastIndexOf("/") + 1));
    const [car, van] = await Promise.all([bases("recordings"), bases("van")]);
    expect(car).toHaveLength(4);
    // It left in the middle of its third.
    expect(van.length).toBeLessThan(4);
    expect(van.filter((name) => car.includes(name))).toEqual([]);

    // Its address is another one now; its folder and its name are what they were.
    const again = await play();
    const kept = ({ id, name, letter, destination }: Record<string, unknown>) => ({ id, name, letter, destination });
    expect(again.map(kept)).toEqual(cameras.map(kept));
  });

  test("--data keeps everything, and a second time goes on in it", async () => {
    const data = place.at("kept");
    const videos = async () => (await readdir(data, { recursive: true })).filter((path) => path.endsWith(".mp4"));
    const play = async () => {
      await using running = call(place, ["demo", ...QUICK, "--rate", "1000000000", "--data", data]);
      await running.says(COMPARED);
      const [, url] = /listening on (\S+)\n/.exec(running.out) ?? [];
      const series = (await (await fetch(`${url}/api/stats/series?range=all`)).json()) as { summary: { runs: number } };
      running.signal("SIGTERM");
      expect((await running.ended).code).toBe(0);
      return series.summary.runs;
    };
    expect(await play()).toBe(1);
    const kept = await videos();
    expect(kept).toHaveLength(4);
    for (const path of kept) expect((await stat(`${data}/${path}`)).size).toBeGreaterThan(1000);
    expect(await play()).toBe(2);
    expect(await videos()).toEqual(expect.arrayContaining(kept));
    expect((await treeOf(place.home))?.every((path) => path.startsWith("kept"))).toBe(true);
  });

  test("--generation v1009 shows a newer camera: what it gives comes home, which is all but the g-sensor data", async () => {
    const data = place.at("newer");
    const options = [...QUICK, "--rate", "1000000000", "--data", data, "--generation", "v1009"];
    await using running = call(place, ["demo", ...options]);
    await running.says(COMPARED);
    const paths = await readdir(join(data, "recordings"), { recursive: true });
    const count = (kind: string) => paths.filter((path) => path.endsWith(`.${kind}`)).length;
    expect(["mp4", "thm", "gps", "3gf"].map(count)).toEqual([4, 4, 2, 0]);
    expect(COMPARED.exec(running.out)?.[1]).toBe("10");
    running.signal("SIGTERM");
    expect((await running.ended).code).toBe(0);
  });

  test("an interrupt in the middle of the first sync ends it with 0 long before that would end, and leaves nothing behind", async () => {
    await using running = call(place, ["demo", ...QUICK, "--rate", "20000"]);
    await running.says(/the first sync has begun/);
    running.signal("SIGINT");
    const { code, out, err } = await running.ended;
    expect([code, err]).toEqual([0, ""]);
    expect(out).not.toMatch(/Compared|not as on the camera|ERROR/);
    expect(await treeOf(place.home)).toEqual([]);
  });

  test("takes another port when the usual one is in use", async () => {
    await using camera = await openSimulator({ card: new SimulatedCard(syntheticFootage(1000)) });
    const { port } = new URL(camera.url);
    await using running = call(place, ["demo", "--port", port, "--recordings", "1", "--rate", "1000000000"]);
    await running.says(/listening on/);
    const [, other] = /listening on http:\/\/127\.0\.0\.1:([0-9]+)\n/.exec(running.out) ?? [];
    expect([Number(other) > 0, other === port]).toEqual([true, false]);
  });
});
