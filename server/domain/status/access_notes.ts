import type { Settings } from "../settings/settings.ts";
import type { UnusableSetting } from "./overview.ts";

export interface AccessFacts {
  readonly auth: Pick<Settings["auth"], "mode" | "trusted_proxies">;
  /** True when a proxy is in front, so that its headers about clients count in every mode. */
  readonly trustProxy: boolean;
  /** Addresses of the internet: one the service listens on, and one a visitor came from; null without. */
  readonly listensOn: string | null;
  readonly cameFrom: string | null;
}

/** Warns about settings that let in more people than was meant: sentences, and the settings section of each. */
export function accessNotes({ auth, trustProxy, listensOn, cameFrom }: AccessFacts): UnusableSetting[] {
  const notes: string[] = [];
  const all = auth.trusted_proxies.find(holdsAll);
  if (all !== undefined) {
    const means =
      auth.mode === "proxy"
        ? "each one that reaches this service can sign in under any name"
        : `each one that reaches this service ${trustProxy ? "can" : "could"} pretend to have another address`;
    notes.push(`${all.trim()} makes every machine a trusted proxy: ${means}.`);
  }
  if (auth.mode === "none" && listensOn !== null)
    notes.push(`No password is asked for, and the service listens on ${listensOn}, an address of the internet.`);
  else if (auth.mode === "none" && cameFrom !== null)
    notes.push(`No password is asked for, and a visitor came from ${cameFrom}, an address of the internet.`);
  return notes.map((sentence) => ({ section: "auth", sentence }));
}

/** Wider than any network that is one's own, 10.0.0.0/8 and fc00::/7 being the widest; `::/1` is as good as `::/0`. */
function holdsAll(network: string): boolean {
  const [base = "", prefix] = network.trim().split("/");
  if (prefix === undefined) return false;
  const isMapped = /^[0:]*ffff:/i.test(base);
  const bits = Number(prefix) - (isMapped ? 96 : 0);
  return base.includes(":") && !isMapped ? bits < 7 : bits < 8;
}
