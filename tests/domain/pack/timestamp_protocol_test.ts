import { expect, test } from "bun:test";
import { readStamp, stampRequest } from "../../../server/domain/pack/timestamp_protocol.ts";

const HASH = new Uint8Array(32).fill(0xab);

/** A value of DER; as long as it takes. */
function der(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];
  return new Uint8Array(Buffer.concat([Uint8Array.of(tag, ...length), content]));
}
const number = (value: number) => der(2, Uint8Array.of(value));
const identifier = (hex: string) => der(6, Uint8Array.fromHex(hex));
const SHA256 = "608648016503040201";

/** A response as authorities send it, with what differs. */
function response({
  status = 0,
  hash = HASH,
  algorithm = SHA256,
  content = "2a864886f70d0109100104",
} = {}): Uint8Array {
  const info = der(
    0x30,
    number(1),
    identifier("2a0304"),
    der(0x30, der(0x30, identifier(algorithm), der(5)), der(4, hash)),
    number(7),
    der(0x18, new TextEncoder().encode("20261120212334Z")),
  );
  const signed = der(
    0x30,
    number(3),
    der(0x31),
    der(0x30, identifier(content), der(0xa0, der(4, info))),
    der(0xa0, new Uint8Array(300)),
  );
  return der(0x30, der(0x30, number(status)), der(0x30, identifier("2a864886f70d010702"), der(0xa0, signed)));
}

test("a request has the hash and nothing else that tells of anyone", () => {
  expect(stampRequest(HASH).toHex()).toBe(`30390201013031300d060960864801650304020105000420${"ab".repeat(32)}0101ff`);
  expect(() => stampRequest(new Uint8Array(20))).toThrow(RangeError);
});

test("a response tells what it stamps, and when", () => {
  expect(readStamp(response())).toEqual({ hash: HASH, time: "20261120212334Z" });
  expect(readStamp(response({ status: 1 }))).not.toBeNull();
});

test("anything else is no stamp", () => {
  for (const other of [
    response({ status: 2 }),
    response({ hash: new Uint8Array(20) }),
    response({ algorithm: "2b0e03021a" }),
    response({ content: "2a864886f70d010701" }),
    der(0x30, der(0x30, number(2))),
    new Uint8Array(),
    new TextEncoder().encode("<html>Not found</html>"),
    Uint8Array.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0x30),
    Uint8Array.of(0x30, 0x80, 0, 0),
  ])
    expect(readStamp(other)).toBeNull();
  const whole = response();
  for (let length = 0; length < whole.length - 310; length++) expect(readStamp(whole.subarray(0, length))).toBeNull();
});
