import { isSettingPath } from "./setting_path.ts";

/** Kinds of what is private. */
export const PRIVATE_KINDS = ["secret", "address", "network", "place", "name", "time"] as const;
export type PrivateKind = (typeof PRIVATE_KINDS)[number];

/** Something private that is known, wherever it stands. */
export interface PrivateValue {
  readonly kind: PrivateKind;
  readonly value: string;
}

/** Counts of what was replaced, by kind. */
export type Replaced = Record<PrivateKind, number>;

/** A text to look for, and what it stands for. */
interface Form {
  readonly text: string;
  readonly kind: PrivateKind;
  readonly value: string;
  /** Upper and lower case are not the same. */
  readonly isExact: boolean;
  /** A short text, or a name, counts only where no letter or digit is beside it. */
  readonly isWord: boolean;
}

/** Private values shorter than that are looked for as words only. */
const LEAST_INSIDE = 5;
/** The most of a line that is read; the rest of it is left out. */
const LONGEST_LINE = 16_384;

/**
 * Takes what is private out of texts. Each value has one placeholder, such as `[address-2k9x4b]`, which does not tell what
 * it was, and is the same in every file of the same service.
 */
export class Placeholders {
  readonly #digest: (text: string) => string;
  readonly #forms: readonly Form[];
  readonly #patterns = new Map<Form, RegExp>();
  #hidden: string[] = [];

  /** @param digest a keyed digest: letters and digits that cannot be guessed from the text */
  constructor(digest: (text: string) => string, known: Iterable<PrivateValue>) {
    this.#digest = digest;
    this.#forms = formsOf(known);
  }

  /** The placeholder of a value. */
  of(kind: PrivateKind, value: string): string {
    return `[${kind}-${this.#digest(`${kind} ${value.trim().toLowerCase()}`)}]`;
  }

  /** A text of one or more lines without what is private in it: known values in every usual form, and what looks like something private. */
  text(given: string): string {
    this.#hidden = [];
    // Marks of our own stand where something was, so that nothing of a placeholder is taken for more.
    let text = given
      .replaceAll(/[\ue000-\uf8ff]/g, "")
      .split("\n")
      .map(cut)
      .join("\n");
    text = this.#withoutKnown(text);
    for (const [pattern, hide] of PATTERNS)
      text = text.replace(pattern, (match: string, ...groups: unknown[]) => {
        const parts = groups.filter((group): group is string | undefined => typeof group !== "number");
        return hide(match, parts, (kind, value) => this.#hide(kind, value));
      });
    return text.replaceAll(MARKS, (mark) => this.#hidden[placeOf(mark)] ?? "");
  }

  /** All texts in a value of JSON. Its names stay. */
  json(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.json(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.json(one)]));
  }

  #hide(kind: PrivateKind, value: string): string {
    this.#hidden.push(this.of(kind, value));
    return markOf(this.#hidden.length - 1);
  }

  #withoutKnown(given: string): string {
    let text = given;
    let lower = text.toLowerCase();
    for (const form of this.#forms) {
      if (!(form.isExact ? text : lower).includes(form.text)) continue;
      text = text.replace(this.#patternOf(form), () => this.#hide(form.kind, form.value));
      lower = text.toLowerCase();
    }
    return text;
  }

  #patternOf(form: Form): RegExp {
    const known = this.#patterns.get(form);
    if (known) return known;
    const text = form.text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    const [before, behind] = form.isWord ? ["(?<![\\p{L}\\p{N}])", "(?![\\p{L}\\p{N}])"] : ["", ""];
    const pattern = new RegExp(before + text + behind, form.isExact ? "gu" : "giu");
    this.#patterns.set(form, pattern);
    return pattern;
  }
}

/** Characters that no text has, and that no pattern takes for anything. */
const MARKS = /\ue000[\ue100-\ue10f]+\ue001/g;

function markOf(place: number): string {
  const digits = [...place.toString(16)].map((digit) => String.fromCharCode(0xe100 + Number.parseInt(digit, 16)));
  return `\ue000${digits.join("")}\ue001`;
}

function placeOf(mark: string): number {
  return [...mark.slice(1, -1)].reduce((place, digit) => place * 16 + digit.charCodeAt(0) - 0xe100, 0);
}

/** A line without what is too much of it; of a word that would be cut nothing stays. */
function cut(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE).replace(/\S*$/, "")}…`;
}

/** Counts the placeholders in a text. */
export function replacedIn(text: string): Replaced {
  const replaced: Replaced = { secret: 0, address: 0, network: 0, place: 0, name: 0, time: 0 };
  for (const [, kind] of text.matchAll(PLACEHOLDER)) replaced[kind as PrivateKind]++;
  return replaced;
}
const PLACEHOLDER = /\[(secret|address|network|place|name|time)-[0-9a-z]+\]/g;

/** All of them in one number. */
export function sumOf(replaced: Replaced): number {
  return PRIVATE_KINDS.reduce((sum, kind) => sum + replaced[kind], 0);
}

/** The forms of all values, the longest first: a value may be part of another one. */
function formsOf(known: Iterable<PrivateValue>): readonly Form[] {
  const forms = new Map<string, Form>();
  for (const { kind, value } of known) {
    const trimmed = value.trim();
    if (trimmed === "") continue;
    const isWord = trimmed.length < LEAST_INSIDE || kind === "name";
    const add = (text: string, isExact: boolean, word = isWord) => {
      const looked = isExact ? text : text.toLowerCase();
      if (!forms.has(looked)) forms.set(looked, { text: looked, kind, value: trimmed, isExact, isWord: word });
    };
    for (const text of writtenAs(trimmed)) add(text, false);
    if (trimmed.length >= LEAST_INSIDE) for (const text of encodedAs(trimmed)) add(text, true, false);
  }
  return [...forms.values()].sort((one, other) => other.text.length - one.text.length);
}

/** A value as texts have it: as it is, in an address, in JSON and in HTML. */
function writtenAs(value: string): string[] {
  const forms = [value, value.normalize("NFC"), value.normalize("NFD")];
  const wellFormed = value.toWellFormed();
  const encoded = encodeURIComponent(wellFormed);
  return [
    ...forms,
    encoded,
    encoded.replaceAll("%20", "+"),
    encodeURIComponent(encoded),
    encodeURI(wellFormed),
    // Every character, as some programs write addresses.
    [...new TextEncoder().encode(wellFormed)].map((byte) => `%${hexOf(byte)}`).join(""),
    JSON.stringify(value).slice(1, -1),
    value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    value.replaceAll("'", "&#39;"),
    [...new TextEncoder().encode(wellFormed)].map(hexOf).join(""),
  ];
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

/** A value in base64, also as a part of something longer: three ways, by the place at which it begins there. */
function encodedAs(value: string): string[] {
  const forms: string[] = [];
  for (const written of new Set([value, value.toLowerCase(), value.toUpperCase()])) {
    const bytes = new TextEncoder().encode(written);
    forms.push(base64Of(bytes));
    for (const before of [0, 1, 2]) {
      const shifted = new Uint8Array(before + bytes.length);
      shifted.set(bytes, before);
      const text = base64Of(shifted).replaceAll("=", "");
      // The first and the last character may have bits of what is beside it.
      forms.push(text.slice(before === 0 ? 0 : before + 1, shifted.length % 3 === 0 ? undefined : -1));
    }
  }
  return forms.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
}

function base64Of(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

type Hide = (kind: PrivateKind, value: string) => string;
/** Replaces what a pattern has found. @param parts its groups */
type Replace = (match: string, parts: readonly (string | undefined)[], hide: Hide) => string;

/** Hosts that every machine has. */
const OF_ALL = /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|255\.255\.\d+\.\d+|\[?::1?\]?)(:\d+)?$/i;
/** Paths of the camera's and of our own, which tell what was asked for. */
const KNOWN_PATH =
  /^\/(blackvue_\w+\.cgi|record\/|config\/|vod|accessible|api\/|hx\/|healthz|readyz|metrics\b|media\/|film\/|tiles\/|viewer\b|settings\b|stats\b|logs\b|trash\b|help\b)/i;
/** Ends of names of files, which are no names of hosts. */
const FILE_END =
  /\.(bak|cgi|conf|css|csv|db|gps|gz|html|ini|js|json|jpg|log|md|mp4|pem|png|prom|service|so|sock|svg|thm|tmp|toml|ts|tsx|txt|yaml|yml|zip|3gf|3gp)$/i;
const VALUE_OF_NOTHING = /^(null|none|true|false|undefined|\*+|["'])$/i;

const whole =
  (kind: PrivateKind): Replace =>
  (match, _, hide) =>
    hide(kind, match);

/** Patterns of what looks like something private though it is in no setting, in the order in which it is looked for. */
const PATTERNS: readonly (readonly [RegExp, Replace])[] = [
  // Web addresses: the host goes, and all of a path that is none of those that are known.
  [
    /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*):\/\/([^\s"'<>\\^`{}|/?#,]+)((?:[/?#][^\s"'<>\\^`{}|]*)?)/giu,
    (_, [scheme, host = "", rest = ""], hide) => {
      const isKnown = OF_ALL.test(host) || /^\ue000[^\ue001]+\ue001(:\d+)?$/.test(host);
      const path = rest.replace(/[?#].*$/s, "");
      const shown = KNOWN_PATH.test(path) ? path : rest === "" || rest === "/" ? rest : "/…";
      return `${scheme}://${isKnown ? host : hide("address", host)}${shown}`;
    },
  ],
  [/(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*/giu, whole("address")],
  // Keys in front of what they are for.
  [
    /\b(bearer|basic)(\s+|%20)([\w.~+/=-]{4,})/gi,
    (_, [kind, gap, value = ""], hide) => `${kind}${gap}${hide("secret", value)}`,
  ],
  [
    /(?<![a-z])(password|passwd|passphrase|pwd|psk|pw|token|secret|api[_-]?key|authorization|cookie)(["']?\s*(?:[:=]|%3d)\s*["']?)([^\s"',;&]+)/gi,
    (match, [name, gap, value = ""], hide) =>
      VALUE_OF_NOTHING.test(value) || value.startsWith("\ue000") || /^(bearer|basic)$/i.test(value)
        ? match
        : `${name}${gap}${hide("secret", value)}`,
  ],
  [
    /(?<![a-z])([eb]?ssid|network name)(["']?\s{0,3}[:=]?\s{0,3})("[^"]+"|“[^”]+”|'[^']+'|(?<=[:=]\s*)[^\s"',;&\ue000]+)/gi,
    (_, [name, gap, value = ""], hide) => `${name}${gap}${hide("network", value)}`,
  ],
  // Addresses of network cards and of machines.
  [/(?<![0-9a-f:-])[0-9a-f]{2}(?:(?:[:-]|%3a)[0-9a-f]{2}){5}(?![0-9a-f:-])/gi, whole("address")],
  [/(?<![\w.])[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?![\w.])/gi, whole("address")],
  [
    /(?<![\d.])\d{1,3}(?:(?:\.|%2e)\d{1,3}){3}(?!\d|\.\d)/gi,
    (match, _, hide) => (OF_ALL.test(match) ? match : hide("address", match)),
  ],
  [
    /(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}(?:%[a-z0-9]+)?(?![\w:])/gi,
    (match, _, hide) =>
      /^::1?$/.test(match) || !(match.includes("::") || match.split(":").length === 8) ? match : hide("address", match),
  ],
  // Times of recordings, which are the beginnings of their names.
  [/(?<!\d)(?:19|20)\d{6}_\d{6}(?!\d)/g, whole("time")],
  // Places, as programs and as people write them.
  [/(?<![\d.])\d{2,5}\.\d+,\s*[NSEW]\b/g, whole("place")],
  [
    /\d{1,3}(?:\.\d+)?\s*°(?!\s*[CF]\b)(?:\s*\d{1,2}(?:\.\d+)?\s*['′’])?(?:\s*\d{1,2}(?:\.\d+)?\s*["″”])?\s*[NSEW]?/g,
    whole("place"),
  ],
  [/(?<![\d.])[-+]?\d{1,3}\.\d{2,}(?:\s*(?:[,;/]|%2c)\s*|\s+)[-+]?\d{1,3}\.\d{2,}(?!\d)/gi, whole("place")],
  [/(?<![\d.])[-+]?\d{1,3}\.\d{4,}(?!\d)/g, whole("place")],
  [
    /(?<![a-z])(lat|lon|lng|latitude|longitude)(["']?\s*[:=]\s*["']?)([-+]?\d+(?:\.\d+)?)/gi,
    (_, [name, gap, value = ""], hide) => `${name}${gap}${hide("place", value)}`,
  ],
  // Names of machines.
  [
    /(?<![\p{L}\p{N}_.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}(?![\p{L}\p{N}_])/giu,
    (match, _, hide) => (FILE_END.test(match) || isSettingPath(match) ? match : hide("address", match)),
  ],
  [
    /(?<![\w.:\ue001-])([a-z][a-z0-9-]*):(\d{2,5})(?![\d:])/gi,
    (match, [host = "", port], hide) => (OF_ALL.test(host) ? match : `${hide("address", host)}:${port}`),
  ],
  // Folders stay, but for those that are called by a person.
  [
    /([/\\]+)(homes?|users)([/\\]+)([^/\\\s"':;,]+)/gi,
    (_, [start, home, gap, name = ""], hide) =>
      `${start}${home}${gap}${name.startsWith("\ue000") ? name : hide("name", name)}`,
  ],
  // Long runs of letters and digits are keys, digests and ids.
  [/(?<![\w+=-])(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])[\w+=-]{16,}/gi, whole("secret")],
];
