import { parseArgs } from "node:util";
import { damageParsers } from "./parser_rounds.ts";
import { playRounds } from "./rounds.ts";

/**
 * `bun run torture`: a camera that shows every fault, and a program that is killed at any moment, for as long as told.
 * Ends with 1 at the first thing that is wrong, with the folder in which it can be seen. With `--parsers` it damages files
 * instead, and looks at what is read of them.
 */
const HELP = `bun run torture [options]
  --seed N       the same rounds again; a new number each time when left out
  --first N      begin with this round of the seed, counted from 1
  --seconds N    end after so long (120)
  --kills N      end after so many kills
  --rounds N     end after so many rounds
  --jobs N       so many rounds at a time (2)
  --deleting     only rounds in which recordings are deleted; otherwise each third one is
  --situation NAME  only rounds in this situation: limits, disks, marks, clocks, halves, ahead, endless, links, names,
                 cameras
  --parsers N    in place of rounds: so many damaged files for each parser, or for those named by --only
  --only KIND    gps, gsensor, embedded, mp4 (more than once for several)
  --go-on        do not end at the first thing that is wrong`;

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    first: { type: "string", default: "1" },
    seconds: { type: "string" },
    kills: { type: "string" },
    rounds: { type: "string" },
    jobs: { type: "string" },
    deleting: { type: "boolean", default: false },
    situation: { type: "string" },
    parsers: { type: "string" },
    only: { type: "string", multiple: true },
    "go-on": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const numberOf = (text: string | undefined, initial: number) => {
  if (text === undefined) return initial;
  if (/^[0-9]{1,10}$/.test(text)) return Number(text);
  console.error(`"${text}" is no whole number\n${HELP}`);
  process.exit(2);
};
const { kills: mostKills, rounds: mostRounds } = values;
const seed = numberOf(values.seed, crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);
const first = numberOf(values.first, 1);
// A number of kills or rounds says how long it takes.
const isOpen = mostKills !== undefined || mostRounds !== undefined;
const limits = {
  seconds: numberOf(values.seconds, isOpen ? Number.POSITIVE_INFINITY : 120),
  kills: numberOf(mostKills, Number.POSITIVE_INFINITY),
  rounds: numberOf(mostRounds, Number.POSITIVE_INFINITY),
};

if (values.parsers !== undefined) {
  const inputs = numberOf(values.parsers, 0);
  console.log(`Seed ${seed}. The same again: bun run torture --parsers ${inputs} --seed ${seed}`);
  const done = await damageParsers(seed, { inputs, first, measures: true }, values.only);
  for (const { kind, seconds, longestMs, grownBytes, wrong } of done) {
    const grown = (grownBytes / 1e6).toFixed(0);
    console.log(
      `${kind}: ${inputs} inputs in ${seconds.toFixed(0)} s, the longest took ${longestMs.toFixed(1)} ms, memory grew by ${grown} MB, ${wrong.length} wrong`,
    );
    for (const problem of wrong) console.log(`  ${problem}`);
  }
  process.exit(done.every(({ wrong }) => wrong.length === 0) ? 0 : 1);
}
console.log(`Seed ${seed}. The same again: bun run torture --seed ${seed}`);
const total = await playRounds(
  seed,
  {
    first,
    jobs: numberOf(values.jobs, 2),
    goesOn: values["go-on"],
    deleting: values.deleting,
    situation: values.situation,
    limits,
  },
  console.log,
);
process.exit(total.violations === 0 ? 0 : 1);
