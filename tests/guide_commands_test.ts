import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { simulatedCard, syntheticFootage } from "../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator } from "../server/dashcam/simulator/simulator.ts";
import { EXECUTABLE } from "./support/app/executable.ts";
import { blocks } from "./support/app/guide.ts";
import { type Ended, type Place, type Running, startCommand, temporaryPlace } from "./support/app/process.ts";
import { LISTENING } from "./support/app/service.ts";

setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, "..");
const PASSWORD = "a long enough password";
const SHELL = blocks().filter(({ language }) => language === "sh");

/** Commands that do not run here, and why. All others of the guide are run below, as they stand there. */
const ELSEWHERE: readonly (readonly [command: RegExp, why: string])[] = [
  [/^git pull$/, "would take what is newer"],
  [/^npm test\b/, "runs this test"],
  [/^bun run build$/, "makes what is made for these tests already, in the folder of this checkout"],
  [/^(bun run build linux-x64|sha256sum dist\/dashdock-linux-x64)$/, "would fetch Bun for another machine"],
  [/^bun install --frozen-lockfile$/, "the first thing that npm test and npm start do"],
  [/^useradd /, "would add a user to this machine; what would belong to it belongs to the one who tests"],
  [/^systemctl /, "needs systemd as the first process; the command of the unit is started in its place"],
  [/^docker /, "needs a container engine"],
  [/^(export SERVICE_OFFSITE_|dashdock fetch-offsite )/, "needs a bucket, which its own tests give it"],
  [/^age /, "needs an encrypted copy; `age_content_test.ts` opens one with it"],
  [/^dashdock password /, "asks for a password, which its own tests give it"],
  [/^(pmtiles|rclone|restic) /, "needs a program of other people, and a place that is theirs"],
];
const done = new Set<string>();

/** The lines of the blocks under a heading that run here, noted as run. @param which of the blocks; all when left out */
function commandsUnder(heading: string, which?: number): string[] {
  const found = SHELL.filter(({ under }) => under === heading);
  const lines = found
    .filter((_, at) => which === undefined || at === which)
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => !ELSEWHERE.some(([command]) => command.test(line)));
  for (const line of lines) done.add(line);
  return lines;
}

/** A machine of its own: what the guide writes to `/usr/local`, `/etc`, `/var` and `/srv` is in a folder here. */
let place: Place;
let camera: Simulator;
/** Address of the service that listens at the moment. */
let url = "";
/** The key that a request of the guide has made. */
let key = "";
beforeAll(async () => {
  place = await temporaryPlace();
  for (const folder of ["usr/local/bin", "etc/systemd/system", "var/lib", "srv"])
    mkdirSync(place.at(folder), { recursive: true });
  const card = simulatedCard({ recordings: 2, now: Date.now(), footage: syntheticFootage(100_000) });
  camera = await openSimulator({ card });
});
afterAll(async () => {
  await camera.close();
  await place[Symbol.asyncDispose]();
});

function here(text: string): string {
  return text
    .replaceAll(/(?<=^|[\s"'=>])\/(usr\/local|etc|var\/lib|srv|media)\b/gm, (path) => place.home + path)
    .replaceAll(/(?<=^|\s)\.\/data\b/g, place.at("data"))
    .replaceAll(/(?<=^|\s)dist\/dashdock\b/g, EXECUTABLE)
    .replaceAll(/ -o dashdock -g dashdock\b/g, "")
    .replaceAll(/^runuser -u dashdock -- /gm, "")
    .replaceAll("192.168.1.20", camera.address)
    .replaceAll("http://127.0.0.1:8080", url);
}

const environment = () => ({
  HOME: process.env["HOME"] ?? place.home,
  TMPDIR: place.home,
  PATH: `${place.at("usr/local/bin")}:${dirname(process.execPath)}:${process.env["PATH"]}`,
  PASSWORD,
  KEY: key,
});

/** Types the lines into a shell that stops at the first that fails. @param cwd the checkout when left out */
async function typed(lines: readonly string[], cwd = ROOT): Promise<Ended> {
  expect(lines.length).toBeGreaterThan(0);
  const script = `set -e\n${here(lines.join("\n"))}`;
  await using running = startCommand(["sh", "-c", script], { cwd, env: environment() });
  return await running.ended;
}

/** Starts what goes on until it is stopped, on a free port of this machine alone. */
async function started(line: string, env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const script = `exec ${here(line)} --port 0 --host 127.0.0.1`;
  const running = startCommand(["sh", "-c", script], { cwd: ROOT, env: { ...environment(), ...env } });
  await running.says(LISTENING);
  url = LISTENING.exec(running.out)?.[1] ?? "";
  while (!(await fetch(`${url}/readyz`)).ok);
  return running;
}

async function stopped(running: Running): Promise<number | null> {
  running.signal("SIGTERM");
  return (await running.ended).code;
}

/** The command of the unit with the variables that it and its file give. */
async function startedByUnit(env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const unit = readFileSync(place.at("etc/systemd/system/dashdock.service"), "utf8");
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const [, file = ""] = /^EnvironmentFile=-(.*)$/m.exec(unit) ?? [];
  const given = [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, pair = ""]) => here(pair));
  const pairs = [...given, ...readFileSync(here(file), "utf8").trim().split("\n")].map((pair) => pair.split("="));
  return await started(command, { ...Object.fromEntries(pairs), ...env });
}

const stored = () => JSON.parse(readFileSync(place.at("var/lib/dashdock/settings.json"), "utf8"));

describe("what the guide tells to type", () => {
  const NPM = Bun.which("npm");
  if (NPM === null) console.log("No npm found: `npm start` of the guide is not run.");
  test.skipIf(NPM === null)("shows the demo with the first command", async () => {
    const [line = ""] = commandsUnder("Try it without a camera");
    const [command = ""] = line.split("#");
    // A group of its own: npm passes on no signal to what it has started.
    const child = Bun.spawn(["sh", "-c", `${command} -- --port 0 --recordings 2 --rate 1000000000`], {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: place.home },
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    let said = "";
    const decoder = new TextDecoder();
    for await (const bytes of child.stdout) {
      said += decoder.decode(bytes, { stream: true });
      if (/^Compared .*: all are the same$/m.test(said)) process.kill(-child.pid, "SIGINT");
    }
    await child.exited;
    expect(said).toMatch(/^Open this address in a browser:\nhttp:\/\/127\.0\.0\.1:[0-9]+$/m);
  });

  test("serves from a checkout", async () => {
    const [line = ""] = commandsUnder("From source");
    const running = await started(line);
    await using _ = running;
    expect((await fetch(url)).url).toBe(`${url}/first-run`);
    expect(await stopped(running)).toBe(0);
    expect(existsSync(place.at("data/config/settings.json"))).toBe(true);
  });

  test("installs the executable, and what the unit starts serves the camera it was told", async () => {
    expect(await typed(commandsUnder("As one executable, with systemd"))).toMatchObject({ code: 0, err: "" });
    const running = await startedByUnit({ SERVICE_ADMIN_PASSWORD: PASSWORD });
    await using _ = running;
    expect(stored().connection.address).toBe(camera.address);
    expect(stored().system.destination).toBe(place.at("srv/dashcam"));
    expect(await stopped(running)).toBe(0);
  });

  test("checks the camera and brings its recordings home", async () => {
    const { code, out } = await typed(commandsUnder("Without the service"), place.cwd);
    expect([code, out]).toEqual([0, expect.stringContaining("ok  Connect")]);
    const report = await typed(commandsUnder("Still no answer"), place.cwd);
    expect([report.code, JSON.parse(report.out)]).toEqual([0, expect.anything()]);
    const [name = ""] = camera.card.names();
    const day = `${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6, 8)}`;
    expect(existsSync(place.at("srv/dashcam", day, name))).toBe(true);
  });

  test("imports a card", async () => {
    const name = "20200101_120000_NF.mp4";
    mkdirSync(place.at("media/card/Record"), { recursive: true });
    await Bun.write(place.at("media/card/Record", name), await camera.card.bytes(camera.card.names()[0] ?? ""));
    const { code, out } = await typed(commandsUnder("From a card"), place.cwd);
    expect([code, out]).toEqual([0, expect.stringContaining(`Imported ${name}`)]);
    expect(existsSync(place.at("srv/dashcam/2020-01-01", name))).toBe(true);
  });

  const CURL = Bun.which("curl");
  if (CURL === null) console.log("No curl found: the requests of the guide are not made.");
  test.skipIf(CURL === null)("signs in with curl, makes a key, asks, starts a sync and hears of it", async () => {
    const running = await startedByUnit();
    await using _ = running;
    const asked = await typed(commandsUnder("With a session", 0), place.cwd);
    expect([asked.code, asked.out]).toEqual([0, expect.stringMatching(/"camera_online"/)]);
    const made = await typed(commandsUnder("With a session", 1), place.cwd);
    key = (JSON.parse(made.out) as { key: string }).key;
    const using = commandsUnder("API");
    const stream = using.pop() ?? "";
    const used = await typed(using, place.cwd);
    expect([used.code, used.out]).toEqual([0, expect.stringMatching(/"camera_online".*"job_id"/s)]);
    const waiting = await typed(commandsUnder("A script"), place.cwd);
    expect([waiting.code, waiting.out]).toEqual([0, expect.stringMatching(/^"recordings_waiting":(\d+|null)\n$/)]);
    await using heard = startCommand(["sh", "-c", here(stream)], { cwd: place.cwd, env: environment() });
    await heard.says(/^event: progress$/m);
    await stopped(running);
  });

  test("copies what has to be kept, and brings it back to a machine that has lost it", async () => {
    const before = stored();
    expect((await typed(commandsUnder("Back up"), place.cwd)).code).toBe(0);
    const id = readFileSync(place.at("srv/dashcam/.dashdock/id"), "utf8");
    for (const lost of ["var/lib/dashdock", "srv/dashcam/.dashdock"]) rmSync(place.at(lost), { recursive: true });
    expect((await typed(commandsUnder("Restore"), place.cwd)).code).toBe(0);
    expect(readFileSync(place.at("srv/dashcam/.dashdock/id"), "utf8")).toBe(id);
    const running = await startedByUnit();
    await using _ = running;
    expect(stored()).toEqual(before);
    expect(await stopped(running)).toBe(0);
  });

  test("puts a newer executable in the place of the old one, also while that runs", async () => {
    const running = await startedByUnit();
    await using _ = running;
    expect((await typed(commandsUnder("Update"))).code).toBe(0);
    expect(await stopped(running)).toBe(0);
    expect(await stopped(await startedByUnit())).toBe(0);
  });

  /** The service's folder is the one that the examples for other programs copy from. */
  const copying = (lines: readonly string[]) =>
    lines.map((line) =>
      line.replaceAll("/recordings", place.at("srv/dashcam")).replaceAll("/mnt/copy", place.at("copy")),
    );

  test("starts a copy when something came, and again when the copy did not go through", async () => {
    const script = `HOME=${place.home}\n${copying(commandsUnder("Start a copy when something came")).join("\n")}`;
    const copies = place.at("usr/local/bin/dashcam-copy");
    writeFileSync(copies, `#!/bin/sh\necho copied >> ${place.at("copies")}\ntest ! -e ${place.at("broken")}\n`, {
      mode: 0o755,
    });
    const trigger = place.at("srv/dashcam/.dashdock/new.trigger");
    const count = () => (existsSync(place.at("copies")) ? readFileSync(place.at("copies"), "utf8").length / 7 : 0);
    const counts: number[] = [];
    const turn = async () => {
      expect(await typed([script])).toMatchObject({ err: "" });
      counts.push(count());
    };
    // The runs before have made it.
    utimesSync(trigger, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    writeFileSync(place.at("broken"), "");
    await turn();
    rmSync(place.at("broken"));
    await turn();
    await turn();
    utimesSync(trigger, new Date(Date.now() + 60_000), new Date(Date.now() + 60_000));
    await turn();
    expect(counts).toEqual([1, 2, 2, 3]);
  });

  const JQ = Bun.which("jq");
  if (JQ === null) console.log("No jq found: the checks of a copy in the guide are not run.");
  test.skipIf(JQ === null)("finds what is damaged in a copy by the list of what came", async () => {
    const [names = ""] = commandsUnder("rclone", 1);
    const check = copying(commandsUnder("rclone", 2));
    const list = readFileSync(place.at("srv/dashcam/.dashdock/new.jsonl"), "utf8");
    expect(await typed(copying([names.replaceAll("/tmp/new", `${place.home}/new`)]))).toMatchObject({
      code: 0,
      err: "",
    });
    const told = readFileSync(place.at("new.txt"), "utf8").trim().split("\n");
    expect(told.filter((name) => name.endsWith(".mp4")).length).toBeGreaterThan(0);
    expect(told).toEqual(
      list
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).path),
    );
    cpSync(place.at("srv/dashcam"), place.at("copy"), { recursive: true });
    expect(await typed(check)).toMatchObject({ code: 0, out: "" });
    const [spoilt = ""] = told;
    writeFileSync(place.at(`copy/${spoilt}`), "spoilt");
    expect(await typed(check)).toMatchObject({ code: 1, out: `${spoilt}: FAILED\n` });
  });

  test("is all of that, and what a reason is given for above", () => {
    const lines = SHELL.flatMap(({ text }) => text.split("\n"));
    const open = lines.filter((line) => !done.has(line) && !ELSEWHERE.some(([command]) => command.test(line)));
    const missing = [
      ...(NPM === null ? [/^npm /] : []),
      ...(CURL === null ? [/\bcurl\b|^(token|key)=/] : []),
      ...(JQ === null ? [/^(jq |cd \/mnt\/copy)/] : []),
    ];
    expect(open.filter((line) => !missing.some((tool) => tool.test(line)))).toEqual([]);
    for (const [command] of ELSEWHERE) expect(lines.some((line) => command.test(line))).toBe(true);
  });
});
