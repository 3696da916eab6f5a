import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checksumText } from "../../../server/domain/pack/checksum_list.ts";
import { allowedSigners, keysAllowed, readSignature } from "../../../server/domain/pack/ssh_signature_format.ts";
import { SUMS_COMMAND, VERIFY_COMMAND } from "../../../server/domain/pack/verify_text.ts";
import { Log } from "../../../server/log.ts";
import { fingerprintOf, isSignedBy, SigningKeyFile } from "../../../server/store/config/pack_signing.ts";
import { FakeClock } from "../../support/app/clock.ts";

let folder: string;
let path: string;
let lines: string[];
let file: SigningKeyFile;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signing-"));
  path = join(folder, "pack-key.pem");
  lines = [];
  file = new SigningKeyFile(
    path,
    new Log(new FakeClock(), [({ level, message }) => lines.push(`${level} ${message}`)]),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MESSAGE = new TextEncoder().encode("a list\n");
const partsOf = (text: string) => {
  const found = readSignature(text);
  if (found === null) throw new Error("no signature");
  return found;
};

describe("the key of the installation", () => {
  test("is made once, for its owner only, and signs the same way after a restart", async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => file.read()));
    const [first] = keys;
    if (!first) throw new Error("no key");
    expect(new Set(keys.map(({ fingerprint }) => fingerprint)).size).toBe(1);
    expect(lines).toEqual([`INFO ${path} was made: packs are signed with the key ${first.fingerprint}`]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = await new SigningKeyFile(path, new Log(new FakeClock())).read();
    expect(again.sign(MESSAGE)).toBe(first.sign(MESSAGE));
  });

  test("signs what only its own signature fits", async () => {
    const { publicKey, fingerprint, sign } = await file.read();
    const { signature, ...rest } = partsOf(sign(MESSAGE));
    expect([rest, fingerprintOf(publicKey)]).toEqual([{ publicKey, namespace: "dashdock" }, fingerprint]);
    expect(isSignedBy(publicKey, MESSAGE, signature)).toBe(true);
    expect(isSignedBy(publicKey, MESSAGE.subarray(1), signature)).toBe(false);
    expect(isSignedBy(publicKey, MESSAGE, signature.with(3, (signature[3] ?? 0) ^ 1))).toBe(false);
    rmSync(path);
    expect(isSignedBy((await file.read()).publicKey, MESSAGE, signature)).toBe(false);
  });

  test("is never replaced when it is damaged: the refusal says what to do", async () => {
    for (const text of [
      "",
      "hello",
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      "x".repeat(100_000),
    ]) {
      writeFileSync(path, text);
      await expect(file.read()).rejects.toMatchObject({
        code: "SIGNING_KEY_UNUSABLE",
        message: `Nothing can be signed: ${path} is damaged. Restore it from a backup. Without one, move it away: the next pack is signed by a new key, with another fingerprint.`,
      });
      expect(readFileSync(path, "utf8")).toBe(text);
    }
    rmSync(path);
    mkdirSync(path);
    await expect(file.read()).rejects.toMatchObject({ code: "SIGNING_KEY_UNUSABLE" });
    const nowhere = new SigningKeyFile(join(folder, "none", "pack-key.pem"), new Log(new FakeClock()));
    await expect(nowhere.read()).rejects.toMatchObject({
      message: expect.stringContaining("could not be written (ENOENT)"),
    });
  });

  test.skipIf(!Bun.which("ssh-keygen") || !Bun.which("sha256sum"))(
    "is believed by the tools of every Linux",
    async () => {
      const { publicKey, sign, fingerprint } = await file.read();
      mkdirSync(join(folder, "originals"));
      writeFileSync(join(folder, "originals", "one.mp4"), MESSAGE);
      const sums = checksumText([
        { name: "originals/one.mp4", sha256: new Bun.CryptoHasher("sha256").update(MESSAGE).digest("hex") },
      ]);
      writeFileSync(join(folder, "SHA256SUMS"), sums);
      writeFileSync(join(folder, "SHA256SUMS.sig"), sign(new TextEncoder().encode(sums)));
      writeFileSync(join(folder, "allowed_signers"), allowedSigners(publicKey));
      const ran = (command: string) => {
        const { exitCode, stdout } = Bun.spawnSync(["sh", "-c", command], { cwd: folder });
        return [exitCode, stdout.toString().trim()];
      };
      expect(ran(SUMS_COMMAND)).toEqual([0, "originals/one.mp4: OK"]);
      expect(ran(VERIFY_COMMAND)).toEqual([
        0,
        `Good "dashdock" signature for owner@dashdock with ED25519 key ${fingerprint}`,
      ]);
      // As `ssh-keygen` writes a signature, it is read here.
      rmSync(join(folder, "SHA256SUMS.sig"));
      Bun.spawnSync(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", join(folder, "theirs")]);
      Bun.spawnSync([
        "ssh-keygen",
        "-Y",
        "sign",
        "-f",
        join(folder, "theirs"),
        "-n",
        "dashdock",
        join(folder, "SHA256SUMS"),
      ]);
      const theirs = partsOf(readFileSync(join(folder, "SHA256SUMS.sig"), "utf8"));
      expect(isSignedBy(theirs.publicKey, new TextEncoder().encode(sums), theirs.signature)).toBe(true);
      expect(keysAllowed(`owner@dashdock ${readFileSync(join(folder, "theirs.pub"), "utf8")}`)).toEqual([
        theirs.publicKey,
      ]);
      writeFileSync(join(folder, "SHA256SUMS"), sums.replace("one", "two"));
      expect(ran(VERIFY_COMMAND)[0]).not.toBe(0);
    },
  );
});
