import { expect, test } from "bun:test";
import { stillFormat } from "../../../server/domain/recordings/still_picture.ts";
import { JPEG, PNG } from "../../support/disk/still_pictures.ts";

const page = [...new TextEncoder().encode("<script>alert(1)</script>")];
const changed = (picture: Uint8Array, at: number, byte: number) => picture.with(at, byte);

test("a picture is whole, of some size, and nothing stands behind it", () => {
  const rows: readonly (readonly [string, ArrayLike<number>, string | null])[] = [
    ["JPEG", JPEG, "jpg"],
    ["PNG", PNG, "png"],
    ["nothing", [], null],
    ["GIF", [0x47, 0x49, 0x46, 0x38, 0x39, 0x61], null],
    ["the beginning of a JPEG", [0xff, 0xd8, 0xff], null],
    ["a JPEG that was cut", JPEG.subarray(0, -2), null],
    ["a JPEG with something behind it", [...JPEG, ...page], null],
    ["a page in the marks of a JPEG", [0xff, 0xd8, 0xff, ...page, 0xff, 0xd9], null],
    ["a JPEG without a height", changed(JPEG, 14, 0), null],
    ["the beginning of a PNG", PNG.subarray(0, 8), null],
    ["a PNG that was cut", PNG.subarray(0, -1), null],
    ["a page behind the beginning of a PNG", [...PNG.subarray(0, 8), ...page], null],
    ["a PNG with something behind it", [...PNG, 0], null],
    ["a PNG without a width", changed(PNG, 19, 0), null],
  ];
  for (const [name, bytes, format] of rows)
    expect<unknown>([name, stillFormat(Uint8Array.from(bytes))]).toEqual([name, format]);
});
