import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { version } from "../package.json";
import { CHAPTER_NAMES } from "../server/domain/guide/chapters.ts";
import { type Ended, type Place, dashdock as runIn, temporaryPlace, treeOf } from "./support/app/process.ts";

/** A port on which nothing listens, should anything be asked after all. */
const NOBODY = "127.0.0.1:1";
/** Those with a help of their own. */
const COMMANDS = [
  "serve",
  "sync",
  "import",
  "doctor",
  "demo",
  "camera",
  "password",
  "healthcheck",
  "completion",
  "licenses",
  "version",
];

let place: Place;
beforeAll(async () => {
  place = await temporaryPlace();
});
afterAll(async () => {
  // Nothing here was to leave a trace: not where it ran, not at home, not among temporary files.
  expect(await treeOf(place.cwd)).toEqual([]);
  expect(await treeOf(place.home)).toEqual([]);
  await place[Symbol.asyncDispose]();
});

function dashdock(...args: string[]): Promise<Ended> {
  return runIn(args, { cwd: place.cwd, env: { HOME: place.home, TMPDIR: place.home } });
}

/** One usage problem: exit code 2, a sentence on standard error that says this, nothing else, no file. */
async function expectRefused(args: readonly string[], said: string): Promise<void> {
  await using place = await temporaryPlace();
  const { code, out, err } = await runIn(args, { cwd: place.cwd, env: { HOME: place.home, TMPDIR: place.home } });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(said);
  expect(err).not.toMatch(/unexpected|\n\s+at /);
  expect([await treeOf(place.cwd), await treeOf(place.home)]).toEqual([[], []]);
}

describe("version and help", () => {
  for (const spelling of ["version", "--version", "-V"])
    test(`${spelling} prints the version of package.json`, async () =>
      expect(await dashdock(spelling)).toEqual({ code: 0, out: `dashdock ${version}\n`, err: "" }));

  for (const spelling of ["help", "--help", "-h"])
    test(`${spelling} names every command with a sentence`, async () => {
      const { code, out, err } = await dashdock(spelling);
      expect([code, err]).toEqual([0, ""]);
      for (const command of [...COMMANDS, "help"]) expect(out).toMatch(new RegExp(`^  ${command} +\\S`, "m"));
    });

  for (const command of COMMANDS)
    test(`${command} --help, -h and help ${command} print the command's options`, async () => {
      const answers = await Promise.all([
        dashdock(command, "--help"),
        dashdock(command, "-h"),
        dashdock("help", command),
        dashdock(command, "somewhere", "--nonsense", "--help"),
      ]);
      for (const answer of answers) {
        expect(answer).toEqual({ code: 0, out: expect.stringContaining(`Usage: dashdock ${command}`), err: "" });
        expect(answer.out).toBe(answers[0].out);
      }
    });

  test("help --help prints help, and a mistake in its words points to it", async () => {
    expect(await dashdock("help", "--help")).toEqual(await dashdock("help"));
    expect((await dashdock("help", "nope")).err).toEndWith('\nSee "dashdock help".\n');
    expect((await dashdock("version", "1")).err).toEndWith('\nSee "dashdock help version".\n');
  });

  test("help guide lists the chapters, and prints each of them without a mark of a terminal, in lines that fit", async () => {
    const { code, out } = await dashdock("help", "guide");
    expect(code).toBe(0);
    for (const name of CHAPTER_NAMES) expect(out).toContain(`* ${name}: `);
    const first = await dashdock("help", "guide", "sign-in");
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toContain("The password is forgotten\n-------------------------\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape is what must not be there
    expect(first.out).not.toMatch(/\u001b|\]\(|<!--/);
    expect(first.out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect((await dashdock("help", "guide", "settings")).out).toContain("variable: ADDRESS");
    const unknown = await dashdock("help", "guide", "nope");
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('no chapter "nope"')]);
  });

  test("the help of sync names every option it takes, and nothing else", async () => {
    const { out } = await dashdock("help", "sync");
    const named = new Set([...out.matchAll(/(?<=^ .*)--[a-z-]+/gm)].map(([option]) => option));
    expect(named.size).toBe(23);
    for (const option of named) {
      // Taken: whatever is said, it is not that the option is unknown.
      const { err } = await dashdock("sync", "not an address", option);
      expect(err).not.toContain("Unknown option");
    }
  });

  test("no line of help is wider than a terminal", async () => {
    for (const topic of [[], ...COMMANDS.map((command) => [command])])
      for (const line of (await dashdock("help", ...topic)).out.split("\n"))
        expect(line.length).toBeLessThanOrEqual(100);
  });
});

describe("what cannot be understood", () => {
  const cases: [args: string[], said: string][] = [
    [["nope"], 'There is no command "nope". The commands are: '],
    // Without a command it is the service that is meant.
    [["--nope"], "Unknown option '--nope'"],
    [["--port", "http"], "--port must be a whole number from 0 to 65535"],
    [["serve", "--nope"], "Unknown option '--nope'"],
    [["serve", "here"], '"here"'],
    [["import"], "Say which folder: dashdock import FOLDER"],
    [["import", "one", "two"], '"two"'],
    [["import", "nothing-here"], "/nothing-here is not there"],
    [["import", ".", "--camera", "van"], 'There is no camera "van". The cameras are: main'],
    [["import", ".", "-d", ""], "--destination must not be empty"],
    [["import", ".", "-d", "."], "lies in the recordings folder"],
    [["import", ".", "-g", "hourly"], "--grouping"],
    [["import", ".", "--keep", "1d"], "Unknown option '--keep'"],
    [["serve", "--port", "70000"], "--port"],
    [["serve", "--config"], "--config"],
    // An empty one is a shell variable that was not set, and would mean this very folder.
    [["serve", "--config", ""], "--config must not be empty"],
    [["serve", "--destination", ""], "--destination must not be empty"],
    [["serve", "--host", ""], "--host must not be empty"],
    [["password", "--stdin", "--config", ""], "--config must not be empty"],
    [["healthcheck", "--config", ""], "--config must not be empty"],
    [["password", "--nope"], "Unknown option '--nope'"],
    [["password", "secret"], "Too many arguments"],
    [["healthcheck", "--port", "0"], "--port must be a whole number from 1 to 65535"],
    [["healthcheck", "--nope"], "Unknown option '--nope'"],
    [["Sync"], 'There is no command "Sync"'],
    [[""], 'There is no command ""'],
    [["toString"], 'There is no command "toString"'],
    [["__proto__"], 'There is no command "__proto__"'],
    [["192.168.1.20"], "There is no command"],
    [["help", "nope"], '"nope"'],
    [["help", "toString"], '"toString"'],
    [["help", "sync", "camera"], "camera"],
    [["version", "--nope"], "--nope"],
    [["version", "1"], "1"],
    [["camera", "--nope"], "--nope"],
    [["camera", "here"], "here"],
    [["camera", "--port", "70000"], "--port"],
    [["camera", "--port", "-1"], "--port"],
    [["camera", "--port", "http"], "--port"],
    [["camera", "--recordings", "many"], "--recordings"],
    [["camera", "--recordings", "1.5"], "--recordings"],
    [["camera", "--rate", "0"], "--rate"],
    [["camera", "--rate", "fast"], "--rate"],
    [["camera", "--generation", "v2"], "--generation"],
    [["camera", "--model", "dr1"], "--model"],
    [["camera", "--fault", "nope"], '"nope"'],
    [["camera", "--fault", ""], '""'],
    [["demo", "--nope"], "--nope"],
    [["demo", "here"], "here"],
    [["demo", "--recordings", "0"], "--recordings"],
    [["demo", "--rate", "0"], "--rate"],
    [["demo", "--cameras", "0"], "--cameras"],
    [["demo", "--history", "61"], "--history"],
    [["demo", "--cameras", "11"], "--cameras"],
    [["camera", "--name", " "], "--name"],
    [["camera", "--name", "a name of more than thirty-two bytes"], "--name"],
    [["camera", "--name", "two\nlines"], "--name"],
    [["demo", "--generation", "v2"], "--generation"],
    [["demo", "--data"], "--data"],
  ];
  for (const [args, said] of cases)
    test(`dashdock ${args.map((arg) => arg || '""').join(" ")} is refused with a sentence`, () =>
      expectRefused(args, said));
});

describe("sync refuses", () => {
  const cases: [args: string[], said: string][] = [
    [[], "address"],
    [[""], "address"],
    [["camera", "another"], '"another"'],
    [["http://"], "address"],
    [["http://a b/Record"], "is not an address"],
    [["http://user@camera/"], "is not an address"],
    [["user@camera"], "is not an address"],
    [["a b"], "is not an address"],
    [["camera:0"], "is not an address"],
    [["camera:65536"], "is not an address"],
    [["camera:http"], "is not an address"],
    [["::1"], "is not an address"],
    [["[::1"], "is not an address"],
    [["[camera]"], "is not an address"],
    [["300.1.1.1"], "is not an address"],
    [["ftp://camera"], "is not an address"],
    [[NOBODY, "--nope"], "--nope"],
    [[NOBODY, "-x"], "-x"],
    [[NOBODY, "--destinatio", "x"], "--destinatio"],
    [[NOBODY, "-d"], "--destination"],
    [[NOBODY, "-d", ""], "--destination"],
    [[NOBODY, "-d", "-k"], "-d"],
    [[NOBODY, "-g", "hourly"], "--grouping must be one of none, daily, weekly, monthly, yearly"],
    [[NOBODY, "-g", "Daily"], "--grouping"],
    [[NOBODY, "--grouping="], "--grouping"],
    [[NOBODY, "-k", "12h"], "--keep"],
    [[NOBODY, "-k", "12 hours"], "--keep"],
    [[NOBODY, "-k", "0d"], "--keep"],
    [[NOBODY, "-k", "forever"], "--keep"],
    [[NOBODY, "-k", ""], "--keep"],
    [[NOBODY, "-k=2w"], "--keep"],
    [[NOBODY, "-p", "size"], "--priority must be one of date, rdate, type, smart"],
    [[NOBODY, "-i", "Z"], "--include"],
    [[NOBODY, "-i", "P,nq"], '--include: "nq"'],
    [[NOBODY, "-i", "ABC"], "--include"],
    [[NOBODY, "-e", "PX"], '--exclude: "PX"'],
    [[NOBODY, "-e", "1F"], "--exclude"],
    [[NOBODY, "-u", "4"], "--max-used-disk must be a whole number from 5 to 98"],
    [[NOBODY, "-u", "99"], "--max-used-disk"],
    [[NOBODY, "-u", "50%"], "--max-used-disk"],
    [[NOBODY, "-u", "7.5"], "--max-used-disk"],
    [[NOBODY, "-u", ""], "--max-used-disk"],
    [[NOBODY, "-t", "0"], "--timeout"],
    [[NOBODY, "--timeout=-1"], "--timeout"],
    [[NOBODY, "-t", "301"], "--timeout"],
    [[NOBODY, "-t", "NaN"], "--timeout"],
    [[NOBODY, "-t", "Infinity"], "--timeout"],
    [[NOBODY, "-t", "10s"], "--timeout"],
    [[NOBODY, "-t", ""], "--timeout"],
    // Half a second is a timeout, however it is written: what is refused is the next option.
    [[NOBODY, "-t", ".5", "-k", "0d"], "--keep"],
    [[NOBODY, "--retry-failed-after", "0s"], "--retry-failed-after"],
    [[NOBODY, "--retry-failed-after", "soon"], "--retry-failed-after"],
    [[NOBODY, "--skip-metadata", "T"], '"T"'],
    [[NOBODY, "--skip-metadata", "t,3"], '","'],
    [[NOBODY, "--dry-run=yes"], "--dry-run"],
    [[NOBODY, "--cron", "yes"], '"yes"'],
    [[NOBODY, "--log-format", "xml"], "--log-format must be one of text, json"],
    [[NOBODY, "--metrics-file"], "--metrics-file"],
    [[NOBODY, "--metrics-file", ""], "--metrics-file"],
    [[NOBODY, "--metrics-state-file", ""], "--metrics-state-file"],
    [[NOBODY, "--metrics-file", import.meta.path], "--metrics-file names something that is there already"],
    [[NOBODY, "--metrics-file", "data/recordings/a.prom"], "--metrics-file must be outside of"],
    [
      [NOBODY, "--metrics-file", "data/a.prom", "--metrics-state-file", import.meta.path],
      "--metrics-state-file names something that is there already",
    ],
    [[NOBODY, "--metrics-pushgateway-url", "pushgateway:9091"], "--metrics-pushgateway-url"],
    [[NOBODY, "--metrics-pushgateway-url", "ftp://gateway"], "--metrics-pushgateway-url"],
    [[NOBODY, "--metrics-pushgateway-url", "http://"], "--metrics-pushgateway-url"],
    [[NOBODY, "--metrics-pushgateway-url", ""], "--metrics-pushgateway-url"],
    [[NOBODY, "--metrics-job", ""], "--metrics-job"],
    [[NOBODY, "--metrics-instance", ""], "--metrics-instance"],
    [[NOBODY, "--affinity-key", "a\r\nX-Evil: 1"], "--affinity-key"],
    [[NOBODY, "--affinity-key", "ключ"], "--affinity-key"],
  ];
  for (const [args, said] of cases)
    test(`${args.map((arg) => JSON.stringify(arg)).join(" ") || "no address"}`, () =>
      expectRefused(["sync", ...args], said));
});
