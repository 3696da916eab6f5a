import { describe, expect, test } from "bun:test";
import { TimeLeft } from "../../../server/domain/sync/time_left.ts";

const MB = 1_000_000;

describe("the time left that is shown", () => {
  test("falls with the estimate, and stands still while the estimate is a little longer", () => {
    const left = new TimeLeft();
    const shown = [100, 90, 97, 104, 88].map((seconds, at) => left.take(seconds, 500 * MB, at * 20_000));
    expect(shown).toEqual([100, 90, 90, 90, 88]);
    expect(left.grew).toBeNull();
  });

  test("stands still while a camera pauses for some seconds", () => {
    const left = new TimeLeft();
    left.take(100, 500 * MB, 0);
    expect([left.take(400, 500 * MB, 1000), left.take(400, 500 * MB, 4000)]).toEqual([100, 100]);
    expect([left.take(99, 490 * MB, 4500), left.take(400, 480 * MB, 6000)]).toEqual([99, 99]);
    expect(left.grew).toBeNull();
  });

  test("grows when the camera has been slower for a while, and says so until it is as short as before", () => {
    const left = new TimeLeft();
    left.take(100, 500 * MB, 0);
    left.take(300, 490 * MB, 1000);
    expect([left.take(300, 480 * MB, 11_000), left.grew]).toEqual([300, "slower"]);
    expect([left.take(120, 200 * MB, 90_000), left.grew]).toEqual([120, "slower"]);
    expect([left.take(99, 190 * MB, 91_000), left.grew]).toEqual([99, null]);
  });

  test("grows when there is more to download, and says that", () => {
    const left = new TimeLeft();
    left.take(100, 500 * MB, 0);
    left.take(300, 1500 * MB, 1000);
    expect([left.take(290, 1490 * MB, 12_000), left.grew]).toEqual([290, "more"]);
  });

  test("is unknown with the estimate, and goes on from what was shown", () => {
    const left = new TimeLeft();
    left.take(100, 500 * MB, 0);
    expect([left.take(null, 0, 1000), left.take(110, 500 * MB, 2000)]).toEqual([null, 100]);
  });
});
