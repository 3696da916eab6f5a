import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { SimulatedCard, syntheticFootage } from "../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator } from "../server/dashcam/simulator/simulator.ts";
import { type Place, type Running, shellWords, startCommand, temporaryPlace, treeOf } from "./support/app/process.ts";

const FIRST = "20240607_101500_NF.mp4";
const SECOND = "20240607_101600_NF.mp4";
const SCRIPT = Bun.which("script");
/** `script` of util-linux gives a command a terminal; others of that name take other options. */
const hasTerminals = SCRIPT !== null && Bun.spawnSync([SCRIPT, "--version"]).stdout.includes("util-linux");
/** Text, line ends, and the control sequences of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is driven by them
const TOKENS = /\u001b\[([0-9]*)([A-Z])|\r\n|\n|\r|[^\u001b\r\n]+/g;

/** Screens of a terminal: the last one, and each one between two writes of the display. */
function screens(text: string, columns: number): string[][] {
  const shown: string[][] = [];
  let lines = [""];
  let row = 0;
  for (const [token, count = "1", letter] of text.matchAll(TOKENS)) {
    if (letter === "A") {
      shown.push([...lines]);
      row -= Number(count);
    } else if (letter === "J") lines = [...lines.slice(0, row), ""];
    else if (letter !== undefined) throw new Error(`The display is not to use ${JSON.stringify(token)}`);
    else if (token.includes("\n")) {
      row++;
      lines[row] ??= "";
    } else if (token !== "\r") {
      if (token.length > columns) throw new Error(`A line wider than the terminal: ${token}`);
      lines[row] = token;
    }
  }
  return [...shown, lines];
}

describe.skipIf(!hasTerminals)("sync on a terminal (needs script of util-linux)", () => {
  let place: Place;
  let camera: Simulator;
  beforeEach(async () => {
    place = await temporaryPlace();
    const card = new SimulatedCard(syntheticFootage((name) => (name === FIRST ? 400_000 : 200_000)));
    for (const name of [FIRST, SECOND]) card.record(name);
    camera = await openSimulator({ card });
  });
  afterEach(async () => {
    await camera.close();
    await place[Symbol.asyncDispose]();
  });

  /** Runs sync on a terminal of so many columns; its output and error are one. */
  function onTerminal(columns: number, ...args: string[]): Running {
    const words = shellWords(["sync", camera.address, "-d", place.home, ...args]);
    const command = `stty cols ${columns} rows 24; exec ${words}`;
    return startCommand([SCRIPT ?? "script", "-qec", command, "/dev/null"], {
      cwd: place.cwd,
      env: { SHELL: "/bin/sh" },
    });
  }

  test("shows the whole job and the current file while they change, and leaves clean lines", async () => {
    camera.rate = 150_000;
    await using running = onTerminal(100);
    const { code, out } = await running.ended;
    expect(code).toBe(0);
    const all = screens(out, 100);
    const final = all.at(-1)?.filter((line) => line !== "") ?? [];
    expect(final).toEqual([expect.stringMatching(/^Sync finished: 8\u00a0files .* came home in [0-9]+\u00a0s$/)]);
    const live = all.filter((lines) => lines.some((line) => line.includes(".mp4,")));
    expect(live.length).toBeGreaterThan(2);
    const percents: number[] = [];
    for (const lines of live) {
      const [job = "", file = ""] = lines.filter((line) => line.startsWith("["));
      expect(job).toMatch(/^\[[= ]{24}\] [0-9] of 2\u00a0recordings, [0-9.]+\u00a0[kM]?B/);
      // The length comes with the head of the camera's answer and is guessed from other files before; of a whole one only
      // that is told.
      expect(file).toMatch(
        /^\[[= ]{24}\] 20240607_101[56]00_NF\.mp4, (0\u00a0B( of ≈ [0-9.]+\u00a0kB)?$|[0-9.]+\u00a0[kM]?B of [24]00\u00a0kB|[24]00\u00a0kB(,|$))/,
      );
      if (file.includes(FIRST)) percents.push(file.indexOf(" ") - 1);
    }
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    const seen = live.flat().join("\n");
    expect(seen).toMatch(
      /[0-2] of 2\u00a0recordings, [0-9.]+\u00a0[kM]?B of ≈ [0-9.]+\u00a0[kM]?B, [0-9.]+\u00a0[kM]?B\/s, [0-9]+\u00a0s left/,
    );
    expect(seen).toMatch(/of 400\u00a0kB, [0-9.]+\u00a0[kM]?B\/s, [0-9]+\u00a0s left/);
  });

  test("in the usual 80 columns no part of the current file's line is cut off", async () => {
    camera.rate = 500_000;
    await using running = onTerminal(80);
    await running.ended;
    const files = screens(running.out, 80)
      .flat()
      .filter((line) => line.includes(".mp4,") && line.includes("/s"));
    expect(files.length).toBeGreaterThan(2);
    for (const line of files) expect(line).toMatch(/\/s(, [0-9]+\u00a0s left)?$/);
  });

  test("Ctrl-C takes the display away, says that it stopped, keeps the partial and exits 1", async () => {
    camera.fault({ name: "stall", match: new RegExp(FIRST), after: 200_000 });
    await using running = onTerminal(100);
    await running.says(/NF\.mp4, 200/);
    running.type("\x03");
    const { code, out } = await running.ended;
    expect(code).toBe(1);
    const final =
      screens(out.replace(/\^C/g, ""), 100)
        .at(-1)
        ?.filter((line) => line !== "") ?? [];
    expect(final).toEqual([expect.stringContaining("Sync stopped by user")]);
    expect(existsSync(place.at(`.${FIRST}`))).toBe(true);
  });

  test("warnings stand above the display, whole", async () => {
    camera.rate = 500_000;
    camera.fault({ name: "error-500", match: new RegExp(FIRST) });
    await using running = onTerminal(120);
    const { code, out } = await running.ended;
    expect(code).toBe(0);
    const final =
      screens(out, 200)
        .at(-1)
        ?.filter((line) => line !== "") ?? [];
    expect(final).toEqual([
      expect.stringMatching(new RegExp(`: WARNING Failed ${FIRST}: `)),
      expect.stringContaining("Sync finished: "),
    ]);
  });

  for (const quiet of ["--quiet", "--cron"])
    test(`${quiet} draws nothing`, async () => {
      await using running = onTerminal(100, quiet, "-e", "N", "--dry-run");
      expect(await running.ended).toEqual({ code: 0, out: "", err: "" });
    });
});

describe.skipIf(!hasTerminals)("demo on a terminal (needs script of util-linux)", () => {
  const COLUMNS = 100;
  const ADDRESS = /^http:\/\/127\.0\.0\.1:[0-9]+$/;

  test("keeps the address to open below everything else, alone, while the sync goes on and after it", async () => {
    await using place = await temporaryPlace();
    const words = shellWords(["demo", "--port", "0", "--recordings", "4", "--rate", "2000000"]);
    await using running = startCommand(
      [SCRIPT ?? "script", "-qec", `stty cols ${COLUMNS} rows 24; exec ${words}`, "/dev/null"],
      { cwd: place.cwd, env: { SHELL: "/bin/sh" } },
    );
    await running.says(/byte by byte: all are the same/);
    // The part drawn below that line comes with it.
    await running.says(/byte by byte: all are the same\r?\n\r?\nhttp:\S+\r?\n$/);
    const shown = screens(running.out, COLUMNS).map((lines) =>
      lines.filter((line, at) => at < lines.length - 1 || line),
    );
    const drawn = shown.filter((lines) => lines.some((line) => ADDRESS.test(line)));
    expect(drawn.some((lines) => lines.some((line) => /^\[=* *\] [0-9]+ of [0-9]+\u00a0recordings/.test(line)))).toBe(
      true,
    );
    for (const lines of drawn) {
      expect(lines.filter((line) => ADDRESS.test(line))).toEqual([lines.at(-1) ?? ""]);
      expect(lines.at(-2)).toBe("");
    }
  });
});

describe.skipIf(!hasTerminals)("dashdock alone on a terminal (needs script of util-linux)", () => {
  /** @param variables as `env` takes them */
  function alone(place: Place, variables: string, ...args: string[]): Running {
    const command = `exec env ${variables} ${shellWords(args)}`;
    return startCommand([SCRIPT ?? "script", "-qec", command, "/dev/null"], {
      cwd: place.cwd,
      env: { SHELL: "/bin/sh" },
    });
  }

  test("prints the help, and makes nothing", async () => {
    await using place = await temporaryPlace();
    await using running = alone(place, "");
    const { code, out } = await running.ended;
    expect([code, out]).toEqual([0, expect.stringContaining("Usage: dashdock <command>")]);
    expect(await treeOf(place.cwd)).toEqual([]);
  });

  test("serves with options, and in a container, whose image names the folders", async () => {
    await using place = await temporaryPlace();
    const folders = `SERVICE_CONFIG_DIR=${place.at("config")} SERVICE_DESTINATION=${place.at("recordings")}`;
    await using running = alone(place, folders, "--port", "0", "--host", "127.0.0.1");
    await running.says(/listening on http:\/\/127\.0\.0\.1:/);
    running.type("\x03");
    expect((await running.ended).code).toBe(0);
    // A start that fails needs no port of its own.
    await using refused = alone(place, `SERVICE_CONFIG_DIR=${place.at("other")} SERVICE_PORT=0`);
    expect((await refused.ended).out).toContain('Dashdock cannot start: SERVICE_PORT="0"');
  });
});
