import { expect, test } from "bun:test";
import { CHUNK, openChunkSeal, plainSeal, SEAL } from "../../../server/engine/offsite/chunk_seal.ts";

const seals = { vectors: openChunkSeal(), plain: plainSeal() };
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));

for (const [name, seal] of Object.entries(seals))
  test(`${name} turn the example of RFC 8439, section 2.8.2, into its bytes`, () => {
    const key = bytes("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f");
    const text = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, ";
    seal.plain.set(Buffer.from(text));
    const sealed = seal.seal(key, bytes("070000004041424344454647"), text.length);
    expect(Buffer.from(sealed.subarray(0, 32)).toString("hex")).toBe(
      "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6",
    );
    expect(sealed.length).toBe(text.length + SEAL);
  });

test("both ways seal chunks of any length alike, one after the other", () => {
  const lengths = [0, 1, 15, 16, 17, 255, 256, 257, 4095, CHUNK - 17, CHUNK - 1, CHUNK];
  for (let turn = 0; turn < 60; turn++) {
    const length = lengths[turn] ?? Math.floor(Math.random() * (CHUNK + 1));
    // Limbs that are full carry the furthest.
    const isFull = turn % 3 === 0;
    const key = isFull ? new Uint8Array(32).fill(255) : crypto.getRandomValues(new Uint8Array(32));
    const nonce = crypto.getRandomValues(new Uint8Array(12));
    const plain = isFull ? new Uint8Array(CHUNK).fill(255) : crypto.getRandomValues(new Uint8Array(CHUNK));
    const [one, other] = Object.values(seals).map((seal) => {
      seal.plain.set(plain);
      return Buffer.from(seal.seal(key, nonce, length)).toString("base64");
    });
    expect([length, one]).toEqual([length, other]);
  }
});
