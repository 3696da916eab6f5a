import { shown } from "../text/shown.ts";
import { webAddressProblem, withoutKeys } from "./tile_address.ts";

/** Returns a sentence about the fault of the address under which others reach the service, or null. */
export function publicAddressProblem(text: string): string | null {
  const problem = webAddressProblem(text);
  if (problem !== null) return problem;
  const { username, password } = new URL(text);
  const isBare = username === "" && password === "" && !/[?#]/.test(text);
  return isBare
    ? null
    : `${shown(withoutKeys(text))} has more than a host and a path: expected an address such as https://name.example`;
}

/**
 * The address under which others reach the service; null when none is set. The path below which the service is reached is
 * in it, also where the setting names a host alone.
 */
export function addressForOthers({ web }: OfWeb): string | null {
  const { public_url: url, base_path: base } = web;
  return url !== null && new URL(url).pathname === "/" ? publicAddress(url, base) : url;
}

interface OfWeb {
  readonly web: { readonly public_url: string | null; readonly base_path: string };
}

/** The address of a path below the one under which others reach the service. */
export function publicAddress(base: string, path: string): string {
  return `${base.replace(/\/+$/, "")}${path}`;
}
