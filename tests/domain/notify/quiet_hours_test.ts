import { expect, test } from "bun:test";
import { isQuiet, minutesOfQuiet } from "../../../server/domain/notify/quiet_hours.ts";

const rows: readonly (readonly [from: string, to: string, quiet: string, loud: string])[] = [
  ["22:00", "07:00", "22:00 23:59 00:00 06:59", "07:00 12:00 21:59"],
  ["01:00", "05:30", "01:00 05:29", "00:59 05:30 23:00"],
  ["", "07:00", "", "00:00 06:00"],
  ["22:00", "", "", "23:00"],
  ["07:00", "07:00", "", "06:59 07:00 12:00"],
];
const minute = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const times = (text: string) => text.split(" ").filter(Boolean);

for (const [quiet_from, quiet_to, quiet, loud] of rows)
  test(`from "${quiet_from}" to "${quiet_to}" it is quiet at ${quiet || "no time"}`, () => {
    const hours = { quiet_from, quiet_to };
    expect(times(quiet).filter((time) => !isQuiet(hours, minute(time)))).toEqual([]);
    expect(times(loud).filter((time) => isQuiet(hours, minute(time)))).toEqual([]);
  });

test("the quiet hours end at their end, also of the next day", () => {
  const hours = { quiet_from: "22:00", quiet_to: "07:00" };
  expect([minute("22:00"), minute("06:59"), minute("07:00")].map((at) => minutesOfQuiet(hours, at))).toEqual([
    540, 1, 1440,
  ]);
});
