import { expect, test } from "bun:test";
import { DIRECTIONS, directionRank, typeRank } from "../../../server/domain/recordings/recording_codes.ts";

test("the types rank in the agreed order, an unknown one after all of them", () => {
  expect([..."PNFYLDGXRTAOBIEM"].sort((a, b) => typeRank(a) - typeRank(b)).join("")).toBe("MEIBOATRXGDLYFNP");
  for (const known of "MEIBOATRXGDLYFNP") expect(typeRank("Z")).toBeGreaterThan(typeRank(known));
});

test("the directions rank front, rear, interior, optional, then what is unknown", () => {
  expect([..."OXIRF"].sort((a, b) => directionRank(a) - directionRank(b)).join("")).toBe("FRIOX");
  expect(Object.keys(DIRECTIONS).join("")).toBe("FRIO");
});
