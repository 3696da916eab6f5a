import { shown } from "../text/shown.ts";

/** The addresses of map pictures and of other people's servers. Each may carry a user and a password, and behind `?` or `#` the keys tile servers give out. */

const PLACES = ["{z}", "{x}", "{y}"];
const HIDDEN = "***";
const CREDENTIALS = /^(\s*https?:[/\\]*)([^/\\?#]*)@/i;

/** Returns a sentence about the fault of a map pictures' address, or null. */
export function tileAddressProblem(text: string): string | null {
  const told = shown(withoutKeys(text));
  const missing = PLACES.filter((place) => !text.includes(place));
  if (missing.length > 0) return `${told} lacks ${missing.join(", ")}`;
  return webAddressProblem(text);
}

/** Returns a sentence about the fault of an address that begins with `http://` or `https://`, or null. */
export function webAddressProblem(text: string): string | null {
  const told = shown(withoutKeys(text));
  const url = URL.canParse(text) && !/[\s\p{Cc}]/u.test(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "")
    return `${told} is not a web address: expected one that begins with http:// or https://`;
  if (split(text).hidden.some(([piece, shown]) => piece === shown))
    return `${told} has ${HIDDEN} in place of a password or key: type it anew`;
  return null;
}

/** The address without its user, its password and every value behind `?` or `#` that is not part of the square's place. */
export function withoutKeys(address: string): string {
  return split(address).shown;
}

/** The pieces of the address that `withoutKeys` changes, each with what it makes of them, for other texts they stand in. */
export function keysIn(address: string): readonly (readonly [piece: string, shown: string])[] {
  return split(address).hidden;
}

function split(address: string) {
  const hidden: (readonly [piece: string, shown: string])[] = [];
  const hide = (piece: string, shown: string) => {
    hidden.push([piece, shown]);
    return shown;
  };
  const end = /[?#]/.exec(address)?.index ?? address.length;
  const front = address
    .slice(0, end)
    .replace(CREDENTIALS, (_, scheme: string, credentials: string) => scheme + hide(`${credentials}@`, `${HIDDEN}@`));
  const behind = address.slice(end).replace(/[?#&;][^?#&;]*/g, (piece) => {
    const value = piece.slice(Math.max(piece.indexOf("="), 0) + 1);
    const isOpen = value === "" || PLACES.some((place) => value.includes(place));
    return isOpen ? piece : hide(piece, piece.slice(0, piece.length - value.length) + HIDDEN);
  });
  return { shown: front + behind, hidden };
}
