import * as v from "valibot";
import { GROUPINGS } from "../recordings/date_folders.ts";
import { codeProblem, upperCode } from "../recordings/selection_codes.ts";
import { addressProblem, LONGEST_ADDRESS, networkProblem, shown } from "./address.ts";
import { AGE_UNITS, DELAY_UNITS, parseDuration, shortDuration } from "./duration.ts";
import { gatewayProblem, withoutCredentials } from "./gateway.ts";
import { hostNameProblem } from "./host_names.ts";
import { cronProblem, FALLBACK_SCHEDULE, timeZoneProblem } from "./schedule.ts";
import { SETTINGS_VERSION } from "./settings_migrations.ts";

/** In which order recordings are downloaded. */
export const PRIORITIES = ["date", "rdate", "type"] as const;
export type Priority = (typeof PRIORITIES)[number];

/**
 * The one schema: every setting with its check, initial value, words and environment variable. The file, the API, the
 * settings page, the first start and the documentation all read this table.
 */

/** How soon a change takes effect: at once, with the next sync, or after a restart. */
export type Tier = "immediate" | "next_tick" | "restart";

/** A text that has a reading of its own, which a form can show while it is typed. */
export type Reading =
  | "address"
  | "age"
  | "age_or_always"
  | "code"
  | "cron"
  | "delay"
  | "host_name"
  | "network"
  | "path"
  | "time_zone";

/** How a form asks for a value. */
export type Widget =
  | { readonly kind: "switch" }
  | { readonly kind: "select"; readonly options: readonly string[] }
  | {
      readonly kind: "number";
      readonly whole: boolean;
      readonly min: number;
      readonly max: number;
      /** `min` itself is too low. */
      readonly above?: true;
      /** Empty stands for null. */
      readonly nullable?: true;
    }
  | { readonly kind: "text"; readonly nullable: boolean; readonly reading?: Reading }
  | { readonly kind: "lines"; readonly reading?: Reading; readonly options?: readonly string[] };

/** How the text of an environment variable becomes a value; `letters` makes a list of its characters. */
export type EnvReading = "boolean" | "letters" | "list" | "number" | "text";

interface About {
  readonly label: string;
  readonly help: string;
  readonly unit?: string;
  readonly env?: { readonly name: string; readonly read: EnvReading };
  /** Never shown. With a `remedy` it is not taken from an API body either, and that is how it is set instead. */
  readonly secret?: { readonly remedy: string | null };
  /** What is shown of a value that carries something secret. Sent back like that, it stays as it is. */
  readonly shownAs?: (value: string) => string;
  /** Nothing reads it yet, so the settings page does not offer it. */
  readonly unread?: true;
}

export interface Field<T> extends About {
  /** Messages are the rest of a sentence that begins with the field's path, such as `must be true or false`. */
  readonly check: v.GenericSchema<unknown, T>;
  readonly initial: T;
  /**
   * What counts in place of a stored value that cannot be used, where the initial value would delete more than was
   * meant, and the sentence that says so. Without it that is the initial value.
   */
  readonly safest?: { readonly value: T; readonly words: string };
  readonly widget: Widget;
}

export interface Section<F> {
  readonly tier: Tier;
  readonly label: string;
  readonly fields: F;
}

/** What a field accepts, and how a form asks for it. */
interface Kind<T> {
  readonly check: v.GenericSchema<unknown, T>;
  readonly widget: Widget;
}

function field<T>(
  kind: Kind<T>,
  initial: NoInfer<T>,
  about: About & { readonly safest?: { readonly value: NoInfer<T>; readonly words: string } },
): Field<T> {
  return Object.freeze({ ...kind, ...about, initial: freezeList(initial) });
}

function section<F>(tier: Tier, label: string, fields: F): Section<F> {
  return { tier, label, fields };
}

const must = (rule: string) => (issue: { input: unknown }) => `must be ${rule}, got ${shown(issue.input)}`;

/** The sentence of the rule that `problem` finds broken. */
const unusable = (problem: (text: string) => string | null) => (issue: { input: unknown }) =>
  `is not usable: ${problem(String(issue.input))}`;

function flag(): Kind<boolean> {
  return { check: v.boolean(must("true or false")), widget: { kind: "switch" } };
}

function choice<const T extends readonly string[]>(options: T): Kind<T[number]> {
  const message = must(`one of ${options.join(", ")}`);
  return { check: v.picklist(options, message), widget: { kind: "select", options } };
}

function whole(min: number, max: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  const message = must(`a whole number ${range}`);
  return {
    check: v.pipe(v.number(message), v.safeInteger(message), v.minValue(min, message), v.maxValue(max, message)),
    widget: { kind: "number", whole: true, min, max },
  };
}

function numberAbove(limit: number, max: number): Kind<number> {
  const message = must(`a number above ${limit} and at most ${max}`);
  return {
    check: v.pipe(v.number(message), v.finite(message), v.gtValue(limit, message), v.maxValue(max, message)),
    widget: { kind: "number", whole: false, min: limit, max, above: true },
  };
}

function numberWithin(min: number, max: number): Kind<number> {
  const message = must(`a number from ${min} to ${max}`);
  return {
    check: v.pipe(v.number(message), v.finite(message), v.minValue(min, message), v.maxValue(max, message)),
    widget: { kind: "number", whole: false, min, max },
  };
}

/** Longer than any path, address or name; what a message repeats stays short. */
const LONGEST_TEXT = 4096;

function checkedText(type: string, problem: (text: string) => string | null) {
  return v.pipe(
    v.string(must(type)),
    v.maxLength(LONGEST_TEXT, `must be at most ${LONGEST_TEXT} characters long`),
    v.check((text) => problem(text) === null, unusable(problem)),
  );
}

function text(problem: (text: string) => string | null = controlProblem, reading?: Reading): Kind<string> {
  return {
    check: checkedText("a string", problem),
    widget: { kind: "text", nullable: false, ...(reading && { reading }) },
  };
}

function nullableText(
  problem: (text: string) => string | null = controlProblem,
  reading?: Reading,
): Kind<string | null> {
  return {
    check: v.nullable(checkedText("a string or null", problem)),
    widget: { kind: "text", nullable: true, ...(reading && { reading }) },
  };
}

/** Read in every form that `parseDuration` knows, kept in the short one. */
function age(): Kind<string> {
  const problem = (value: string) => (value === "" ? null : durationProblem(value, AGE_UNITS));
  const short = v.transform((value: string) => (value === "" ? "" : shortDuration(value, AGE_UNITS)));
  return {
    check: v.pipe(checkedText("a string", problem), short),
    widget: { kind: "text", nullable: false, reading: "age" },
  };
}

/** As `age`, or `always`. */
function ageOrAlways(): Kind<string> {
  const isAlways = (value: string) => value.trim().toLowerCase() === "always";
  const problem = (value: string) => {
    const wrong = value === "" || isAlways(value) ? null : durationProblem(value, AGE_UNITS);
    return wrong === null ? null : `${wrong}, or always`;
  };
  const short = v.transform((value: string) =>
    value === "" ? "" : isAlways(value) ? "always" : shortDuration(value, AGE_UNITS),
  );
  return {
    check: v.pipe(checkedText("a string", problem), short),
    widget: { kind: "text", nullable: false, reading: "age_or_always" },
  };
}

/** A limit, or null for none. */
function limit(max: number): Kind<number | null> {
  const message = must(`null or a number above 0 and at most ${max}`);
  const number = v.pipe(v.number(message), v.finite(message), v.gtValue(0, message), v.maxValue(max, message));
  return {
    check: v.nullable(number),
    widget: { kind: "number", whole: false, min: 0, max, above: true, nullable: true },
  };
}

function delay(): Kind<string> {
  const problem = (value: string) => durationProblem(value, DELAY_UNITS);
  const short = v.transform((value: string) => shortDuration(value, DELAY_UNITS));
  return {
    check: v.pipe(checkedText("a string", problem), short),
    widget: { kind: "text", nullable: false, reading: "delay" },
  };
}

/** No list of a person's is longer; what lists more is somebody's attempt to keep the service busy. */
export const MOST_ENTRIES = 1000;

function entry(problem: (text: string) => string | null) {
  const short = v.maxLength<string, number, string>(
    LONGEST_ADDRESS,
    `must have entries of at most ${LONGEST_ADDRESS} characters`,
  );
  return v.pipe(
    v.string(must("a list of strings")),
    short,
    v.check((text) => problem(text) === null, unusable(problem)),
  );
}

function entries<T>(each: v.GenericSchema<unknown, T>) {
  const most = v.maxLength<T[], number, string>(MOST_ENTRIES, `must have at most ${MOST_ENTRIES} entries`);
  return v.pipe(v.array(each, must("a list of strings")), most);
}

function networks(): Kind<readonly string[]> {
  const check = entries(entry(networkProblem));
  return { check: v.pipe(check, v.readonly()), widget: { kind: "lines", reading: "network" } };
}

function hostNames(): Kind<readonly string[]> {
  const check = entries(entry(hostNameProblem));
  return { check: v.pipe(check, v.readonly()), widget: { kind: "lines", reading: "host_name" } };
}

/** Codes in any case, kept in capitals. */
function codes(): Kind<readonly string[]> {
  const check = entries(v.pipe(entry(codeProblem), v.transform(upperCode)));
  return { check: v.pipe(check, v.readonly()), widget: { kind: "lines", reading: "code" } };
}

function choices<const T extends readonly string[]>(options: T): Kind<readonly T[number][]> {
  const strings = entries(v.string(must("a list of strings")));
  const each = v.picklist(options, must(`a list of ${options.join(", ")}, one per entry`));
  return {
    check: v.pipe(strings, v.array(each), v.readonly()),
    widget: { kind: "lines", options },
  };
}

/** A text whose value no message repeats. */
function hiddenText(rule: RegExp, inWords: string): Kind<string> {
  const check = v.pipe(v.string("must be a string"), v.regex(rule, `must be ${inWords}`));
  return { check, widget: { kind: "text", nullable: false } };
}

function nullableHiddenText(rule: RegExp, inWords: string): Kind<string | null> {
  const check = v.nullable(v.pipe(v.string("must be a string or null"), v.regex(rule, `must be ${inWords}`)));
  return { check, widget: { kind: "text", nullable: true } };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL = /[\u0000-\u001f\u007f]/;
function controlProblem(text: string): string | null {
  return CONTROL.test(text) ? `${shown(text)} holds a control character` : null;
}

function filledProblem(text: string): string | null {
  return text.trim() === "" ? "it is empty" : controlProblem(text);
}

/** The longest duration a date can be moved by without leaving the calendar: a hundred years. */
const LONGEST_DURATION_MS = 36_500 * 86_400_000;

function durationProblem(text: string, units: string): string | null {
  try {
    return parseDuration(text, units).ms > LONGEST_DURATION_MS ? `${shown(text)} is longer than 36500 days` : null;
  } catch (error) {
    return error instanceof RangeError ? error.message : String(error);
  }
}

function urlProblem(text: string): string | null {
  if (text === "") return null;
  const url = URL.canParse(text) && !/\s/.test(text) ? new URL(text) : null;
  if (url && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "") return null;
  return `${shown(text)} is not a web address: expected one that begins with http:// or https://`;
}

function tileUrlProblem(text: string): string | null {
  const missing = ["{z}", "{x}", "{y}"].filter((part) => !text.includes(part));
  return missing.length > 0 ? `${shown(text)} lacks ${missing.join(", ")}` : urlProblem(text);
}

function headerNameProblem(name: string): string | null {
  if (COMMON_HEADERS.test(name)) return `${shown(name)} comes with requests of any kind, so it names nobody`;
  if (name === "" || /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return null;
  return `${shown(name)} is not the name of a header: expected letters, digits and dashes`;
}

/** The text form of an Argon2 hash, at most 4096 characters: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
const PASSWORD_HASH =
  /^(?!.{4097})(\$argon2(id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+={0,2}\$[A-Za-z0-9+/]+={0,2})?$/;

/** What browsers, other programs and proxies send by themselves: as the user header it would let everyone in. */
const COMMON_HEADERS =
  /^(host|cookie|connection|user-agent|origin|referer|via|forwarded|te|dnt|pragma|upgrade(-.*)?|keep-alive|transfer-encoding|cache-control|accept(-.*)?|content-.*|if-.*|range|sec-.*|x-forwarded-(for|proto|host|port|server)|x-real-ip|x-request-id|x-csrftoken|hx-.*|priority|expect|date)$/i;

function headerValueProblem(value: string): string | null {
  return /^[ -~]*$/.test(value) ? null : `${shown(value)} holds characters a request header cannot carry`;
}

export const AUTH_MODES = ["login", "none", "proxy"] as const;

/** Every setting, in the order in which the file, the API and the page list them. */
export const SECTIONS = {
  connection: section("restart", "Connection", {
    address: field(text(addressProblem, "address"), "", {
      label: "Camera address",
      help: "Host name or IP address of the camera in your network, with :port when it is not 80. Empty: no camera yet.",
      env: { name: "ADDRESS", read: "text" },
    }),
    timeout_seconds: field(numberAbove(0, 300), 10, {
      label: "Timeout",
      help: "How long to wait for the camera to accept a connection and to send the first byte.",
      unit: "s",
      env: { name: "TIMEOUT", read: "number" },
    }),
  }),
  schedule: section("next_tick", "Schedule", {
    cron_expression: field(
      text((value) => cronProblem(value), "cron"),
      FALLBACK_SCHEDULE.cron_expression,
      {
        label: "When to sync",
        help: "Minute, hour, day of month, month, day of week, as in cron: */15 * * * * is every quarter of an hour.",
        env: { name: "SERVICE_SCHEDULE", read: "text" },
      },
    ),
    timezone: field(text(timeZoneProblem, "time_zone"), FALLBACK_SCHEDULE.timezone, {
      label: "Time zone",
      help: "The zone the schedule is written in, such as Europe/Rome. It should be the camera's: how old recordings are is counted in its days. A time that daylight saving skips runs right after the gap, a repeated one once.",
      env: { name: "SERVICE_TIMEZONE", read: "text" },
    }),
    paused: field(flag(), false, {
      label: "Paused",
      help: "No scheduled sync starts. Sync now still works.",
    }),
  }),
  sync: section("next_tick", "Sync", {
    priority: field(choice(PRIORITIES), "date", {
      label: "Download order",
      help: "date: oldest first. rdate: newest first. type: manual and event recordings first, then by date.",
      env: { name: "PRIORITY", read: "text" },
    }),
    grouping: field(choice(GROUPINGS), "none", {
      label: "Folders",
      help: "Sort new recordings into a folder per day, week, month or year. Existing recordings stay where they are.",
      env: { name: "GROUPING", read: "text" },
    }),
    include: field(codes(), [], {
      label: "Only these recordings",
      help: "One code per line: a type such as P, or a type and a direction such as NF, in capitals or not. Empty: all.",
      env: { name: "INCLUDE", read: "list" },
    }),
    exclude: field(codes(), [], {
      label: "Not these recordings",
      help: "Codes as above. A recording that both lists name is left out.",
      env: { name: "EXCLUDE", read: "list" },
    }),
    retry_failed_after: field(delay(), "1d", {
      label: "Retry a failed file after",
      help: "A number and s, h, d, w or y, such as 12h or 12 hours. A number alone is days.",
      env: { name: "RETRY_FAILED_AFTER", read: "text" },
    }),
    skip_metadata: field(choices(["t", "3", "g"]), [], {
      label: "Companion files to skip",
      help: "t: thumbnails. 3: G-sensor. g: GPS.",
      env: { name: "SKIP_METADATA", read: "letters" },
    }),
    affinity_key: field(nullableText(headerValueProblem), null, {
      label: "Camera ID for a shared proxy",
      help: "Sent with every request as X-Affinity-Key, by which a proxy in front of several cameras knows the right one. Empty: not sent.",
      env: { name: "AFFINITY_KEY", read: "text" },
    }),
  }),
  retention: section("next_tick", "Retention", {
    keep: field(age(), "2w", {
      label: "Keep recordings for",
      help: "A number and d, w or y, such as 2w or 2 weeks; a number alone is days, a year is 365. Older recordings are deleted by scheduled syncs. Empty: keep all.",
      env: { name: "KEEP", read: "text" },
      safest: { value: "", words: "Nothing is deleted until it is set." },
    }),
    keep_event: field(ageOrAlways(), "", {
      label: "Keep events for",
      help: "Events, impacts, hard braking, acceleration and cornering, overspeed. Empty: as all others. always: never deleted.",
      safest: { value: "always", words: "Nothing is deleted until it is set." },
    }),
    keep_parking: field(ageOrAlways(), "", {
      label: "Keep parking recordings for",
      help: "Empty: as all others. always: never deleted.",
      safest: { value: "always", words: "Nothing is deleted until it is set." },
    }),
    keep_manual: field(ageOrAlways(), "", {
      label: "Keep manual recordings for",
      help: "Empty: as all others. always: never deleted.",
      safest: { value: "always", words: "Nothing is deleted until it is set." },
    }),
    event_context: field(whole(0, 10), 1, {
      label: "With each event, keep also",
      help: "So many clips before and after an event, of the same trip, live as long as the event does.",
      safest: { value: 10, words: "Ten clips before and after each event are kept with it until it is set." },
    }),
    max_gb: field(limit(1_000_000), null, {
      label: "Stay below",
      help: "Above this the oldest recordings go first, events and manual ones last, kept ones never. Empty: no limit.",
      unit: "GB",
      safest: { value: null, words: "Nothing is deleted to stay below it until it is set." },
    }),
    max_percent: field(limit(100), null, {
      label: "Stay below this disk usage",
      help: "Above this share of the disk the trash is emptied, then the oldest recordings go first. Empty: no limit.",
      unit: "%",
      safest: { value: null, words: "Nothing is deleted to stay below it until it is set." },
    }),
    trash_days: field(whole(0, 365), 7, {
      label: "Keep in the trash for",
      help: "Deleted recordings can be had back for so long. 0: they are gone at once.",
      unit: "days",
      safest: { value: 365, words: "What is deleted waits in the trash for a year until it is set." },
    }),
    max_used_disk_percent: field(whole(1, 100), 90, {
      label: "Stop at disk usage",
      help: "Nothing more is downloaded while the disk of the recordings is this full.",
      unit: "%",
      env: { name: "MAX_USED_DISK", read: "number" },
    }),
  }),
  logging: section("immediate", "Logging", {
    verbose: field(whole(0), 0, {
      label: "Verbosity",
      help: "0: normal. 1: verbose. 2 and more: debug, every step.",
      env: { name: "VERBOSE", read: "number" },
    }),
    quiet: field(flag(), false, {
      label: "Quiet",
      help: "Errors only, whatever the verbosity.",
      env: { name: "QUIET", read: "boolean" },
    }),
    format: field(choice(["text", "json"]), "text", {
      label: "Format",
      help: "How lines are written to the console and the log file.",
      env: { name: "LOG_FORMAT", read: "text" },
    }),
    file_max_bytes: field(whole(1, 1_073_741_824), 10_485_760, {
      label: "Log file size",
      help: "A log file of this size is put aside and a new one begins.",
      unit: "bytes",
    }),
    file_backup_count: field(whole(0, 100), 5, {
      label: "Old log files",
      help: "How many log files that were put aside are kept.",
    }),
    ring_buffer_capacity: field(whole(10, 10_000), 500, {
      label: "Lines in memory",
      help: "How many lines the log page can show.",
      unit: "lines",
    }),
  }),
  metrics: section("immediate", "Metrics", {
    file: field(nullableText(controlProblem, "path"), null, {
      label: "Metrics file",
      help: "After each sync its figures are written here in the Prometheus text format. Empty: no file.",
      env: { name: "METRICS_FILE", read: "text" },
    }),
    pushgateway_url: field(nullableText(gatewayProblem), null, {
      label: "Pushgateway",
      help: "After each sync its figures are sent to this address, such as http://pushgateway:9091. Empty: not sent.",
      env: { name: "METRICS_PUSHGATEWAY_URL", read: "text" },
      shownAs: withoutCredentials,
    }),
    job: field(text(), "dashdock", {
      label: "Job label",
      help: "The job name under which the figures are sent.",
      env: { name: "METRICS_JOB", read: "text" },
    }),
    instance: field(nullableText(), null, {
      label: "Instance label",
      help: "The instance name under which the figures are sent. Empty: the camera address.",
      env: { name: "METRICS_INSTANCE", read: "text" },
    }),
    state_file: field(text(controlProblem, "path"), "", {
      label: "State file",
      help: "Where totals are kept between syncs. Empty: metrics-state.json beside the settings file.",
      env: { name: "METRICS_STATE_FILE", read: "text" },
    }),
    scrape: field(flag(), false, {
      label: "Offer /metrics",
      help: "Let Prometheus collect the figures from this service.",
    }),
    scrape_token: field(nullableHiddenText(/^([!-~]{16,256})?$/, "empty or 16 to 256 visible ASCII characters"), null, {
      label: "Token for /metrics",
      help: "What a collector has to send as its bearer token.",
      secret: { remedy: null },
    }),
  }),
  stats: section("next_tick", "Statistics", {
    retention_days: field(whole(0, 36_500), 365, {
      label: "Keep run history for",
      help: "Older runs are dropped from the statistics. 0: keep all.",
      unit: "days",
      env: { name: "STATS_RETENTION_DAYS", read: "number" },
      safest: { value: 0, words: "No run is dropped until it is set." },
    }),
  }),
  viewer: section("immediate", "Viewer", {
    journey_mode: field(choice(["progressive", "full"]), "progressive", {
      label: "Track of a trip",
      help: "progressive: the track grows while the trip plays. full: the whole track is drawn at once.",
      unread: true,
    }),
    speed_unit: field(choice(["kmh", "mph"]), "kmh", {
      label: "Speed in",
      help: "Kilometres or miles per hour.",
      unread: true,
    }),
    continuous_play: field(flag(), false, {
      label: "Play the next clip by itself",
      help: "Go on with the trip when a clip ends.",
    }),
    map_tiles: field(flag(), false, {
      label: "Street map",
      help: "Show streets under the track. The map pictures are fetched from the tile address, which thereby learns where you drove.",
      unread: true,
    }),
    tile_url: field(text(tileUrlProblem), "https://tile.openstreetmap.org/{z}/{x}/{y}.png", {
      label: "Tile address",
      help: "Where map pictures come from, with {z}, {x} and {y} for zoom, column and row.",
      unread: true,
    }),
  }),
  camera: section("immediate", "Camera", {
    read_timeout_seconds: field(numberWithin(0.5, 30), 3, {
      label: "Timeout for reading its settings",
      help: "How long the camera page waits for the camera before it shows what was read last.",
      unit: "s",
      unread: true,
    }),
  }),
  web: section("restart", "Web", {
    port: field(whole(1, 65_535), 8080, {
      label: "Port",
      help: "The port this service listens on.",
      env: { name: "SERVICE_PORT", read: "number" },
    }),
    session_lifetime_hours: field(whole(1, 8760), 24, {
      label: "Stay signed in for",
      help: "After this long you are asked for the password again.",
      unit: "h",
    }),
    allowed_hosts: field(hostNames(), [], {
      label: "Names of this service",
      help: "One host name per line. While no sign-in is asked for, the service answers only by its address, by names of the own network, and by these.",
    }),
  }),
  auth: section("immediate", "Sign-in", {
    mode: field(choice(AUTH_MODES), "login", {
      label: "Who may enter",
      help: "login: user name and password. none: everyone in the network. proxy: a proxy in front signs people in.",
    }),
    username: field(text(filledProblem), "admin", {
      label: "User name",
      help: "The name to sign in with.",
      env: { name: "SERVICE_ADMIN_USERNAME", read: "text" },
    }),
    password_hash: field(hiddenText(PASSWORD_HASH, "empty or an Argon2 hash"), "", {
      label: "Password",
      help: "Stored as an Argon2id hash. Empty: the next visitor chooses it.",
      secret: { remedy: "change the password on the settings page or with POST /api/auth/password" },
    }),
    session_secret: field(hiddenText(/^(.{32,4096})?$/s, "empty or 32 to 4096 characters long"), "", {
      label: "Session key",
      help: "Signs the session cookies; made anew when it is empty, which signs everyone out.",
      secret: { remedy: "end all sessions on the settings page or with DELETE /api/auth/sessions" },
    }),
    trusted_proxies: field(networks(), [], {
      label: "Trusted proxies",
      help: "One IP address or range per line: the proxies that may say who is signed in.",
    }),
    proxy_user_header: field(text(headerNameProblem), "X-Remote-User", {
      label: "User header",
      help: "The request header in which the proxy names the user.",
    }),
  }),
  system: section("restart", "System", {
    destination: field(text(filledProblem, "path"), "/recordings", {
      label: "Recordings folder",
      help: "Where recordings are stored.",
      env: { name: "SERVICE_DESTINATION", read: "text" },
    }),
    dry_run: field(flag(), false, {
      label: "Dry run",
      help: "Only say in the log what would be downloaded and deleted.",
      safest: { value: true, words: "Nothing is downloaded or deleted until it is set." },
    }),
  }),
} as const satisfies Record<string, Section<Record<string, Field<unknown>>>>;

export type SectionName = keyof typeof SECTIONS;

/** All settings, by section and field. Frozen to the last list, so it can be handed to anyone. */
export type Settings = {
  readonly [S in SectionName]: {
    readonly [F in keyof (typeof SECTIONS)[S]["fields"]]: (typeof SECTIONS)[S]["fields"][F] extends Field<infer T>
      ? T
      : never;
  };
};

/** What `GET /api/settings` answers. */
export type MaskedSettings = { readonly version: number } & {
  readonly [S in SectionName]: { readonly _tier: Tier } & Readonly<Record<keyof Settings[S], unknown>>;
};

/** Stands for a secret wherever settings are shown, set or not. */
export const MASK = "***";

/** Whether a section of that name exists. */
export function isSectionName(name: string): name is SectionName {
  return Object.hasOwn(SECTIONS, name);
}

/** The fields of a section, by name and in order, for readers that treat all alike. */
export function fieldsOf(name: SectionName): readonly (readonly [string, Field<unknown>])[] {
  return Object.entries(SECTIONS[name].fields);
}

/** The names of all sections, in order. */
export const SECTION_NAMES: readonly SectionName[] = Object.freeze(Object.keys(SECTIONS).filter(isSectionName));

/** Every field at its initial value. */
export function initialSettings(): Settings {
  return buildSettings((name) => Object.fromEntries(fieldsOf(name).map(([key, { initial }]) => [key, initial])));
}

/** The settings as anyone signed in may see them: with version and tiers, every secret as `***`. */
export function mask(settings: Settings): MaskedSettings {
  const sections = SECTION_NAMES.map((name) => {
    const values = fieldsOf(name).map(([key, field]) => [key, masked(field, settingOf(settings, name, key))]);
    return [name, { _tier: SECTIONS[name].tier, ...Object.fromEntries(values) }];
  });
  return { version: SETTINGS_VERSION, ...Object.fromEntries(sections) };
}

/** A value as anyone signed in may see it. */
export function masked({ secret, shownAs }: About, value: unknown): unknown {
  if (secret) return MASK;
  return shownAs && typeof value === "string" ? shownAs(value) : value;
}

/** One value, by names that are only known at run time. */
export function settingOf(settings: Settings, name: SectionName, key: string): unknown {
  const values: Readonly<Record<string, unknown>> = settings[name];
  return values[key];
}

/**
 * Settings from a function that gives each section's values, which must have passed the fields' checks: this is the
 * one place where checked values become `Settings`. Sections and lists are frozen.
 */
export function buildSettings(valuesOf: (name: SectionName) => Readonly<Record<string, unknown>>): Settings {
  const sections = SECTION_NAMES.map((name) => {
    const values = Object.entries(valuesOf(name)).map(([key, value]) => [key, freezeList(value)]);
    return [name, Object.freeze(Object.fromEntries(values))];
  });
  return Object.freeze(Object.fromEntries(sections));
}

function freezeList<T>(value: T): T {
  return Array.isArray(value) ? (Object.freeze([...value]) as T) : value;
}
