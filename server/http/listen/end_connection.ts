import { dlopen, FFIType } from "bun:ffi";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { C_LIBRARIES } from "../../store/destination/flock.ts";
import { isWithin } from "../request/client_address.ts";

/** The other end of a connection. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** The kernel's tables of connections, IPv4 and IPv6 (proc_net_tcp.rst). */
const TABLES = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];
const DESCRIPTORS = "/proc/self/fd";
const SHUT_RDWR = 2;

/** Shuts both halves of a socket; null where there is no C library to be opened. Bound once: each binding costs memory. */
const systemShutdown = bindShutdown();

/**
 * Ends a connection of this process at once, also while the system sends a file on it. The listener has no way to end a
 * single one; Linux tells which descriptor it has, and shutdown(2) is then noticed as if the client had hung up.
 * @param port ours, which the connection came to
 * @returns false where it cannot be found, as on other systems
 */
export function endConnection(port: number, peer: Peer): boolean {
  const sockets = new Set(TABLES.flatMap((path) => socketsIn(textOf(path), port, peer)));
  if (systemShutdown === null || sockets.size === 0) return false;
  return readdirSync(DESCRIPTORS).some((name) => sockets.has(linkOf(name)) && systemShutdown(Number(name)));
}

/** Finds the sockets of such connections in a table of the kernel, named as links of descriptors name them. */
export function socketsIn(table: string, port: number, peer: Peer): string[] {
  return table.split("\n").flatMap((line) => {
    const [, local = "", remote = "", , , , , , , inode = "0"] = line.trim().split(/\s+/);
    const [address = "", remotePort = ""] = remote.split(":");
    if (portOf(local.split(":")[1]) !== port || portOf(remotePort) !== peer.port || inode === "0") return [];
    return isWithin(addressOf(address), [peer.address]) ? [`socket:[${inode}]`] : [];
  });
}

function portOf(hex = ""): number {
  return Number.parseInt(hex, 16);
}

/** An address as the table has it: words of 32 bits, each with its last byte first. */
function addressOf(hex: string): string {
  const words = (hex.match(/.{8}/g) ?? []).map((word) => word.match(/../g)?.reverse() ?? []);
  const [only = []] = words;
  if (words.length === 1) return only.map((byte) => Number.parseInt(byte, 16)).join(".");
  const all = words.flat().join("");
  return all.match(/.{4}/g)?.join(":") ?? "";
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // Another system, or one without IPv6.
    return "";
  }
}

function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`${DESCRIPTORS}/${descriptor}`);
  } catch {
    // By which the folder was read: it is closed by now.
    return "";
  }
}

function bindShutdown(): ((descriptor: number) => boolean) | null {
  for (const path of C_LIBRARIES) {
    try {
      const { symbols } = dlopen(path, { shutdown: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } });
      return (descriptor) => symbols.shutdown(descriptor, SHUT_RDWR) === 0;
    } catch {
      // Not a library of this system; the next one may be.
    }
  }
  return null;
}
