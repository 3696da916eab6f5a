import { fraction } from "./simulated_noise.ts";
import type { ArmedFault, FaultName } from "./simulator_faults.ts";

/** Names that try to leave the folder. */
export const LEAVING: readonly string[] = [
  "../../20261121_101500_NF.mp4",
  "/20261121_101500_NF.mp4",
  "..%2f20261121_101500_NF.mp4",
  "..\\20261121_101500_NF.mp4",
  "sub/20261121_101500_NF.mp4",
  "20261121_101500_NF.mp4/../../x.mp4",
];
/** Names with dates that do not exist. */
export const IMPOSSIBLE: readonly string[] = [
  "20261345_250000_NF.mp4",
  "20260230_101500_NF.mp4",
  "20261121_106100_NR.mp4",
  "00000000_000000_NF.mp4",
];

/** Lines of which no recording's name can be read, one of each kind. */
const JUNK = ["n:", "n:/Record/", "n:/Record/,s:1000000", "welcome", "n:/Record/readme.txt,s:1000000"];

/** Returns the answer in place of any listing, whatever the generation; null for the faults that change a listing. */
export function noListing(name: FaultName): Uint8Array | null {
  switch (name) {
    case "list-garbage":
      return Uint8Array.from({ length: 2000 }, (_, index) => Math.floor(fraction(2000, index) * 256));
    case "list-html":
      return new TextEncoder().encode(PAGE);
    case "list-blank":
      return new Uint8Array(0);
    default:
      return null;
  }
}

const PAGE = "<!DOCTYPE html>\n<html><head><title>Router</title></head><body>Welcome</body></html>\n";

/** The text listing's bytes as this fault leaves them. */
export function misshapenListing(fault: ArmedFault, listing: Uint8Array): Uint8Array {
  const encode = (text: string) => new TextEncoder().encode(text);
  const text = new TextDecoder("latin1").decode(listing);
  const lines = text.split(/\r?\n/).filter((line) => line !== "");
  const [version = "v:1.00", ...entries] = lines;
  const added = (names: readonly string[]) =>
    encode(`${text}${names.map((each) => `n:/Record/${each},s:1000000\r\n`).join("")}`);
  switch (fault.name) {
    case "list-json":
      return encode(String(fault.value ?? '{"filelist":[{"filename":"20261121_101500_NF.mp4"}]}'));
    case "list-empty":
      return encode(`${version}\r\n`);
    case "list-cut":
      // Cuts in the middle of the last entry's name: such a line must never become a recording.
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
    case "list-junk":
      return encode(`${text}${JUNK.map((line) => `${line}\r\n`).join("")}`);
    default:
      return noListing(fault.name) ?? listing;
  }
}
