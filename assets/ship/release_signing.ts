import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allowedSigners } from "../../server/domain/pack/ssh_signature_format.ts";
import { keyIn, type SigningKey } from "../../server/store/config/pack_signing.ts";

export const SUMS = "SHA256SUMS";
export const SUMS_SIGNATURE = `${SUMS}.sig`;
export const SIGNERS = "allowed_signers";
/** Tells signatures of releases from those of packs, which `ssh-keygen -Y verify` then refuses here. */
export const RELEASE_NAMESPACE = "dashdock-release";
/** Name of the signer in `allowed_signers`. */
export const RELEASE_PRINCIPAL = "release@dashdock";
const KEY = "RELEASE_SIGNING_KEY";
const KEY_FILE = `${KEY}_FILE`;

/**
 * Returns the key that a release is signed with; null when none is given. It comes from the environment, as text or as
 * the path of a file, and is never stored.
 * @throws Error a sentence that names the variable, never its value
 */
export function keyFrom(env: Readonly<Record<string, string | undefined>>): SigningKey | null {
  const { [KEY]: text, [KEY_FILE]: path } = env;
  if (text && path) throw new Error(`${KEY} and ${KEY_FILE} are both set; keep one of them.`);
  const given = path ? KEY_FILE : KEY;
  const found = path ? textOf(path) : text;
  if (!found) return null;
  const key = keyIn(found, RELEASE_NAMESPACE);
  if (key === null)
    throw new Error(`${given} is no key of Ed25519. "openssl genpkey -algorithm ed25519" makes one (PEM).`);
  return key;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Error(`${KEY_FILE} names a file that cannot be read.`);
  }
}

/**
 * Writes the signature of the list of checksums beside it, and who may have made it. Without a key those of an earlier
 * release are taken away.
 * @returns a sentence that says what was done
 */
export function signRelease(folder: string, key: SigningKey | null): string {
  const sums = join(folder, SUMS);
  if (!existsSync(sums)) throw new Error(`There is no ${SUMS} in ${folder}; "bun run release checksums" writes it.`);
  if (key === null) {
    for (const name of [SUMS_SIGNATURE, SIGNERS]) rmSync(join(folder, name), { force: true });
    return `${SUMS} is not signed: neither ${KEY} nor ${KEY_FILE} is set.`;
  }
  writeFileSync(join(folder, SUMS_SIGNATURE), key.sign(readFileSync(sums)));
  writeFileSync(join(folder, SIGNERS), allowedSigners(key.publicKey, RELEASE_NAMESPACE, RELEASE_PRINCIPAL));
  return `${SUMS} is signed with the key ${key.fingerprint}.`;
}
