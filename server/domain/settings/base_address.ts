/** An address of ours as clients reach it below a path; an address of others stays as it is. */
export function withBase(address: string, base: string): string {
  return address[0] === "/" && address[1] !== "/" ? base + address : address;
}

/** The path of ours to which a client's path leads. */
export function withoutBase(path: string, base: string): string {
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
