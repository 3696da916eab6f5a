import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { allHelp, type CommandHelp } from "../server/commands/command_help.ts";
import { dashdock, type Place, startCommand, temporaryPlace } from "./support/app/process.ts";

setDefaultTimeout(30_000);

const HELP = allHelp();
const SHELLS = ["bash", "zsh", "fish"] as const;
const FOUND = { bash: Bun.which("bash"), zsh: Bun.which("zsh"), fish: Bun.which("fish"), mandoc: Bun.which("mandoc") };
for (const [name, path] of Object.entries(FOUND))
  if (path === null) console.log(`No ${name} found: the tests that ask it are skipped.`);

let place: Place;
beforeAll(async () => {
  place = await temporaryPlace();
  for (const shell of SHELLS) {
    const { code, out, err } = await dashdock(["completion", shell], { cwd: place.cwd });
    expect([code, err]).toEqual([0, ""]);
    await Bun.write(place.at(shell), out);
  }
});
afterAll(() => place[Symbol.asyncDispose]());

const scriptOf = (shell: string) => Bun.file(place.at(shell)).text();

/** Output of a shell, which has to end without an error. */
async function printedBy(...command: string[]): Promise<string> {
  const { code, out, err } = await startCommand(command, { cwd: place.cwd, env: { HOME: place.home } }).ended;
  expect([command[0], code, err]).toEqual([command[0], 0, ""]);
  return out;
}

describe("the help that completion and manual are made from", () => {
  test("has options with a text each", () => {
    const options = HELP.flatMap((help) => help.options);
    expect(options.length).toBeGreaterThan(40);
    expect(options.filter(({ text }) => !/[a-z]/.test(text.replace(/\(.*/, "")))).toEqual([]);
  });

  for (const { name, options } of HELP.filter((help) => help.options.length > 0))
    test(`names options that ${name} takes, with a value where it does`, async () => {
      // The first mistake is the one that is told.
      const words = options.flatMap(({ short, long, value }) =>
        [long, ...(short ? [short] : [])].flatMap((word) => (value === null ? [word] : [word, "1"])),
      );
      const { code, err } = await dashdock([name, ...words, "--nonsense"], { cwd: place.cwd });
      expect([code, err]).toEqual([2, expect.stringContaining("--nonsense")]);
    });
});

describe.each(SHELLS)("completion for %s", (shell) => {
  test("knows every command and every option", async () => {
    const script = await scriptOf(shell);
    for (const { name, options } of HELP) {
      expect(script).toContain(name);
      for (const { long } of options) expect(script).toContain(shell === "fish" ? `-l ${long.slice(2)}` : long);
    }
  });

  test.skipIf(FOUND[shell] === null)("is a script that the shell can read", async () => {
    expect(await printedBy(FOUND[shell] ?? shell, "-n", place.at(shell))).toBe("");
  });
});

/** The words typed last, and what they become. */
const TYPED: readonly (readonly [typed: readonly string[], offered: readonly string[]])[] = [
  [["do"], ["doctor"]],
  [["sync", "--gr"], ["--grouping"]],
  [
    ["sync", "192.168.1.20", "--priority", ""],
    ["date", "rdate", "smart", "type"],
  ],
  [
    ["completion", ""],
    ["bash", "fish", "zsh"],
  ],
  [["help", "m"], ["man"]],
  [["help", "guide", "tr"], ["transfers"]],
  [["camera", "--generation", "v"], ["v1009"]],
];

test.skipIf(FOUND.bash === null).each(TYPED)("bash completes dashdock %p", async (typed, offered) => {
  const words = ["dashdock", ...typed].map((word) => `'${word}'`).join(" ");
  const ask = `source ${place.at("bash")}; COMP_WORDS=(${words}) COMP_CWORD=${typed.length}; _dashdock; printf '%s\\n' "\${COMPREPLY[@]}"`;
  expect((await printedBy("bash", "-c", ask)).trimEnd().split("\n").toSorted()).toEqual([...offered]);
});

test.skipIf(FOUND.bash === null)("bash completes folders and files where they are meant", async () => {
  await Bun.write(place.at("there", "a file.prom"), "");
  const ask = async (option: string) => {
    const words = `dashdock sync ${option} ${place.at("there")}/`;
    const run = `source ${place.at("bash")}; compopt() { :; }; COMP_WORDS=(${words}) COMP_CWORD=3; _dashdock; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await printedBy("bash", "-c", run)).trimEnd();
  };
  expect(await ask("--metrics-file")).toBe(place.at("there", "a file.prom"));
  expect(await ask("--destination")).toBe("");
});

test.skipIf(FOUND.fish === null).each(TYPED)("fish completes dashdock %p", async (typed, offered) => {
  const ask = `source ${place.at("fish")}; complete -C 'dashdock ${typed.join(" ")}'`;
  const lines = (await printedBy("fish", "--no-config", "-c", ask)).trimEnd().split("\n");
  expect(lines.map((line) => line.split("\t")[0]).toSorted()).toEqual([...offered]);
});

test("completion says which shells there are", async () => {
  for (const [words, said] of [
    [["completion"], "Say which shell: bash, zsh, fish"],
    [["completion", "tcsh"], "bash, zsh, fish"],
  ] as const) {
    const { code, out, err } = await dashdock(words, { cwd: place.cwd });
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(said)]);
  }
});

describe("the manual page", () => {
  const named = ({ name, options }: CommandHelp) => [name, ...options.map(({ long }) => long)];

  test("has every command, option and variable, and is the same each time", async () => {
    const { code, out, err } = await dashdock(["help", "man"], { cwd: place.cwd });
    expect([code, err]).toEqual([0, ""]);
    expect((await dashdock(["help", "man"], { cwd: place.cwd })).out).toBe(out);
    const text = out.replaceAll("\\-", "-");
    for (const word of [...HELP.flatMap(named), "ADDRESS", "LOG_FORMAT", "SERVICE_CONFIG_DIR"])
      expect(text).toContain(word);
    expect(text).toContain("Exit codes: ");
  });

  test.skipIf(FOUND.mandoc === null)("has nothing that its reader objects to", async () => {
    const { out } = await dashdock(["help", "man"], { cwd: place.cwd });
    await Bun.write(place.at("dashdock.1"), out);
    const { out: said, err } = await startCommand(["mandoc", "-T", "lint", "-W", "warning", place.at("dashdock.1")], {
      cwd: place.cwd,
    }).ended;
    // Without a date the page is the same whenever it is made.
    expect((said + err).split("\n").filter((line) => line !== "" && !line.includes("missing date"))).toEqual([]);
  });
});
