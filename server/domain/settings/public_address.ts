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

/** The address of a path below the one under which others reach the service. */
export function publicAddress(base: string, path: string): string {
  return `${base.replace(/\/+$/, "")}${path}`;
}
