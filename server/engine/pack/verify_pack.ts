import { readChecksums } from "../../domain/pack/checksum_list.ts";
import { SIGNATURE, SIGNERS, SUMS, TIMESTAMP, UNLISTED } from "../../domain/pack/pack_names.ts";
import { isSame, keysAllowed, NAMESPACE, PRINCIPAL, readSignature } from "../../domain/pack/ssh_signature_format.ts";
import { readStamp } from "../../domain/pack/timestamp_protocol.ts";
import { fingerprintOf, isSignedBy } from "../../store/config/pack_signing.ts";
import { NoPack, type PackContent, type PackFile, UnreadablePart } from "../../store/pack/pack_content.ts";

/** A list of a hundred thousand files has less. */
const MOST_LIST_BYTES = 32 * 1024 * 1024;
const MOST_TEXT_BYTES = 1024 * 1024;

/** Result of checking a pack. */
export interface PackVerdict {
  /** Sentences without their end; none for a pack that is whole and signed. */
  readonly problems: readonly string[];
  /** Fingerprint of the key that signed the list; null when the signature is not good. */
  readonly signer: string | null;
  /** Time of the time stamp, as its authority wrote it; null without one of this list. */
  readonly stampedAt: string | null;
  /** Files of the list that are there, and their size. */
  readonly files: number;
  readonly bytes: number;
}

/** Holds a pack against its list, and the list against its signature. @throws NoPack */
export async function verifyPack({ files, problems: found }: PackContent): Promise<PackVerdict> {
  const byName = new Map(files.map((file) => [file.name, file]));
  if (!byName.has(SUMS) && !byName.has(SIGNATURE)) throw new NoPack(`There is no ${SUMS} in it, so it is no pack.`);
  const problems = [...found];
  const tell = (problem: string) => problems.push(problem);
  const small = (name: string, most = MOST_TEXT_BYTES) => smallFile(byName.get(name), name, most, tell);
  const list = await small(SUMS, MOST_LIST_BYTES);
  const signer = list && signerOf(list, await small(SIGNATURE), await small(SIGNERS), tell);
  const stamp = byName.has(TIMESTAMP) ? await small(TIMESTAMP) : null;
  const { sums, problems: lines } = readChecksums(list === null ? "" : new TextDecoder().decode(list));
  for (const line of lines) tell(`${SUMS}: ${line}`);
  for (const [name, sha256] of sums) {
    const file = byName.get(name);
    if (file === undefined) tell(`${name} is missing`);
    else await checkFile(file, sha256, tell);
  }
  for (const { name } of files) if (!sums.has(name) && !UNLISTED.includes(name)) tell(`${name} has no line in ${SUMS}`);
  const stampedAt = stamp && list && stampOf(stamp, list);
  if (stamp && stampedAt === null) tell(`${TIMESTAMP} is no time stamp of ${SUMS}`);
  const listed = files.filter(({ name }) => sums.has(name));
  const bytes = listed.reduce((sum, { size }) => sum + size, 0);
  return { problems, signer, stampedAt, files: listed.length, bytes };
}

async function checkFile(file: PackFile, sha256: string, tell: (problem: string) => void): Promise<void> {
  const hash = new Bun.CryptoHasher("sha256");
  try {
    for await (const piece of file.pieces()) hash.update(piece);
    if (hash.digest("hex") !== sha256) tell(`${file.name} was changed`);
  } catch (error) {
    if (!(error instanceof UnreadablePart)) throw error;
    tell(error.message);
  }
}

async function smallFile(
  file: PackFile | undefined,
  name: string,
  most: number,
  tell: (problem: string) => void,
): Promise<Uint8Array | null> {
  if (file === undefined || file.size > most) {
    tell(file === undefined ? `${name} is missing` : `${name} is longer than any of a pack`);
    return null;
  }
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of file.pieces()) pieces.push(piece.slice());
    return new Uint8Array(Buffer.concat(pieces));
  } catch (error) {
    if (!(error instanceof UnreadablePart)) throw error;
    tell(error.message);
    return null;
  }
}

function signerOf(
  list: Uint8Array,
  signatureFile: Uint8Array | null,
  signersFile: Uint8Array | null,
  tell: (problem: string) => void,
): string | null {
  if (signatureFile === null || signersFile === null) return null;
  const signature = readSignature(new TextDecoder().decode(signatureFile));
  if (signature === null) {
    tell(`${SIGNATURE} is no signature that packs have`);
    return null;
  }
  const { publicKey, namespace, signature: value } = signature;
  if (namespace !== NAMESPACE) tell(`${SIGNATURE} signs something else: it is for ${JSON.stringify(namespace)}`);
  else if (!keysAllowed(new TextDecoder().decode(signersFile)).some((key) => isSame(key, publicKey)))
    tell(`${SIGNERS} does not let the key of the signature sign for ${PRINCIPAL}`);
  else if (!isSignedBy(publicKey, list, value)) tell(`${SUMS} was changed: its signature does not fit`);
  else return fingerprintOf(publicKey);
  return null;
}

function stampOf(stamp: Uint8Array, list: Uint8Array): string | null {
  const found = readStamp(stamp);
  const hash = new Uint8Array(new Bun.CryptoHasher("sha256").update(list).digest());
  return found && isSame(found.hash, hash) ? found.time : null;
}
