import { expect, test } from "bun:test";
import {
  allowedSigners,
  fingerprintText,
  keysAllowed,
  readSignature,
  signatureText,
  signedBytes,
} from "../../../server/domain/pack/ssh_signature_format.ts";

const KEY = new Uint8Array(32).fill(7);
const VALUE = new Uint8Array(64).fill(9);

test("a signature is read as it was written", () => {
  const text = signatureText(KEY, VALUE);
  expect(text).toStartWith("-----BEGIN SSH SIGNATURE-----\nU1NIU0lH");
  expect(text.split("\n").every((line) => line.length <= 70)).toBe(true);
  expect(readSignature(text)).toEqual({ publicKey: KEY, namespace: "dashdock", signature: VALUE });
  expect(readSignature(text.replaceAll("\n", "\r\n"))).toEqual(readSignature(text));
});

test("anything else is no signature", () => {
  const lines = signatureText(KEY, VALUE).split("\n");
  const bytes = Uint8Array.fromBase64(lines.slice(1, -2).join(""));
  const written = (changed: Uint8Array) => [lines[0], changed.toBase64(), lines.at(-2)].join("\n");
  expect(readSignature(written(bytes))).not.toBeNull();
  for (let length = 0; length < bytes.length; length++)
    expect(readSignature(written(bytes.subarray(0, length)))).toBeNull();
  expect(readSignature(written(Buffer.concat([bytes, Buffer.from([0])])))).toBeNull();
  for (const [at, byte] of [
    // The magic word, the version, the length of the key, its type, and the name of the hash.
    [0, 0x54],
    [9, 2],
    [10, 0xff],
    [18, 0x72],
    [93, 0x39],
  ] as const)
    expect([at, readSignature(written(bytes.with(at, byte)))]).toEqual([at, null]);
  for (const text of ["", "x", lines.slice(1).join("\n"), `${lines[0]}\n§§§\n${lines.at(-2)}`])
    expect(readSignature(text)).toBeNull();
});

test("the keys that may sign are those of the owner and of packs", () => {
  const line = allowedSigners(KEY);
  expect(line).toBe(
    'owner@dashdock namespaces="dashdock" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH\n',
  );
  expect(keysAllowed(line)).toEqual([KEY]);
  expect(keysAllowed(line.replace(' namespaces="dashdock"', ""))).toEqual([KEY]);
  expect(keysAllowed(line.replace('"dashdock"', '"git,dashdock"'))).toEqual([KEY]);
  for (const other of [
    "",
    "# nothing",
    line.replace("owner@", "other@"),
    line.replace('"dashdock"', '"git"'),
    line.replace("ssh-ed25519", "ssh-rsa"),
    line.replace("AAAAC3", "AAAAC4"),
    line.replace("CwcHB", ""),
    line.slice(0, -10),
  ].filter((text) => text !== line))
    expect([other, keysAllowed(other)]).toEqual([other, []]);
});

test("a hash of another length is not signed, and fingerprints have no padding", () => {
  expect(() => signedBytes(new Uint8Array(32))).toThrow(RangeError);
  expect(fingerprintText(new Uint8Array(32))).toBe(`SHA256:${"A".repeat(43)}`);
});
