import { fraction } from "./simulated_noise.ts";
import type { FaultName } from "./simulator_faults.ts";

const LEAVING = [
  "../../20261121_101500_NF.mp4",
  "/20261121_101500_NF.mp4",
  "..%2f20261121_101500_NF.mp4",
  "..\\20261121_101500_NF.mp4",
  "sub/20261121_101500_NF.mp4",
  "20261121_101500_NF.mp4/../../x.mp4",
];
const IMPOSSIBLE = [
  "20261345_250000_NF.mp4",
  "20260230_101500_NF.mp4",
  "20261121_106100_NR.mp4",
  "00000000_000000_NF.mp4",
];

/** The listing's bytes as this fault leaves them. */
export function misshapen(name: FaultName, listing: Uint8Array): Uint8Array {
  const encode = (text: string) => new TextEncoder().encode(text);
  const text = new TextDecoder("latin1").decode(listing);
  const lines = text.split(/\r?\n/).filter((line) => line !== "");
  const [version = "v:1.00", ...entries] = lines;
  const added = (names: readonly string[]) =>
    encode(`${text}${names.map((each) => `n:/Record/${each},s:1000000\r\n`).join("")}`);
  switch (name) {
    case "list-garbage":
      return Uint8Array.from({ length: 2000 }, (_, index) => Math.floor(fraction(2000, index) * 256));
    case "list-html":
      return encode("<!DOCTYPE html>\n<html><head><title>Router</title></head><body>Welcome</body></html>\n");
    case "list-json":
      return encode('{"filelist":[{"filename":"20261121_101500_NF.mp4"}]}');
    case "list-empty":
      return encode(`${version}\r\n`);
    case "list-blank":
      return new Uint8Array(0);
    case "list-cut":
      // In the middle of the last entry's name: such a line must never become a recording.
      return encode(text.slice(0, Math.max(4, text.length - 20)));
    case "list-lf":
      return encode(text.replaceAll("\r\n", "\n"));
    case "list-no-final-newline":
      return encode(text.replace(/\r?\n$/, ""));
    case "list-traversal":
      return added(LEAVING);
    case "list-impossible-dates":
      return added(IMPOSSIBLE);
    case "list-not-utf8": {
      const bytes = encode(`${text}n:/Record/20261121_10?500_NF.mp4,s:1000000\r\n?\r\n`);
      return bytes.map((byte) => (byte === 0x3f ? 0xff : byte));
    }
    case "list-duplicates":
      return encode([version, ...entries.flatMap((entry) => [entry, entry]), ""].join("\r\n"));
    default:
      return listing;
  }
}
