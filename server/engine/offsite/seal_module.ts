/**
 * Makes the WebAssembly module that seals chunks: ChaCha20 on four blocks at once, and Poly1305 (RFC 8439). The runtime has
 * neither, and both in JavaScript take longer than the sending itself.
 */

/** Places in its memory: 16 words of the first block, key of Poly1305 and its sum in five limbs each, and the data. */
export const WORDS_AT = 0;
export const KEY_AT = 64;
export const SUM_AT = 128;
export const DATA_AT = 512;

type Code = readonly number[];

/** Exports `memory`, `mask(from, to, counter)` and `sum(from, to)`; steps of 256 and of 16 bytes. */
export function sealModule(pages: number): Uint8Array<ArrayBuffer> {
  const [i32, i64, v128] = [0x7f, 0x7e, 0x7b];
  const types = vector([
    [0x60, 3, i32, i32, i32, 0],
    [0x60, 2, i32, i32, 0],
  ]);
  const exported = (name: string, kind: number, index: number) => [name.length, ...Buffer.from(name), kind, index];
  const exports = vector([exported("memory", 2, 0), exported("mask", 0, 0), exported("sum", 0, 1)]);
  const body = (locals: Code, code: Code) => {
    const all = [...locals, ...code, 0x0b];
    return [...unsigned(all.length), ...all];
  };
  const functions = vector([
    body([2, 18, v128, 1, i32], maskCode()),
    body([1, ...unsigned(SUM_LOCALS), i64], sumCode()),
  ]);
  const section = (id: number, content: Code) => [id, ...unsigned(content.length), ...content];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(3, vector([[0], [1]])),
    ...section(5, [1, 1, ...unsigned(pages), ...unsigned(pages)]),
    ...section(7, exports),
    ...section(10, functions),
  ]);
}

/** `mask(from, to, counter)`: the stream that begins with this block is laid over the bytes. */
function maskCode(): Code {
  const [at, end, counter, first, tmp, rounds] = [0, 1, 2, 3 + 16, 3 + 17, 3 + 18];
  const word = (index: number) => 3 + index;
  const load = (index: number) => [...number(WORDS_AT + 4 * index), ...simd(0x09), 2, 0];
  const quarter = (a: number, b: number, c: number, d: number) =>
    (
      [
        [a, b, d, 16],
        [c, d, b, 12],
        [a, b, d, 8],
        [c, d, b, 7],
      ] as const
    ).flatMap(([sum, other, turned, bits]) => [
      ...set(word(sum), [...get(word(sum)), ...get(word(other)), ...simd(0xae)]),
      ...turn(word(turned), [...get(word(turned)), ...get(word(sum)), ...simd(0x51)], bits),
    ]);
  const turn = (to: number, value: Code, bits: number): Code =>
    bits % 8 === 0
      ? set(to, [...set(tmp, value), ...get(tmp), ...get(tmp), ...simd(0x0d), ...bytesTurned(bits / 8)])
      : set(to, [
          ...set(tmp, value),
          ...[...get(tmp), ...number(bits), ...simd(0xab)],
          ...[...get(tmp), ...number(32 - bits), ...simd(0xad)],
          ...simd(0x50),
        ]);
  const all = Array.from({ length: 16 }, (_, index) => index);
  const start = all.flatMap((index) => set(word(index), index === 12 ? get(first) : load(index)));
  const doubleRound = [
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
  ].flatMap(([a = 0, b = 0, c = 0, d = 0]) => quarter(a, b, c, d));
  const added = all.flatMap((index) =>
    set(word(index), [...get(word(index)), ...(index === 12 ? get(first) : load(index)), ...simd(0xae)]),
  );
  // A vector has one word of four blocks; the bytes need four words of one block.
  const laid = [0, 4, 8, 12].flatMap((row) => {
    const [a, b, c, d] = [word(row), word(row + 1), word(row + 2), word(row + 3)];
    const pair = (one: number, other: number, order: Code) => [
      ...[...get(one), ...get(other), ...simd(0x0d)],
      ...order.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]),
    ];
    const [low, high] = [
      [0, 4, 1, 5],
      [2, 6, 3, 7],
    ] as const;
    const put = (block: number, value: Code) => {
      const offset = unsigned(64 * block + 4 * row);
      return [
        ...get(at),
        ...get(at),
        ...simd(0x00),
        0,
        ...offset,
        ...value,
        ...simd(0x51),
        ...simd(0x0b),
        0,
        ...offset,
      ];
    };
    return [
      // a and c, b and d interleaved, and these two again.
      ...set(tmp, pair(a, c, low)),
      ...set(a, pair(a, c, high)),
      ...set(c, pair(b, d, low)),
      ...set(d, pair(b, d, high)),
      ...put(0, pair(tmp, c, low)),
      ...put(1, pair(tmp, c, high)),
      ...put(2, pair(a, d, low)),
      ...put(3, pair(a, d, high)),
    ];
  });
  const lanes = (values: Code) => [...simd(0x0c), ...values.flatMap((value) => [value, 0, 0, 0])];
  return [
    ...set(first, [...get(counter), ...simd(0x11), ...lanes([0, 1, 2, 3]), ...simd(0xae)]),
    ...loop([
      ...start,
      ...set(rounds, number(10)),
      ...loop([...doubleRound, ...set(rounds, [...get(rounds), ...number(1), 0x6b]), ...get(rounds)]),
      ...added,
      ...laid,
      ...set(first, [...get(first), ...lanes([4, 4, 4, 4]), ...simd(0xae)]),
      ...set(at, [...get(at), ...number(256), 0x6a]),
      ...[...get(at), ...get(end), 0x49],
    ]),
  ];
}

/** Limbs of the key, four of them five times, limbs of the sum, limbs of the product, and two halves of a block. */
const SUM_LOCALS = 5 + 4 + 5 + 5 + 2;
const LIMB_BITS = 26;
const LIMB = 2 ** LIMB_BITS - 1;

/** `sum(from, to)`: blocks of 16 bytes are added, and multiplied with the key modulo 2^130 - 5. */
function sumCode(): Code {
  const [at, end] = [0, 1];
  const key = (index: number) => 2 + index;
  const five = (index: number) => 2 + 5 + index - 1;
  const sum = (index: number) => 11 + index;
  const product = (index: number) => 16 + index;
  const [low, high] = [21, 22];
  const load = (place: number) => [...number(place), 0x29, 3, 0];
  const add = 0x7c;
  const times = 0x7e;
  const both = 0x83;
  const either = 0x84;
  const up = 0x86;
  const down = 0x88;
  const limbs = [0, 1, 2, 3, 4];
  const limbOf = (value: Code) => [...value, ...long(LIMB), both];
  const shifted = (value: Code, bits: number, way: number) => [...value, ...long(bits), way];
  const block = [
    limbOf(get(low)),
    limbOf(shifted(get(low), 26, down)),
    limbOf([...shifted(get(low), 52, down), ...shifted(get(high), 12, up), either]),
    limbOf(shifted(get(high), 14, down)),
    [...shifted(get(high), 40, down), ...long(2 ** 24), either],
  ];
  const multiplied = limbs.flatMap((to) =>
    set(
      product(to),
      limbs.flatMap((from) => {
        const factor = from <= to ? key(to - from) : five(5 + to - from);
        return [...get(sum(from)), ...get(factor), times, ...(from === 0 ? [] : [add])];
      }),
    ),
  );
  const carried = limbs.flatMap((index) => {
    const rest = shifted(get(product(index)), LIMB_BITS, down);
    const own = set(sum(index), limbOf(get(product(index))));
    if (index < 4) return [...set(product(index + 1), [...get(product(index + 1)), ...rest, add]), ...own];
    return [...own, ...set(sum(0), [...get(sum(0)), ...rest, ...long(5), times, add])];
  });
  const settled = [
    ...set(sum(1), [...get(sum(1)), ...shifted(get(sum(0)), LIMB_BITS, down), add]),
    ...set(sum(0), limbOf(get(sum(0)))),
  ];
  return [
    ...limbs.flatMap((index) => set(key(index), load(KEY_AT + 8 * index))),
    ...[1, 2, 3, 4].flatMap((index) => set(five(index), [...get(key(index)), ...long(5), times])),
    ...limbs.flatMap((index) => set(sum(index), load(SUM_AT + 8 * index))),
    ...loop([
      ...set(low, [...get(at), 0x29, 0, 0]),
      ...set(high, [...get(at), 0x29, 0, 8]),
      ...block.flatMap((value, index) => set(sum(index), [...get(sum(index)), ...value, add])),
      ...multiplied,
      ...carried,
      ...settled,
      ...set(at, [...get(at), ...number(16), 0x6a]),
      ...[...get(at), ...get(end), 0x49],
    ]),
    ...limbs.flatMap((index) => [...number(SUM_AT + 8 * index), ...get(sum(index)), 0x37, 3, 0]),
  ];
}

/** Order of bytes in which each word of a vector is turned to the left. */
function bytesTurned(by: number): Code {
  return Array.from({ length: 16 }, (_, index) => (index & ~3) + (((index & 3) + 4 - by) & 3));
}

/** Goes on while its last value is not 0. */
function loop(code: Code): Code {
  return [0x03, 0x40, ...code, 0x0d, 0, 0x0b];
}

function get(local: number): Code {
  return [0x20, ...unsigned(local)];
}

function set(local: number, value: Code): Code {
  return [...value, 0x21, ...unsigned(local)];
}

function number(value: number): Code {
  return [0x41, ...signed(value)];
}

function long(value: number): Code {
  return [0x42, ...signed(value)];
}

function simd(operation: number): Code {
  return [0xfd, ...unsigned(operation)];
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

/** LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
