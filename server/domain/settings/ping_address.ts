import { keysIn, webAddressProblem, withoutKeys } from "./tile_address.ts";

/** The address that is called after every run. The services that wait for the call know it by a secret in the path. */

const HIDDEN = "***";
/** A part of the path of so many characters is a secret, not a name. */
const SECRET_PART = /(?<=[/])[^/?#]{16,}/g;

/** Returns a sentence about the fault of the address, or null. */
export function pingProblem(text: string): string | null {
  // No sentence repeats the address: most of it may be a secret.
  if (webAddressProblem(text) !== null && !text.includes(HIDDEN))
    return "it is not a web address: expected one that begins with http:// or https://";
  return text.includes(HIDDEN) ? `it has ${HIDDEN} in place of a secret part: type that part anew` : null;
}

/** The address as it may be shown. */
export function shownPing(address: string): string {
  const [, front = "", path = ""] = /^([a-z]+:[/]+[^/]*)(.*)$/i.exec(withoutKeys(address)) ?? [];
  return front + path.replace(SECRET_PART, HIDDEN);
}

/** The secret pieces of the address. */
export function secretsOfPing(address: string): string[] {
  const [, path = ""] = /^[a-z]+:[/]+[^/]*(.*)$/i.exec(address) ?? [];
  return [...keysIn(address).map(([piece]) => piece.replace(/@$/, "")), ...(path.match(SECRET_PART) ?? [])];
}

/** The address that is called after a run. */
export function pingAfter(address: string, hasFailed: boolean): string {
  if (!hasFailed) return address;
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(address) ?? [];
  return `${path.replace(/[/]+$/, "")}/fail${rest}`;
}
