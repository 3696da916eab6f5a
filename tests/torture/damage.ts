import type { Dice } from "./dice.ts";

const EXTREMES = [0, 1, 7, 8, 0x2c, 0x2d, 0x2e, 0x30, 0x39, 0x5b, 0x7f, 0x80, 0xfe, 0xff];
/** Texts in the place of a number. */
const NUMBERS = [
  ...["", "-", "-1", "0", "00", "1e999", "-1e999", "NaN", "inf", "0x10", "9999", "18000", "9000.0", "59.99999", "60"],
  ...["99999999999999999999", "999999999999999", "0.0000000001", "١٢", "1_0", " 1", "1 ", "+1", "1.", ".5"],
];

type Damage = (bytes: Uint8Array, dice: Dice) => Uint8Array;

const DAMAGES: readonly Damage[] = [
  function byteChanged(bytes, dice) {
    bytes[dice.whole(0, bytes.length - 1)] = dice.whole(0, 255);
    return bytes;
  },
  function bitTurned(bytes, dice) {
    const at = dice.whole(0, bytes.length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.whole(0, 7));
    return bytes;
  },
  function extreme(bytes, dice) {
    bytes[dice.whole(0, bytes.length - 1)] = dice.pick(EXTREMES);
    return bytes;
  },
  function numberExtreme(bytes, dice) {
    const at = dice.whole(0, bytes.length - 1);
    return bytes.fill(dice.pick([0, 0xff, 0x7f]), at, at + dice.pick([2, 4, 8]));
  },
  function lengthChanged(bytes, dice) {
    const at = dice.whole(0, Math.max(0, bytes.length - 4));
    if (at + 4 <= bytes.length) new DataView(bytes.buffer, bytes.byteOffset).setUint32(at, dice.spread(1, 0xffff_ffff));
    return bytes;
  },
  function cut(bytes, dice) {
    return bytes.slice(0, dice.whole(0, bytes.length));
  },
  function beginningLost(bytes, dice) {
    return bytes.slice(dice.whole(0, bytes.length));
  },
  function partLost(bytes, dice) {
    const at = dice.whole(0, bytes.length);
    return joined(bytes.subarray(0, at), bytes.subarray(at + dice.spread(1, 64)));
  },
  function partTwice(bytes, dice) {
    const at = dice.whole(0, bytes.length);
    const part = bytes.subarray(at, at + dice.spread(1, 200));
    return joined(bytes.subarray(0, at), part, bytes.subarray(at));
  },
  function partElsewhere(bytes, dice) {
    const part = bytes.slice(dice.whole(0, bytes.length)).subarray(0, dice.spread(1, 100));
    bytes.set(part, dice.whole(0, bytes.length - part.length));
    return bytes;
  },
  function noiseBetween(bytes, dice) {
    const at = dice.whole(0, bytes.length);
    const noise = Uint8Array.from({ length: dice.spread(1, 40) }, () => dice.whole(0, 255));
    return joined(bytes.subarray(0, at), noise, bytes.subarray(at));
  },
  function fieldReplaced(bytes, dice) {
    const text = new TextDecoder("latin1").decode(bytes);
    const numbers = [...text.matchAll(/[0-9][0-9.]*/g)];
    if (numbers.length === 0) return bytes;
    const { index, 0: found } = dice.pick(numbers);
    return Buffer.concat([
      bytes.subarray(0, index),
      Buffer.from(dice.pick(NUMBERS)),
      bytes.subarray(index + found.length),
    ]);
  },
];

/** A copy with up to eight kinds of damage, one upon the other; rarely nothing but noise. */
export function damaged(source: Uint8Array, dice: Dice): Uint8Array {
  if (dice.chance(0.01)) return Uint8Array.from({ length: dice.spread(1, 300) - 1 }, () => dice.whole(0, 255));
  let bytes: Uint8Array = new Uint8Array(source);
  for (let times = dice.spread(1, 8); times > 0 && bytes.length > 0; times--)
    bytes = new Uint8Array(dice.pick(DAMAGES)(bytes, dice));
  return bytes;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
