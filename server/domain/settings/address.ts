import { shown } from "../text/shown.ts";
import { tidyAddress } from "./tidy_address.ts";

/** No address and no range is longer, nor is any entry of a list. */
export const LONGEST_ADDRESS = 260;

const NAME_LABEL = /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  return /^[0-9A-Fa-f:.]+$/.test(text) && text.includes(":") && URL.canParse(`http://[${text}]/`);
}

/** True when a text is an IP address, IPv6 without its brackets. */
export function isIpAddress(text: string): boolean {
  return isIpv4(text) || isIpv6(text);
}

/**
 * True when a text is a host name. A name that ends in a number is read as an IPv4 address everywhere, so it is none.
 */
export function isName(text: string): boolean {
  if (text.length > 253) return false;
  const labels = text.split(".");
  return !/^[0-9]+$/.test(labels.at(-1) ?? "") && labels.every((label) => NAME_LABEL.test(label));
}

/**
 * Returns a sentence about the fault of a camera address, or null. Allowed are an empty text, a host or an IP address,
 * with or without port.
 */
export function addressProblem(address: string): string | null {
  if (address === "") return null;
  if (address.length > LONGEST_ADDRESS) return `${shown(address)} is longer than ${LONGEST_ADDRESS} characters`;
  const match = /^(?:\[([^\]]*)\]|([^:[\]]+))(?::([0-9]{1,5}))?$/.exec(address);
  const [, ipv6, name, port] = match ?? [];
  const isHost = ipv6 === undefined ? isName(name ?? "") || isIpv4(name ?? "") : isIpv6(ipv6);
  if (match && isHost && (port === undefined || isPort(Number(port)))) return null;
  const host = tidyAddress(address).replace(/\/.*$/s, "");
  if (host !== address && host !== "" && addressProblem(host) === null)
    return `${shown(address)} is not an address: write ${shown(host)}, without http:// or a path`;
  return `${shown(address)} is not an address: expected a host name or IP address such as 192.168.1.20, dashcam.lan:8080 or [fd00::20], without http:// or a path`;
}

function isPort(value: number): boolean {
  return value >= 1 && value <= 65535;
}

/** Returns a sentence about the fault of an IP address or a CIDR range, or null. Blanks around it do not count. */
export function networkProblem(network: string): string | null {
  const [address = "", prefix, ...rest] = network.trim().split("/");
  const bits = isIpv4(address) ? 32 : isIpv6(address) ? 128 : 0;
  const fits = prefix === undefined || (/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (bits > 0 && fits && rest.length === 0) return null;
  return `${shown(network)} is neither an IP address nor a range such as 192.168.0.0/24`;
}
