import { expect, test } from "bun:test";
import { leftOut, sharedCameras, sharedLength, sharedTimes } from "../../../server/domain/shares/share_text.ts";

const at = (text: string) => Date.parse(`${text}Z`) / 1000;
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test("the times of a link are those of the camera’s clock", () => {
  const span = { starts: at("2026-11-20T08:22:30"), ends: at("2026-11-20T08:26:29.6") };
  expect(plain(sharedTimes(span, null))).toBe("Fri 20 Nov 2026, 08:22:30 to 08:26:30");
  expect(plain(sharedTimes(span, 2026))).toBe("Fri 20 Nov, 08:22:30 to 08:26:30");
  expect(plain(sharedTimes(span, 2027))).toBe("Fri 20 Nov 2026, 08:22:30 to 08:26:30");
  const night = { starts: at("2026-11-20T23:50:00"), ends: at("2026-11-21T00:10:00") };
  expect(plain(sharedTimes(night, 2026))).toBe("Fri 20 Nov, 23:50:00 to Sat 21 Nov, 00:10:00");
  expect(plain(sharedTimes(span, null, { hours: 12, order: "mdy" }))).toBe(
    "Fri Nov 20, 2026, 8:22:30 am to 8:26:30 am",
  );
  expect(plain(sharedLength(span))).toBe("4 min");
});

test("cameras are named in their order", () => {
  expect(["F", "RF", "IRF"].map(sharedCameras)).toEqual(["Front", "Front and Rear", "Front, Rear and Interior"]);
});

for (const [place, sound, words] of [
  [false, false, "shared without place and sound"],
  [true, false, "shared without sound"],
  [false, true, "shared without place"],
  [true, true, null],
] as const)
  test(`place ${place} and sound ${sound} are told`, () => {
    expect(leftOut({ place, sound })).toBe(words);
  });
