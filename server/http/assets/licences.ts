import { gunzipSync } from "node:zlib";
// A macro: it runs while the program is built, and what it returns stands here instead of the call.
import { packedLicences } from "./bundled_licences.ts" with { type: "macro" };
import type { Licence } from "./bundled_licences.ts";

/** The licences of all that is in the executable, ours first. */
export function bundledLicenceTexts(): readonly Licence[] {
  return JSON.parse(gunzipSync(Buffer.from(packedLicences(), "base64")).toString());
}
