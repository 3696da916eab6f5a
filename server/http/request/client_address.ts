/** An IP address as a number; IPv4 written inside IPv6 counts as IPv4. */
interface Numeric {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

const MAPPED_PREFIX = 0xffffn << 32n;

/** This machine, and networks that no packet from the internet comes from: private, and of one link. */
const NEAR = [
  ...["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"],
  ...["::1", "fc00::/7", "fe80::/10"],
];
/** Networks of providers, and those laid over the internet between machines that know each other. */
const SHARED = ["100.64.0.0/10"];

/** The client's address: the peer, or the one address the proxy added to `X-Forwarded-For` when the peer is one. */
export function clientAddress(peer: string, forwardedFor: string | null, isProxy: boolean): string {
  const forwarded = isProxy ? withoutPort(lastHop(forwardedFor)) : "";
  return parse(forwarded) === null ? plain(peer) : plain(forwarded);
}

/** The element of a forwarding header that our own proxy wrote: earlier ones are whatever the client sent. */
export function lastHop(header: string | null): string {
  return header?.split(",").at(-1)?.trim() ?? "";
}

/**
 * True when an address is in one of the networks, each an address or a CIDR range. A text that is neither matches
 * nothing.
 */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const found = parse(address);
  return found !== null && networks.some((network) => holds(network, found));
}

/** True when an address is of this machine or of a private network. */
export function isNear(address: string): boolean {
  return isWithin(address, NEAR);
}

/**
 * True when the forwarding headers of a peer count, where a proxy is in front. A peer on the internet has to be named:
 * else every machine there could claim to be another.
 */
export function mayBeProxy(peer: string, named: readonly string[]): boolean {
  return isNear(peer) || isWithin(peer, named);
}

/** True when an address is one of the internet. */
export function isPublic(address: string): boolean {
  return parse(address) !== null && !isWithin(address, [...NEAR, ...SHARED, "0.0.0.0", "::"]);
}

/**
 * Returns the part of an address that a guesser cannot change at will: the IPv4 address, or the /64 an IPv6 address is
 * in.
 */
export function guesserOf(address: string): string {
  const found = parse(address);
  if (found === null) return address;
  return found.bits === 32 ? `4:${found.value}` : `6:${found.value >> 64n}`;
}

/** The /48 an IPv6 address is in, which may be all one guesser's; null for IPv4. */
export function networkOf(address: string): string | null {
  const found = parse(address);
  return found?.bits === 128 ? `6:${found.value >> 80n}` : null;
}

function holds(network: string, { bits, value }: Numeric): boolean {
  const [base = "", length, ...rest] = network.trim().split("/");
  const start = parse(base);
  if (start === null || start.bits !== bits || rest.length > 0) return false;
  if (length === undefined) return start.value === value;
  if (!/^[0-9]{1,3}$/.test(length)) return false;
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
  const prefix = Number(length) - (bits === 32 && base.includes(":") ? 96 : 0);
  if (prefix < 0 || prefix > bits) return false;
  const shift = BigInt(bits - prefix);
  return start.value >> shift === value >> shift;
}

/** As it is shown and logged: without a zone, which holds whatever its sender likes. */
function plain(address: string): string {
  const found = parse(address);
  if (found?.bits === 32) return ipv4Text(found.value);
  return found === null ? address : address.replace(/%.*$/s, "").trim();
}

function ipv4Text(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
}

function withoutPort(address: string): string {
  return /^\[([^\]]*)\](:[0-9]+)?$/.exec(address)?.[1] ?? /^([0-9.]+):[0-9]+$/.exec(address)?.[1] ?? address;
}

function parse(text: string): Numeric | null {
  const address = text.trim().replace(/%.*$/s, "");
  if (!address.includes(":")) {
    const value = ipv4(address);
    return value === null ? null : { bits: 32, value };
  }
  const value = ipv6(address);
  if (value === null) return null;
  return value >> 32n === MAPPED_PREFIX >> 32n ? { bits: 32, value: value & 0xffffffffn } : { bits: 128, value };
}

function ipv4(text: string): bigint | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255)) {
    return null;
  }
  return parts.reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);
}

function ipv6(text: string): bigint | null {
  const tail = text.slice(text.lastIndexOf(":") + 1);
  if (tail.includes(".")) {
    const value = ipv4(tail);
    if (value === null) return null;
    const high = (value >> 16n).toString(16);
    const low = (value & 0xffffn).toString(16);
    return ipv6(`${text.slice(0, -tail.length)}${high}:${low}`);
  }
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head = [], rear = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - rear.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array<string>(missing).fill("0"), ...rear];
  if (!groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return null;
  return groups.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}
