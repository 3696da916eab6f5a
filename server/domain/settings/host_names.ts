import { shown } from "../text/shown.ts";
import { isIpAddress, isName } from "./address.ts";

/** Endings that no public name server gives out, so that a foreign page cannot have a name of that kind. */
const HOME_ENDINGS: readonly string[] = [".local", ".lan", ".home.arpa", ".internal"];

/** Names of this service, beside those that can only be meant for the own network. */
export interface OwnNames {
  /** The machine's own name. */
  readonly machine: string;
  /** `web.allowed_hosts` */
  readonly allowed: readonly string[];
}

/**
 * True when a `Host` header names this service in a way that no foreign page can have arranged. That is an address, a
 * name of the own network, or an allowed name. Any site can point a name of its own at any address (DNS rebinding).
 */
export function isOwnHost(host: string, { machine, allowed }: OwnNames): boolean {
  const name = hostNameOf(host);
  if (isIpAddress(name)) return true;
  if (!isName(name)) return false;
  if (!name.includes(".")) return true;
  if (HOME_ENDINGS.some((ending) => name.endsWith(ending))) return true;
  return [machine, ...allowed].some((own) => hostNameOf(own) === name);
}

/** The name or address in a `Host` header, without port, brackets and the dot of the root, in small letters. */
export function hostNameOf(host: string): string {
  const [, ipv6, name] = /^(?:\[([^\]]{0,60})\]|([^:[\]]{0,260}))(?::[0-9]{0,5})?$/.exec(host.trim()) ?? [];
  return (ipv6 ?? name ?? "").toLowerCase().replace(/\.$/, "");
}

/** Returns a sentence about the fault of a host name in the settings, or null. */
export function hostNameProblem(text: string): string | null {
  if (text.length <= 254 && isName(text.replace(/\.$/, ""))) return null;
  return `${shown(text)} is not a host name: expected one such as dashcam.example.org, without http:// and without a port`;
}
