import { fieldsOf, SECTION_NAMES } from "../domain/settings/settings.ts";
import { VERSION } from "../version.ts";
import { allHelp, type CommandHelp } from "./command_help.ts";

/** Variables that are no settings. */
const ALWAYS: readonly (readonly [name: string, about: string])[] = [
  ["SERVICE_CONFIG_DIR", "The config folder."],
  ["SERVICE_HOST", "The address to listen on."],
  ["SERVICE_TRUST_PROXY", "1 when a reverse proxy is in front."],
  ["TZ", "The zone of the machine."],
];

/** The manual page in the language of man(1), made from the help of the commands. */
export function manPage(): string {
  const seeds = SECTION_NAMES.flatMap((section) =>
    fieldsOf(section).flatMap(([key, { env, label }]) =>
      env ? [[env.name, `${section}.${key}: ${label}.`] as const] : [],
    ),
  );
  return [
    '.\\" Made by "dashdock help man".',
    `.TH DASHDOCK 1 "" "Dashdock ${VERSION}" "User Commands"`,
    ".SH NAME",
    "dashdock \\- brings a dashcam's recordings home and shows them",
    ".SH SYNOPSIS",
    ".B dashdock",
    '.RI [ command " " [ options ]]',
    ".SH DESCRIPTION",
    "Brings the recordings of a BlackVue\\-compatible dashcam home over Wi\\-Fi, and shows them in a browser.",
    "Without a command, a terminal gets the help. Without a terminal, and in a container, the service runs.",
    ".SH COMMANDS",
    ...allHelp().flatMap(commandLines),
    ".SH ENVIRONMENT",
    "Read at every start:",
    ...ALWAYS.flatMap(entry),
    ".PP",
    "First values of the settings, for the first start:",
    ...seeds.flatMap(entry),
    ".SH FILES",
    ...entry(["data/config", "The config folder, where nothing names another one: settings, history, logs."]),
    ...entry(["data/recordings", "The recordings, likewise."]),
    "",
  ].join("\n");
}

function commandLines({ usage, before, options, behind }: CommandHelp): string[] {
  const [first = "", ...others] = before;
  return [
    `.SS ${escaped(usage)}`,
    ...sentences(first),
    ...others.flatMap(paragraph),
    ...options.flatMap(({ short, long, value, text }) => {
      const names = [short, long].filter((name) => name !== null).map((name) => `\\fB${escaped(name)}\\fR`);
      return [".TP", `${names.join(", ")}${value === null ? "" : ` \\fI${escaped(value)}\\fR`}`, line(text)];
    }),
    ...behind.flatMap(paragraph),
  ];
}

/** One whose lines are indented is shown as it is. */
function paragraph(text: string): string[] {
  return text.startsWith("  ") ? [".PP", ".nf", ...text.split("\n").map(line), ".fi"] : [".PP", ...sentences(text)];
}

/** Each on a line of its own, as man pages have them. */
function sentences(text: string): string[] {
  return text
    .replaceAll("\n", " ")
    .split(/(?<=\.) (?=[A-Z])/)
    .map(line);
}

function entry([name, about]: readonly [string, string]): string[] {
  return [".TP", `.B ${escaped(name)}`, line(about)];
}

/** A line of text; one that begins with a dot or an apostrophe would be taken for an instruction. */
function line(text: string): string {
  return escaped(text).replace(/^(?=[.'])/, "\\&");
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("’", "'");
}
