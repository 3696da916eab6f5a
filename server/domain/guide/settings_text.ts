import { type Choice, type Field, rangeInWords, type TextReading, type Tier } from "../settings/field.ts";
import { fieldsOf, SECTION_NAMES, SECTIONS, type SectionName } from "../settings/settings.ts";

const TEXTS: Readonly<Record<TextReading, string>> = {
  address: "empty, or a host name or IP address, with `:port` where it is not 80",
  age: "empty, or a duration in `d w y`",
  age_or_always: "empty, a duration in `d w y`, or `always`",
  broker: "an address with `mqtt://` or `mqtts://`",
  code: "codes such as `P` and `NF`",
  cron: "five fields, as in cron",
  delay: "a duration in `s h d w y`",
  gateway: "an address with `http://` or `https://`",
  host_name: "host names",
  network: "IP addresses and ranges",
  path: "a whole path",
  target: "addresses of services",
  time: "empty, or a time such as `22:00`",
  time_zone: "a name such as `Europe/Rome`",
  viewer_name: "a user name, or empty",
};
const COUNTS: Readonly<Record<Tier, string>> = {
  immediate: "at once",
  next_tick: "with the next sync",
  restart: "after a restart",
};
/** The chapter that tells more about a section. */
const MORE: Partial<Record<SectionName, string>> = {
  connection: "[The camera cannot be reached](unreachable.md)",
  schedule: "[Syncing](syncing.md)",
  sync: "[Syncing](syncing.md)",
  retention: "[Keep and delete](deleting.md)",
  metrics: "[Monitoring](monitoring.md)",
  viewer: "[The viewer](viewer.md)",
  places: "[Names of places](viewer.md#names-of-places)",
  notify: "[Tell me](telling.md)",
  mqtt: "[Home Assistant](home-assistant.md)",
  offsite: "[Off-site](offsite.md)",
  export: "[A pack for the police or the insurer](viewer.md#a-pack-for-the-police-or-the-insurer)",
  web: "[Sign-in](sign-in.md) and [Behind a reverse proxy](proxy.md)",
  auth: "[Sign-in](sign-in.md) and [Behind a reverse proxy](proxy.md)",
  system: "[Settings file and variables](variables.md)",
};

/** Every setting with a heading of its own: its help, first value, values, variable, and when a change counts. */
export function settingsText(): string {
  return SECTION_NAMES.map((name) => {
    const { label } = SECTIONS[name];
    const more = MORE[name];
    const fields = fieldsOf(name).map(([key, field]) => settingText(name, key, field));
    return [`## ${label}`, ...(more === undefined ? [] : [`More: ${more}.`]), ...fields].join("\n\n");
  }).join("\n\n");
}

function settingText(section: SectionName, key: string, field: Field<unknown>): string {
  const first = code(field.initial) + (field.unit && typeof field.initial === "number" ? ` ${field.unit}` : "");
  const facts = [
    ["at first", field.secret?.remedy ? "" : first],
    ["may be", valuesOf(field)],
    ["variable", field.env ? code(field.env.name, String) : ""],
    ["a change counts", COUNTS[field.applies ?? SECTIONS[section].tier]],
  ].filter(([, value]) => value !== "");
  const change = field.unread ? "Not used yet." : `[Change it](/settings#${section}-${key})`;
  return [
    `### ${field.label} \`${section}.${key}\``,
    field.help,
    facts.map(([name, value]) => `- ${name}: ${value}`).join("\n"),
    change,
  ].join("\n\n");
}

function valuesOf({ widget, secret }: Field<unknown>): string {
  switch (widget.kind) {
    case "switch":
      return "`true`, `false`";
    case "select":
      return optionsIn(widget);
    case "choices":
      return `a list of ${optionsIn(widget)}`;
    case "number":
      return `${rangeInWords(widget)}${widget.nullable ? ", or `null`" : ""}`;
    case "lines":
      return `a list of ${widget.reading ? TEXTS[widget.reading] : "texts"}`;
    case "text":
      return `${widget.reading ? TEXTS[widget.reading] : "a text"}${widget.nullable ? ", or `null`" : ""}`;
    case "secret":
      return "a text that is never shown, or `null`";
    case "page":
      return widget.values;
    default:
      return `never shown; ${secret?.remedy}`;
  }
}

/** Each option with what it means. */
function optionsIn({ options }: { readonly options: readonly Choice[] }): string {
  return options
    .map(({ value, words }) => (words === value ? code(value, String) : `${code(value, String)} (${words})`))
    .join(", ");
}

function code(value: unknown, say: (value: unknown) => string = JSON.stringify): string {
  return `\`${say(value)}\``;
}

/** The variables that the first settings are taken from, and the setting of each. */
export function variablesTable(): string {
  const rows = SECTION_NAMES.flatMap((section) =>
    fieldsOf(section).flatMap(([key, { env, label }]) =>
      env ? [`| \`${env.name}\` | ${label} | [\`${section}.${key}\`](settings.md#${section}-${key}) |`] : [],
    ),
  );
  const password = "| `SERVICE_ADMIN_PASSWORD` | Password | [`auth.password_hash`](settings.md#auth-password_hash) |";
  return ["| variable | first value of | setting |", "|---|---|---|", ...rows, password].join("\n");
}
