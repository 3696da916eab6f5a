import { BlockList, isIP } from "node:net";
import type { networkInterfaces } from "node:os";

export type Interfaces = ReturnType<typeof networkInterfaces>;

/** Route from this machine's own networks to an address. */
export interface Route {
  readonly kind: "itself" | "same" | "elsewhere" | "none";
  /** As it stands beside the step. */
  readonly finding: string;
  /** The machine's own networks, such as `192.168.1.0/24`; empty unless the address is in none of them. */
  readonly own: readonly string[];
  /** The network that the address is most likely in. */
  readonly camera: string;
  /** The interface of the first of the own networks. */
  readonly parent: string;
}

interface OwnNetwork {
  readonly by: string;
  readonly address: string;
  readonly prefix: number;
  readonly text: string;
}

/** Finds the network of this machine that has the address, and its interface. */
export function routeTo(address: string, interfaces: Interfaces): Route {
  const camera = networkText(address, isIP(address) === 6 ? 64 : 24);
  const route = (kind: Route["kind"], finding: string): Route => ({ kind, finding, own: [], camera, parent: "eth0" });
  if (holds("127.0.0.0", 8, address) || holds("::1", 128, address)) return route("itself", "This machine itself");
  const networks = networksOf(interfaces);
  if (networks.some((own) => own.address === address)) return route("itself", "This machine itself");
  const shared = networks.find((own) => holds(own.address, own.prefix, address));
  if (shared) return route("same", `Same network, ${shared.text} by ${shared.by}`);
  const [first, ...others] = networks.filter((own) => isIP(own.address) === isIP(address));
  if (!first) return route("none", "No network of this machine leads there");
  // A container's bridge leads through its host, which may well be in the camera's network.
  if (networks.every(isBridge)) return route("none", `From a container’s network, ${first.text}, through its host`);
  const own = [...new Set([first, ...others].map(({ text }) => text))].slice(0, 3);
  const finding = `Another network than ${first.text} by ${first.by}`;
  return { ...route("elsewhere", finding), own, parent: first.by };
}

function networksOf(interfaces: Interfaces): OwnNetwork[] {
  return Object.entries(interfaces).flatMap(([by, addresses]) =>
    (addresses ?? []).flatMap(({ address, cidr }) => {
      const prefix = Number(cidr?.split("/")[1] ?? Number.NaN);
      const isLoopback = holds("127.0.0.0", 8, address) || holds("::1", 128, address);
      if (!Number.isInteger(prefix) || isLoopback) return [];
      return [{ by, address, prefix, text: networkText(address, prefix) }];
    }),
  );
}

/** Container engines make their bridges there, and give them this size. */
function isBridge({ address, prefix }: OwnNetwork): boolean {
  return isIP(address) === 6 || (prefix === 16 && holds("172.16.0.0", 12, address));
}

function holds(base: string, prefix: number, address: string): boolean {
  const family = (text: string) => (isIP(text) === 6 ? "ipv6" : "ipv4");
  if (isIP(base) === 0 || isIP(base) !== isIP(address)) return false;
  const network = new BlockList();
  network.addSubnet(base, prefix, family(base));
  return network.check(address, family(address));
}

/** `192.168.1.0/24` of an address in it; of IPv6 the address itself stands for its network. */
function networkText(address: string, prefix: number): string {
  if (isIP(address) !== 4) return `${address}/${prefix}`;
  const number = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - prefix);
  const first = Math.floor(number / size) * size;
  return `${[24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join(".")}/${prefix}`;
}
