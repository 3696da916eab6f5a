import { ABOUT, COMMAND_NAMES, type CommandName } from "./command_list.ts";
import { OPTIONS_OF } from "./option_texts.ts";

/** One option as its help tells it. */
export interface OptionHelp {
  /** `-d`, where it has a short form. */
  readonly short: string | null;
  /** `--destination` */
  readonly long: string;
  /** The word that stands for its value; null for a switch. */
  readonly value: string | null;
  readonly text: string;
}

/** The help of a command in its parts. */
export interface CommandHelp {
  readonly name: CommandName;
  readonly about: string;
  /** `dashdock sync ADDRESS [options]` */
  readonly usage: string;
  readonly options: readonly OptionHelp[];
  /** The paragraphs before the options, and those behind them; one whose lines are indented stays as it is. */
  readonly before: readonly string[];
  readonly behind: readonly string[];
}

const OPTION = /^ {2,6}(?:(-\w), )?(--[a-z-]+)(?: ([A-Z][A-Z_]*))?(?: {2,}(.*))?$/;
const CONTINUED = /^ {20,}(\S.*)$/;

/** The help of every command, from the texts that `dashdock help` prints. */
export function allHelp(): CommandHelp[] {
  return COMMAND_NAMES.map((name) => {
    const [usage = "", ...blocks] = (OPTIONS_OF[name] ?? "").split("\n\n");
    const found = blocks.findIndex((block) => OPTION.test(block.split("\n")[0] ?? ""));
    const at = found < 0 ? blocks.length : found;
    return {
      name,
      about: ABOUT[name],
      usage: usage.replace(/^Usage: /, ""),
      before: blocks.slice(0, at),
      options: blocks.slice(at, at + 1).flatMap((block) => optionsIn(block, name)),
      behind: blocks.slice(at + 1),
    };
  });
}

/** @throws Error about a line that is no part of a list of options */
function optionsIn(block: string, command: string): OptionHelp[] {
  const options: { short: string | null; long: string; value: string | null; text: string }[] = [];
  for (const line of block.split("\n")) {
    const [, short = null, long, value = null, text = ""] = OPTION.exec(line) ?? [];
    const last = options.at(-1);
    const more = CONTINUED.exec(line)?.[1];
    if (long !== undefined) options.push({ short, long, value, text });
    else if (last && more !== undefined) last.text = `${last.text} ${more}`.trim();
    else throw new Error(`The help of ${command} has a line that is no option: ${line}`);
  }
  return options;
}
