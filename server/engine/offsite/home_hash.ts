import { createHmac } from "node:crypto";
import type { Settings } from "../../domain/settings/settings.ts";
import { keyOf } from "./age_head.ts";

/**
 * Makes the hash that an object carries of what lies at home. With a passphrase it tells no one else which file it is:
 * it is keyed with what the passphrase gives in this bucket.
 */
export async function homeHashes({
  bucket,
  prefix,
  passphrase,
}: Pick<Settings["offsite"], "bucket" | "prefix" | "passphrase">): Promise<(sha256: string) => string> {
  if (passphrase === null) return (sha256) => sha256;
  const key = await keyOf(passphrase, Buffer.from(`dashdock off-site\n${bucket}\n${prefix.replace(/\/$/, "")}`));
  return (sha256) => createHmac("sha256", key).update(sha256, "hex").digest("hex");
}
