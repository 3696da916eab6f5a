import { shown } from "../text/shown.ts";
import { wholePathProblem } from "./whole_path.ts";

/** The address of an MQTT broker, and the topics below which something is published there. */

const PORTS: Readonly<Record<string, number>> = { mqtt: 1883, mqtts: 8883 };

/** A broker, as its address names it. */
export interface Broker {
  readonly isEncrypted: boolean;
  /** An IPv6 address is without its brackets. */
  readonly host: string;
  readonly port: number;
}

/** Reads `mqtt://host[:port]` and `mqtts://host[:port]`; null for everything else. */
export function brokerAt(address: string): Broker | null {
  const [, scheme = "", place = ""] = /^(mqtts?):\/\/([^/?#@\s\\]+)\/?$/i.exec(address) ?? [];
  // Other schemes are not read as hosts, and lose the port that is their usual one.
  const read = `http://${place}`;
  if (place === "" || !URL.canParse(read) || /:$/.test(place)) return null;
  const { hostname } = new URL(read);
  const [, port = ""] = /:([0-9]+)$/.exec(place.replace(/^\[.*\]/, "")) ?? [];
  const number = port === "" ? PORTS[scheme.toLowerCase()] : Number(port);
  if (hostname === "" || number === undefined || number < 1 || number > 65_535) return null;
  return {
    isEncrypted: scheme.toLowerCase() === "mqtts",
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: number,
  };
}

/** Returns a sentence about the fault of a broker's address, or null. */
export function brokerProblem(text: string): string | null {
  // A password may stand before the @: no sentence repeats it.
  if (text.includes("@")) return "it holds a user or a password: set mqtt.username and mqtt.password instead";
  if (brokerAt(text) !== null) return null;
  return `${shown(text)} is not the address of a broker: expected mqtt://host:1883, or mqtts://host:8883 for an encrypted one`;
}

/** Returns a sentence about the fault of the beginning of topics, or null. */
export function topicPrefixProblem(text: string): string | null {
  if (text.trim() === "") return "it is empty";
  if (/[#+]/.test(text)) return `${shown(text)} holds # or +, which stand for other topics`;
  if (/^\/|\/$/.test(text)) return `${shown(text)} begins or ends with /`;
  if (text.startsWith("$")) return `${shown(text)} begins with $: these topics are the broker’s own`;
  return controlProblem(text);
}

/** Returns a sentence about the fault of the path of a certificate authority's file, or null. */
export function authorityPathProblem(text: string): string | null {
  if (text === "") return "it is empty";
  return wholePathProblem(text) ?? controlProblem(text);
}

function controlProblem(text: string): string | null {
  return /\p{Cc}/u.test(text) ? `${shown(text)} holds a control character` : null;
}
