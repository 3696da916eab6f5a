import { describe, expect, test } from "bun:test";
import { keysIn, tileAddressProblem, withoutKeys } from "../../../server/domain/settings/tile_address.ts";

const END = "{z}/{x}/{y}.png";

describe("the address of map pictures", () => {
  const rows: [address: string, shown: string, keys: string[]][] = [
    [`https://tile.openstreetmap.org/${END}`, `https://tile.openstreetmap.org/${END}`, []],
    [`https://anna:s3cret-word@tiles/${END}`, `https://***@tiles/${END}`, ["anna:s3cret-word@"]],
    [`https://a@b:s3cret@tiles/${END}`, `https://***@tiles/${END}`, ["a@b:s3cret@"]],
    [`https://tiles/${END}?key=s3cret`, `https://tiles/${END}?key=***`, ["?key=s3cret"]],
    [
      `https://tiles/${END}?style=dark-v11&access_token=s3cret-of-mine`,
      `https://tiles/${END}?style=***&access_token=***`,
      ["?style=dark-v11", "&access_token=s3cret-of-mine"],
    ],
    ["https://tiles/get?z={z}&x={x}&y={y}&k=s3cret=", "https://tiles/get?z={z}&x={x}&y={y}&k=***", ["&k=s3cret="]],
    [`https://tiles/${END}?s3cret`, `https://tiles/${END}?***`, ["?s3cret"]],
    [`https://tiles/${END}?a=&b`, `https://tiles/${END}?a=&***`, ["&b"]],
    [`https://tiles/${END}#s3cret`, `https://tiles/${END}#***`, ["#s3cret"]],
    [`http:\\\\anna:s3cret@tiles/${END}`, `http:\\\\***@tiles/${END}`, ["anna:s3cret@"]],
    [`https://tiles/a@b/${END}`, `https://tiles/a@b/${END}`, []],
  ];
  for (const [address, shown, keys] of rows)
    test(`${address} is shown as ${shown}`, () => {
      expect([withoutKeys(address), keysIn(address).map(([piece]) => piece)]).toEqual([shown, keys]);
      expect(tileAddressProblem(address)).toBeNull();
    });

  const wrong: [address: string, says: RegExp][] = [
    ["https://anna:s3cret@tiles/{z}/{x}?key=s3cret", /lacks \{y\}$/],
    [`ftp://anna:s3cret@tiles/${END}?key=s3cret`, /begins with http/],
    [`https:// anna:s3cret@tiles/${END}?key=s3cret`, /begins with http/],
    [`https://***@tiles/${END}`, /type it anew$/],
    [`https://tiles/${END}?key=***`, /type it anew$/],
    [`https://tiles/${END}?key=***&other=s3cret`, /type it anew$/],
  ];
  for (const [address, says] of wrong)
    test(`${address} is refused, and no secret is told`, () => {
      expect(tileAddressProblem(address)).toMatch(says);
      expect(tileAddressProblem(address)).not.toContain("s3cret");
    });

  test("takes no longer for a long one", () => {
    for (const part of ["@", "/", "?", "&", "=", "a@", "?a=b", " "]) {
      const long = `http://${part.repeat(4096)}`;
      expect(tileAddressProblem(long)?.length ?? 0).toBeLessThan(250);
    }
  });
});
