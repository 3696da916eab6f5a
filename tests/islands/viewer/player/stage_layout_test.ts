import { describe, expect, test } from "bun:test";
import { StageLayout } from "../../../../islands/viewer/player/stage_layout.ts";
import type { CameraView } from "../../../../server/domain/viewer/viewer_address.ts";

const camerasOf = (letters: string): CameraView[] =>
  [...letters].map((direction) => ({ direction, name: direction, address: "", thumb: null, codec: null }));

describe("the large camera", () => {
  test("is the first one, or the one that was chosen where that is there", () => {
    const layout = new StageLayout("strip");
    expect(layout.largeOf(camerasOf("FRI"))).toBe(0);
    layout.makeLarge("I");
    expect([layout.largeOf(camerasOf("FRI")), layout.largeOf(camerasOf("FR"))]).toEqual([2, 0]);
  });

  test("is the first one that plays, while there is one and none that does not was chosen", () => {
    const layout = new StageLayout("strip");
    layout.cannotShow("F");
    expect([layout.largeOf(camerasOf("FRI")), layout.largeOf(camerasOf("F"))]).toEqual([1, 0]);
    layout.cannotShow("R");
    expect(layout.largeOf(camerasOf("FRI"))).toBe(2);
    // None does: pictures that say why do not change places.
    layout.cannotShow("I");
    expect([layout.largeOf(camerasOf("FRI")), layout.largeOf(camerasOf("FR"))]).toEqual([2, 1]);
    expect(layout.largeOf(camerasOf("O"))).toBe(0);
    layout.canShow("I");
    layout.makeLarge("F");
    expect(layout.largeOf(camerasOf("FRI"))).toBe(0);
    // Again in the next clip: the choice stands.
    layout.cannotShow("F");
    expect(layout.largeOf(camerasOf("FRI"))).toBe(0);
    layout.makeLarge("R");
    expect(layout.largeOf(camerasOf("FRI"))).toBe(1);
  });
});
