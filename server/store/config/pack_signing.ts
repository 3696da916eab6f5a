import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { open } from "node:fs/promises";
import { AppError } from "../../domain/answers/errors.ts";
import {
  fingerprintText,
  keyBytes,
  NAMESPACE,
  signatureText,
  signedBytes,
} from "../../domain/pack/ssh_signature_format.ts";
import { type Log, messageOf } from "../../log.ts";
import { createFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

/** More than any key of Ed25519 has. */
const MOST_BYTES = 16 * 1024;
/** Bytes before the key itself in the form that Node reads (RFC 8410). */
const PUBLIC_HEAD = Uint8Array.fromHex("302a300506032b6570032100");

/** The key of this installation: what is signed by it was made here. */
export interface SigningKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** As `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
  /** The text of a signature's file for this message. */
  readonly sign: (message: Uint8Array) => string;
}

/**
 * `pack-key.pem` in the config folder, made when it is first needed. It is never replaced: packs that were handed out are
 * known by it. While it cannot be used nothing is signed, and the refusal tells why.
 */
export class SigningKeyFile {
  readonly #path: string;
  readonly #log: Log;

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /** @throws AppError SIGNING_KEY_UNUSABLE */
  async read(): Promise<SigningKey> {
    return (await this.#found()) ?? (await this.#made());
  }

  async #found(): Promise<SigningKey | null> {
    let text: string;
    try {
      await using file = await open(this.#path, "r");
      const buffer = Buffer.alloc(MOST_BYTES);
      const { bytesRead } = await file.read(buffer, 0, MOST_BYTES, 0);
      text = buffer.toString("latin1", 0, bytesRead);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return null;
      throw this.#unusable(`cannot be read (${errorCode(error) || messageOf(error)})`);
    }
    const key = keyIn(text);
    if (key === null) {
      throw this.#unusable(
        "is damaged. Restore it from a backup. Without one, move it away: the next pack is signed by a new key, with another fingerprint",
      );
    }
    return key;
  }

  async #made(): Promise<SigningKey> {
    const { privateKey } = generateKeyPairSync("ed25519");
    try {
      // Another request may have made one meanwhile: then it is that one.
      const isNew = await createFile(this.#path, privateKey.export({ format: "pem", type: "pkcs8" }).toString());
      const key = await this.#found();
      if (key === null) throw this.#unusable("went away while it was made");
      if (isNew) this.#log.info("config", `${this.#path} was made: packs are signed with the key ${key.fingerprint}`);
      return key;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw this.#unusable(`could not be written (${errorCode(error) || messageOf(error)})`);
    }
  }

  #unusable(what: string): AppError {
    const message = `Nothing can be signed: ${this.#path} ${what}.`;
    this.#log.warning("config", message);
    return new AppError("SIGNING_KEY_UNUSABLE", message);
  }
}

/** Tells whether a message was signed by this key. */
export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, publicKey]), format: "der", type: "spki" });
  return verify(null, signedBytes(hashOf("sha512", message)), key, signature);
}

/** Returns the fingerprint of a key, as `ssh-keygen -l` prints it. */
export function fingerprintOf(publicKey: Uint8Array): string {
  return fingerprintText(hashOf("sha256", keyBytes(publicKey)));
}

/** Reads the text of a key's file (PEM); null when it is no key of Ed25519. It signs in this namespace only. */
export function keyIn(text: string, namespace = NAMESPACE): SigningKey | null {
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    return null;
  }
  if (key.asymmetricKeyType !== "ed25519") return null;
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  const publicKey = new Uint8Array(spki.subarray(PUBLIC_HEAD.length));
  return {
    publicKey,
    fingerprint: fingerprintOf(publicKey),
    sign: (message) =>
      signatureText(publicKey, sign(null, signedBytes(hashOf("sha512", message), namespace), key), namespace),
  };
}

function hashOf(name: "sha256" | "sha512", bytes: Uint8Array): Uint8Array {
  return new Uint8Array(new Bun.CryptoHasher(name).update(bytes).digest());
}
