import { LIFE_NAMES } from "../dashcam/simulator/simulated_life_patterns.ts";
import { OVERWRITING_NAMES } from "../dashcam/simulator/simulated_loop.ts";
import { MODEL_NAMES } from "../dashcam/simulator/simulated_models.ts";
import { WIFI_BANDS } from "../dashcam/simulator/simulated_sizes.ts";
import { FAULT_HELP } from "../dashcam/simulator/simulator_faults.ts";
import { GENERATION_NAMES } from "../dashcam/simulator/simulator_generation.ts";
import { CHAPTER_NAMES } from "../domain/guide/chapters.ts";
import type { Field } from "../domain/settings/field.ts";
import { SECTIONS } from "../domain/settings/settings.ts";
import { allHelp, type CommandHelp, type OptionHelp } from "./command_help.ts";
import type { CommandIO } from "./command_io.ts";
import { COMMAND_NAMES } from "./command_list.ts";
import { readArgs, readChoice, UsageProblem } from "./usage.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** Values of which there are a few. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  "--grouping": valuesOf(SECTIONS.sync.fields.grouping),
  "--priority": valuesOf(SECTIONS.sync.fields.priority),
  "--log-format": valuesOf(SECTIONS.logging.fields.format),
  "--generation": GENERATION_NAMES,
  "--model": MODEL_NAMES,
  "--life": ["help", ...LIFE_NAMES],
  "--wifi": WIFI_BANDS,
  "--overwrites": OVERWRITING_NAMES,
  "--fault": ["help", ...FAULT_HELP.map(({ name }) => name)],
};

/** Words that follow a command and are no options. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  completion: SHELLS,
  help: [...COMMAND_NAMES.filter((name) => name !== "help"), "guide", "man"],
};

/** Words that follow such a word. */
const NEXT: Readonly<Record<string, { readonly word: string; readonly words: readonly string[] }>> = {
  help: { word: "guide", words: CHAPTER_NAMES },
};

/** `completion`: what lets a shell complete commands, options and their values, made from the help. */
export async function completionCommand(args: readonly string[], { out }: CommandIO): Promise<number> {
  const [shell] = readArgs(args, {}, 1).positionals;
  if (shell === undefined) throw new UsageProblem(`Say which shell: ${SHELLS.join(", ")}`);
  out.write(completionFor(readChoice(shell, "The shell", SHELLS)));
  return 0;
}

/** The script for a shell. */
export function completionFor(shell: Shell): string {
  return { bash: forBash, zsh: forZsh, fish: forFish }[shell](allHelp());
}

function valuesOf({ widget }: Pick<Field<unknown>, "widget">): readonly string[] {
  return widget.kind === "select" ? widget.options.map(({ value }) => value) : [];
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** For completion the help's first sentence is enough. */
function shortly({ text }: OptionHelp): string {
  return text.replace(/ \(default: .*$/, "");
}

function forBash(commands: readonly CommandHelp[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap((option) => {
      const given = [option.long, ...(option.short ? [option.short] : [])].map((word) => `${name}:${word}`).join(" | ");
      if (option.value === null) return [];
      return [`    ${given}) ${bashValues(option)} ;;`];
    }),
  );
  const next = Object.entries(NEXT).map(
    ([name, { word, words }]) => `    ${name}:${word}) words=${quoted(words.join(" "))} ;;`,
  );
  const words = commands.map(({ name, options }) => {
    const all = WORDS[name] ?? [...options.map(({ long }) => long), "--help"];
    return `    ${name}) words=${quoted(all.join(" "))} ;;`;
  });
  return `# bash completion of dashdock, made by "dashdock completion bash"
_dashdock() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]} words
  COMPREPLY=()
  if ((COMP_CWORD == 1)) && [[ $current != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W ${quoted(commands.map(({ name }) => name).join(" "))} -- "$current")
    return
  fi
  [[ $command == -* ]] && command=serve
  case $command:$before in
${values.join("\n")}
  esac
  case $command in
${words.join("\n")}
  esac
  case $command:$before in
${next.join("\n")}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _dashdock dashdock
`;
}

function bashValues({ long, value }: OptionHelp): string {
  const choices = CHOICES[long];
  if (choices) return `mapfile -t COMPREPLY < <(compgen -W ${quoted(choices.join(" "))} -- "$current"); return`;
  const kind = { DIR: "-d", FILE: "-f" }[value ?? ""];
  if (kind === undefined) return "return";
  return `compopt -o filenames; mapfile -t COMPREPLY < <(compgen ${kind} -- "$current"); return`;
}

function forZsh(commands: readonly CommandHelp[]): string {
  const list = commands.map(({ name, about }) => `    ${quoted(`${name}:${about.replaceAll(":", "\\:")}`)}`);
  const cases = commands.map(({ name, usage, options }) => {
    const specs = options.map((option) => `        ${zshSpec(option)}`);
    const words = WORDS[name];
    const behind = words ? `1:word:(${words.join(" ")})` : usage.includes(" ADDRESS") ? "1:address:" : null;
    const next = NEXT[name] ? [`2:word:(${NEXT[name].words.join(" ")})`] : [];
    const more = [...(behind === null ? [] : [behind]), ...next].map((spec) => `        ${quoted(spec)}`);
    return [`    ${name})`, "      _arguments -s \\", ...[...specs, ...more].map((spec) => `${spec} \\`)]
      .concat("        '(-h --help)'{-h,--help}'[print the help]' ;;")
      .join("\n");
  });
  return `#compdef dashdock
# zsh completion of dashdock, made by "dashdock completion zsh"
_dashdock() {
  local -a commands
  commands=(
${list.join("\n")}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  if [[ $command == -* ]]; then
    command=serve
  else
    shift words
    ((CURRENT--))
  fi
  case $command in
${cases.join("\n")}
  esac
}
if [[ $funcstack[1] == _dashdock ]]; then _dashdock "$@"; else compdef _dashdock dashdock; fi
`;
}

function zshSpec(option: OptionHelp): string {
  const { short, long, value } = option;
  const about = `[${shortly(option).replaceAll(/[[\]:]/g, "\\$&")}]`;
  const action = CHOICES[long]
    ? `(${CHOICES[long].join(" ")})`
    : ({ DIR: "_files -/", FILE: "_files" }[value ?? ""] ?? "");
  const behind = value === null ? "" : `:${value}:${action}`;
  const [assigned, attached] = value === null ? ["", ""] : ["=", "+"];
  if (short === null) return quoted(`*${long}${assigned}${about}${behind}`);
  return `'*'{${short}${attached},${long}${assigned}}${quoted(`${about}${behind}`)}`;
}

function forFish(commands: readonly CommandHelp[]): string {
  const first = commands.map(
    ({ name, about }) => `complete -c dashdock -n __fish_use_subcommand -a ${name} -d ${fishQuoted(about)}`,
  );
  const rest = commands.flatMap(({ name, options }) => {
    const where = `complete -c dashdock -n '__fish_seen_subcommand_from ${name}'`;
    const words = WORDS[name];
    return [
      ...options.map((option) => {
        const { short, long } = option;
        const names = [...(short ? [`-s ${short.slice(1)}`] : []), `-l ${long.slice(2)}`].join(" ");
        return [where, names, fishValues(option), `-d ${fishQuoted(shortly(option))}`].filter((part) => part).join(" ");
      }),
      ...(words ? [`${where} -a ${fishQuoted(words.join(" "))}`] : []),
      ...(NEXT[name]
        ? [
            `complete -c dashdock -n '__fish_seen_subcommand_from ${NEXT[name].word}' -a ${fishQuoted(NEXT[name].words.join(" "))}`,
          ]
        : []),
    ];
  });
  return `# fish completion of dashdock, made by "dashdock completion fish"
complete -c dashdock -f
${[...first, ...rest].join("\n")}
`;
}

function fishValues({ long, value }: OptionHelp): string {
  if (value === null) return "";
  const choices = CHOICES[long];
  if (choices) return `-x -a ${fishQuoted(choices.join(" "))}`;
  if (value === "DIR") return "-x -a '(__fish_complete_directories)'";
  return value === "FILE" ? "-r -F" : "-x";
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
