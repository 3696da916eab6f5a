import { isIpAddress, isName } from "./address.ts";

/** The addresses of services that messages are sent to, in the form that other programs take them in, too. */

/** Stands for a secret part of an address. */
const HIDDEN = "***";

/** Kinds of services, by the beginning of their addresses, with their names. */
export const TARGET_KINDS = {
  ntfy: "ntfy",
  generic: "Webhook",
  gotify: "Gotify",
  telegram: "Telegram",
  discord: "Discord",
  smtp: "Email",
  apprise: "Apprise",
} as const;
export type TargetKind = keyof typeof TARGET_KINDS;

/** Most places that a message goes to. */
export const MOST_TARGETS = 20;
/** Letters of a topic that are shown where the topic is all that protects it. */
const SHOWN_OF_TOPIC = 3;
/** A part of a webhook's path of so many characters is a secret, not a name. */
const SECRET_PART = 16;
const LONGEST_NAME = 40;

/** The parts of an address as they were typed. */
interface Pieces {
  readonly scheme: string;
  /** In front of `@`; null when there is none. */
  readonly user: string | null;
  readonly host: string;
  readonly path: string;
  /** Behind `?`, without it. */
  readonly query: string;
  /** Behind `#`, without it. */
  readonly name: string;
}

const FORM = /^([a-z]+):\/\/(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/;

function piecesOf(address: string): Pieces | null {
  const found = FORM.exec(address);
  if (found === null) return null;
  const [, scheme = "", user, host = "", path = "", query = "", name = ""] = found;
  return { scheme, user: user ?? null, host, path, query, name };
}

function joined({ scheme, user, host, path, query, name }: Pieces): string {
  const [front, behind, end] = [user === null ? "" : `${user}@`, query && `?${query}`, name && `#${name}`];
  return `${scheme}://${front}${host}${path}${behind}${end}`;
}

interface Named {
  /** Chosen behind `#`; null when there is none. */
  readonly name: string | null;
}

/** A service that messages are sent to. */
export type Target = Named &
  (
    | {
        readonly kind: "ntfy";
        readonly base: string;
        readonly topic: string;
        readonly user: string | null;
        readonly password: string | null;
      }
    | { readonly kind: "generic"; readonly url: string; readonly basic: string | null; readonly secret: string | null }
    | { readonly kind: "gotify"; readonly base: string; readonly token: string }
    | { readonly kind: "telegram"; readonly api: string; readonly token: string; readonly chats: readonly string[] }
    | { readonly kind: "discord"; readonly api: string; readonly id: string; readonly token: string }
    | {
        readonly kind: "smtp";
        /** In brackets when it is an IPv6 address. */
        readonly host: string;
        readonly port: number;
        readonly user: string | null;
        readonly password: string | null;
        readonly from: string;
        readonly to: readonly string[];
      }
    | { readonly kind: "apprise"; readonly base: string; readonly key: string }
  );

export type TargetOf<K extends TargetKind> = Extract<Target, { kind: K }>;

/** The fault of an address, as the rest of a sentence about it. */
class Fault extends Error {}

/** Returns a sentence about the fault of an address, or null. No part of the address is in it. */
export function targetProblem(address: string): string | null {
  try {
    readTarget(address);
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** Reads an address. @throws Error for one with a fault */
export function readTarget(address: string): Target {
  const pieces = piecesOf(address);
  if (pieces === null || /[\s\p{Cc}]/u.test(address))
    throw new Fault(`an address begins with one of ${Object.keys(TARGET_KINDS).join("://, ")}://`);
  const { scheme } = pieces;
  if (!isTargetKind(scheme))
    throw new Fault(
      /^https?$/.test(scheme)
        ? "a web address alone does not say what it is: write ntfy://host/topic, or generic://host/path for a webhook"
        : `an address begins with one of ${Object.keys(TARGET_KINDS).join("://, ")}://`,
    );
  if (joined({ ...pieces, name: "" }).includes(HIDDEN))
    throw new Fault(`it has ${HIDDEN} in place of a secret part: type that part anew`);
  const name = decoded(pieces.name);
  if (name.length > LONGEST_NAME) throw new Fault(`the name behind # has more than ${LONGEST_NAME} characters`);
  return { name: name === "" ? null : name, ...READERS[scheme](pieces) } as Target;
}

/** True for the beginning of an address of a service that is known. */
export function isTargetKind(scheme: string): scheme is TargetKind {
  return Object.hasOwn(TARGET_KINDS, scheme);
}

/** Everything of a target but its name. */
type Reading = { [K in TargetKind]: (pieces: Pieces) => Omit<TargetOf<K>, "name"> };

const READERS: Reading = {
  ntfy(pieces) {
    const { user, path } = pieces;
    const { scheme } = queryOf(pieces, ["scheme"]);
    const topic = partsOf(path);
    if (topic.length !== 1 || !/^[-_A-Za-z0-9]{1,64}$/.test(topic[0] ?? ""))
      throw new Fault("behind the host of ntfy stands one topic of letters, digits, - and _");
    if (user !== null && !user.includes(":"))
      throw new Fault("in front of @ stand user:password, or a colon and the access token");
    const [name, password] = user === null ? [null, null] : credentials(user);
    return { kind: "ntfy", base: webBase(pieces, scheme), topic: topic[0] ?? "", user: name, password };
  },
  generic(pieces) {
    const { user, path, query } = pieces;
    const pairs = pairsOf(query);
    const valueAt = (key: string) => pairs.find((pair) => pair.key === key)?.value;
    const scheme = isYes(valueAt("disabletls")) ? "http" : "https";
    const secret = valueAt("secret") ?? null;
    if (secret !== null && webhookKey(secret) === null)
      throw new Fault("secret= is not of Standard Webhooks: it begins with whsec_, then base64");
    const rest = pairs.filter(({ key }) => key !== "disabletls" && key !== "secret").map(({ raw }) => raw);
    const url = `${webBase(pieces, scheme)}${path || "/"}${rest.length > 0 ? `?${rest.join("&")}` : ""}`;
    if (!URL.canParse(url)) throw new Fault("behind generic:// stand a host and a path");
    return { kind: "generic", url, basic: user === null ? null : credentials(user).join(":"), secret };
  },
  gotify(pieces) {
    const { scheme, disabletls } = queryOf(pieces, ["scheme", "disabletls"]);
    const parts = partsOf(pieces.path);
    const token = parts.at(-1) ?? "";
    if (pieces.user !== null || token === "") throw new Fault("gotify:// is followed by host/token");
    const base = webBase(pieces, scheme ?? (isYes(disabletls) ? "http" : undefined));
    return { kind: "gotify", base: [base, ...parts.slice(0, -1).map(encodeURIComponent)].join("/"), token };
  },
  telegram(pieces) {
    const { chats, channels, api } = queryOf(pieces, ["chats", "channels", "api"]);
    const token = decoded(pieces.user ?? "");
    if (!/^[0-9]{1,20}:[-_A-Za-z0-9]{1,100}$/.test(token) || pieces.host !== "telegram" || hasPath(pieces))
      throw new Fault("Telegram is written telegram://TOKEN@telegram?chats=CHAT, with the token of a bot");
    const list = (chats ?? channels ?? "").split(",").filter(Boolean);
    if (
      list.length === 0 ||
      list.length > 10 ||
      !list.every((chat) => /^(@[A-Za-z0-9_]{1,64}|-?[0-9]{1,20})$/.test(chat))
    )
      throw new Fault("chats= names 1 to 10 chats, each by its number or @name");
    return { kind: "telegram", api: apiOf(api, "https://api.telegram.org"), token, chats: list };
  },
  discord(pieces) {
    const { api } = queryOf(pieces, ["api"]);
    const token = decoded(pieces.user ?? "");
    if (!/^[-_A-Za-z0-9]{1,200}$/.test(token) || !/^[0-9]{1,30}$/.test(pieces.host) || hasPath(pieces))
      throw new Fault("Discord is written discord://TOKEN@ID, both from the address of a webhook");
    return { kind: "discord", api: apiOf(api, "https://discord.com"), id: pieces.host, token };
  },
  smtp(pieces) {
    const { from = "", to = "" } = queryOf(pieces, ["from", "to"]);
    const { user, host } = pieces;
    const receivers = to.split(",").filter(Boolean);
    if (user !== null && !user.includes(":")) throw new Fault("in front of @ stand user:password of the mail server");
    if (hasPath(pieces) || !EMAIL.test(from) || !receivers.every((one) => EMAIL.test(one)) || receivers.length === 0)
      throw new Fault("email is written smtp://user:password@host:port/?from=ADDRESS&to=ADDRESS");
    webBase(pieces);
    const [name, password] = user === null ? [null, null] : credentials(user);
    const { port } = hostOf(host);
    const server = host.replace(/:[0-9]+$/, "");
    return { kind: "smtp", host: server, port: port ?? MAIL_PORT, user: name, password, from, to: receivers };
  },
  apprise(pieces) {
    const { scheme } = queryOf(pieces, ["scheme"]);
    const parts = partsOf(pieces.path);
    if (pieces.user !== null || parts.length !== 1 || !/^[-_A-Za-z0-9]{1,128}$/.test(parts[0] ?? ""))
      throw new Fault("apprise:// is followed by host/key, with a key of letters, digits, - and _");
    return { kind: "apprise", base: webBase(pieces, scheme), key: parts[0] ?? "" };
  },
};

/** The port at which mail servers take mail of people who sign in. */
const MAIL_PORT = 587;
const EMAIL = /^[^\s@<>()[\],;:"\\]{1,64}@[^\s@<>()[\],;:"\\]{1,190}$/;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Fault("a % in it stands before no two digits: write %25 for one");
  }
}

const partsOf = (path: string) => path.split("/").filter(Boolean).map(decoded);
const hasPath = ({ path }: Pieces) => path !== "" && path !== "/";
const isYes = (value: string | undefined) => value !== undefined && /^(yes|true|1)$/i.test(value);

function credentials(user: string): [name: string, password: string] {
  const colon = user.indexOf(":");
  return colon < 0 ? [decoded(user), ""] : [decoded(user.slice(0, colon)), decoded(user.slice(colon + 1))];
}

/** The pairs behind `?`. A plus is a plus there: secrets in base64 have some. */
function pairsOf(query: string) {
  return query
    .split("&")
    .filter(Boolean)
    .map((raw) => {
      const at = raw.indexOf("=");
      const [key, value] = at < 0 ? [raw, ""] : [raw.slice(0, at), raw.slice(at + 1)];
      return { raw, key: decoded(key), value: decoded(value) };
    });
}

function queryOf<const K extends string>({ query }: Pieces, known: readonly K[]): { readonly [N in K]?: string } {
  const found: { [N in K]?: string } = {};
  for (const { key, value } of pairsOf(query)) {
    const name = known.find((one) => one === key);
    if (name === undefined) throw new Fault("behind ? it has something that this service does not know");
    found[name] = value;
  }
  return found;
}

function webBase({ host }: Pieces, scheme = "https"): string {
  if (scheme !== "https" && scheme !== "http") throw new Fault("scheme= is http or https");
  const { name } = hostOf(host);
  if (!isName(name) && !isIpAddress(name)) throw new Fault("it names no host that can be reached");
  return `${scheme}://${host}`;
}

/** Splits a host, in brackets when it is an IPv6 address, from its port. */
function hostOf(host: string): { readonly name: string; readonly port: number | null } {
  const [, ipv6, name = "", port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::([0-9]{1,5}))?$/.exec(host) ?? [];
  const number = port === undefined ? null : Number(port);
  if (number !== null && (number < 1 || number > 65_535)) throw new Fault("a port is a number from 1 to 65535");
  return { name: ipv6 ?? name, port: number };
}

function apiOf(api: string | undefined, usual: string): string {
  if (api === undefined) return usual;
  if (!URL.canParse(api) || !/^https?:\/\/[^/?#@]+$/.test(api))
    throw new Fault("api= is http:// or https:// and a host");
  return api;
}

/** The key in a secret of Standard Webhooks, as base64; null when it is none. */
export function webhookKey(secret: string): string | null {
  const [, key] = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?)$/.exec(secret) ?? [];
  return key === undefined || key === "" ? null : key;
}

/** An address as it may be shown: its secret parts as `***`. */
export function shownTarget(address: string): string {
  const pieces = piecesOf(address);
  if (pieces === null) return HIDDEN;
  return joined({ ...pieces, ...hiddenParts(pieces) });
}

function hiddenParts(pieces: Pieces): Partial<Pieces> {
  const { scheme, user, path, query } = pieces;
  const password = user === null ? null : user.includes(":") ? `${user.slice(0, user.indexOf(":"))}:${HIDDEN}` : HIDDEN;
  switch (scheme) {
    case "ntfy":
      return user === null ? { path: path.replace(/[^/]+/g, shownTopic) } : { user: password };
    case "generic":
      return {
        user: password,
        path: path.replace(/[^/]+/g, (part) => (part.length < SECRET_PART ? part : HIDDEN)),
        query: query.replace(/([^&=]*)=([^&]*)/g, (pair, key) => (key === "disabletls" ? pair : `${key}=${HIDDEN}`)),
      };
    case "gotify":
      return { user: password, path: path.replace(/[^/]+(\/*)$/, `${HIDDEN}$1`) };
    case "smtp":
    case "apprise":
      return { user: password };
    case "telegram":
    case "discord":
      return { user: user && HIDDEN };
    default:
      return { user: user && HIDDEN, path: path && `/${HIDDEN}`, query: query && HIDDEN };
  }
}

/** A public topic is the only protection of its messages: who knows it reads them. */
function shownTopic(topic: string): string {
  return topic.endsWith(HIDDEN) ? topic : topic.slice(0, SHOWN_OF_TOPIC) + HIDDEN;
}

/**
 * Puts back what was hidden in addresses that come back as they were shown, wherever in the list they stand now: each
 * gets the secret of the one whose shown parts are the same. A name may have changed.
 */
export function withHiddenParts(sent: readonly unknown[], stored: readonly string[]): unknown[] {
  const left = [...stored];
  return sent.map((address) => {
    if (typeof address !== "string" || !address.includes(HIDDEN)) return address;
    const wanted = withoutName(address.trim());
    const at = left.findIndex((one) => withoutName(shownTarget(one)) === wanted);
    const [own] = at < 0 ? [] : left.splice(at, 1);
    const [, name = ""] = /(#.*)$/s.exec(address.trim()) ?? [];
    return own === undefined ? address : withoutName(own) + name;
  });
}

const withoutName = (address: string) => address.replace(/#.*$/s, "");

/** The secret pieces of an address, as they stand in it and as they are sent, for texts that must not tell them. */
export function secretsIn(address: string): string[] {
  const pieces = piecesOf(address);
  if (pieces === null) return [address];
  const shown = hiddenParts(pieces);
  const found: string[] = [];
  if (shown.user !== undefined && shown.user !== pieces.user && pieces.user !== null)
    found.push(pieces.user, pieces.user.slice(pieces.user.indexOf(":") + 1));
  if (shown.path !== undefined) {
    const open = new Set(shown.path.split("/"));
    found.push(...pieces.path.split("/").filter((part) => !open.has(part)));
  }
  if (shown.query !== undefined && shown.query !== pieces.query)
    for (const pair of pieces.query.split("&"))
      if (!shown.query.split("&").includes(pair)) found.push(pair.slice(pair.indexOf("=") + 1));
  const both = found.flatMap((one) => [one, safelyDecoded(one)]);
  // A short piece stands in many texts by chance.
  return [...new Set(both)].filter((one) => one.length >= 4);
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Names a target: as it was chosen behind `#`, else by its service and where that is, or whom it reaches. */
export function targetName(address: string): string {
  const pieces = piecesOf(address);
  if (pieces === null) return "";
  const { scheme, host, query } = pieces;
  const chosen = safelyDecoded(pieces.name);
  if (chosen !== "") return chosen;
  const kind = isTargetKind(scheme) ? TARGET_KINDS[scheme] : scheme;
  if (scheme === "telegram" || scheme === "discord") return kind;
  const [, to = ""] = scheme === "smtp" ? (/(?:^|&)to=([^&]*)/.exec(query) ?? []) : [];
  return to === "" ? `${kind} at ${host}` : `${kind} to ${safelyDecoded(to).replaceAll(",", ", ")}`;
}

/** The kind of an address, by its beginning; null for none that is known. */
export function targetKind(address: string): TargetKind | null {
  const scheme = piecesOf(address)?.scheme ?? "";
  return isTargetKind(scheme) ? scheme : null;
}

/** Ids of these addresses: those of one stay the same while its shown parts do, wherever it stands. */
export function targetIds(addresses: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return addresses.map((address) => {
    const shown = withoutName(shownTarget(address));
    const count = (seen.get(shown) ?? 0) + 1;
    seen.set(shown, count);
    return `t${hashOf(shown)}${count === 1 ? "" : `-${count}`}`;
  });
}

/** FNV-1a, 32 bits, in base 36. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
