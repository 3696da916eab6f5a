import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Decrypter, Encrypter } from "age-encryption";
import { openedContent, SealBroken, sealedPart, sealedSize } from "../../../server/engine/offsite/age_content.ts";
import { type AgeHead, makeHead, openHead } from "../../../server/engine/offsite/age_head.ts";
import { openChunkSeal } from "../../../server/engine/offsite/chunk_seal.ts";

const PASSPHRASE = "five words that are long";
const CHUNK = 64 * 1024;
const plainOf = (size: number) => Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 9)) & 255);

async function sealed(plain: Uint8Array, head: AgeHead, cuts: readonly number[] = []): Promise<Uint8Array> {
  const read = async (from: number, to: number, into: Uint8Array) => into.set(plain.subarray(from, to));
  const source = { head, size: plain.length, read, seal: openChunkSeal() };
  const places = [0, ...cuts, sealedSize(plain.length)];
  const parts: Uint8Array[] = [];
  for (const [index, to] of places.slice(1).entries())
    parts.push(await sealedPart(source, places[index] ?? 0, to, () => {}));
  return new Uint8Array(Buffer.concat(parts));
}

async function opened(bytes: Uint8Array, passphrase = PASSPHRASE, step = 1000): Promise<Buffer> {
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
  };
  return Buffer.concat(await Array.fromAsync(openedContent(pieces(), passphrase)));
}

describe("an encrypted file", () => {
  for (const size of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 300_001])
    test(`of ${size} bytes is opened by age’s own library, and by us`, async () => {
      const plain = plainOf(size);
      const file = await sealed(plain, await makeHead(PASSPHRASE));
      expect(file.length).toBe(sealedSize(size));
      const decrypter = new Decrypter();
      decrypter.addPassphrase(PASSPHRASE);
      expect(Buffer.from(await decrypter.decrypt(file))).toEqual(Buffer.from(plain));
      expect(await opened(file)).toEqual(Buffer.from(plain));
    });

  test("is the same in any parts, also when its head is opened anew", async () => {
    const plain = plainOf(300_001);
    const head = await makeHead(PASSPHRASE);
    const whole = await sealed(plain, head);
    expect(await sealed(plain, head, [1, 100, 200, CHUNK, 2 * CHUNK + 99, 200_000])).toEqual(whole);
    const again = await openHead(head.bytes, PASSPHRASE);
    expect(again).not.toBeNull();
    if (again !== null) expect(await sealed(plain, again, [CHUNK + 5])).toEqual(whole);
    expect(await openHead(head.bytes, "another passphrase")).toBeNull();
  });

  test("of age’s own library is opened by us", async () => {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(PASSPHRASE);
    encrypter.setScryptWorkFactor(10);
    const plain = plainOf(200_000);
    expect(await opened(new Uint8Array(await encrypter.encrypt(plain)))).toEqual(Buffer.from(plain));
  });

  test("is refused whole when a bit is turned, when it is cut, and with another passphrase", async () => {
    const file = await sealed(plainOf(3 * CHUNK), await makeHead(PASSPHRASE));
    for (const at of [30, 100, 180, 200, CHUNK + 300, file.length - 1]) {
      const turned = file.slice();
      turned[at] = (turned[at] ?? 0) ^ 1;
      expect(opened(turned)).rejects.toBeInstanceOf(SealBroken);
    }
    for (const length of [0, 10, 190, 2 * CHUNK, file.length - CHUNK - 16, file.length - 1])
      expect(opened(file.slice(0, length))).rejects.toBeInstanceOf(SealBroken);
    expect(opened(file, "another passphrase")).rejects.toMatchObject({ isLocked: true });
  });

  const age = Bun.which("age");
  test.skipIf(age === null)("is opened by the program age", async () => {
    const folder = await mkdtemp(join(tmpdir(), "age-"));
    try {
      const plain = plainOf(300_001);
      await Bun.write(join(folder, "a.age"), await sealed(plain, await makeHead(PASSPHRASE)));
      // It asks for the passphrase on a terminal and nowhere else.
      const command = `${age} -d -o ${folder}/a ${folder}/a.age`;
      const run = Bun.spawn(["script", "-qec", command, "/dev/null"], {
        stdin: "pipe",
        stdout: "pipe",
        stderr: "pipe",
      });
      run.stdin.write(`${PASSPHRASE}\n`);
      run.stdin.flush();
      expect(await run.exited).toBe(0);
      expect(Buffer.from(await Bun.file(join(folder, "a")).arrayBuffer())).toEqual(Buffer.from(plain));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
