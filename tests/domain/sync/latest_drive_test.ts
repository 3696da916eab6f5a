import { describe, expect, test } from "bun:test";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { latestDrive } from "../../../server/domain/sync/latest_drive.ts";

/** Recordings by time, a star behind those that are at home, a minus behind those that no rule chooses. */
function drive(...times: string[]) {
  const listed = times.map((text) => {
    const [time = "", type = "N"] = text.replace(/[*-]$/, "").split(" ");
    const moment = momentNumber(`20260607_${time}_${type}`);
    return { moment, isChosen: !text.endsWith("-"), isHome: text.endsWith("*") };
  });
  return latestDrive(listed.reverse(), 5, null);
}

describe("the latest drive", () => {
  const rows: readonly (readonly [what: string, times: readonly string[], string | null, number, number])[] = [
    ["is what was recorded without a longer break", ["173200 N*", "173300 N*", "173400 N"], "173200_N", 3, 2],
    ["begins after a break", ["120000 N", "173200 N*", "173300 E*"], "173200_N", 2, 2],
    ["goes on after a short stop", ["173200 N", "173800 N"], "173200_N", 2, 0],
    ["counts the recordings of all cameras", ["173200 N*", "173200 N", "173300 N"], "173200_N", 3, 1],
    ["takes along what was recorded while parked on the way", ["173200 N*", "173500 P", "173800 N"], "173200_N", 3, 1],
    ["is not what was only recorded while parked after it", ["173200 N*", "190000 P", "200000 I"], "173200_N", 1, 1],
    ["is none where the car was only parked", ["190000 P", "200000 I"], null, 0, 0],
    ["begins with what is not chosen, which does not count", ["173200 N-", "173300 N*", "173400 N*"], "173200_N", 2, 2],
    ["is the one before where nothing of the latest is chosen", ["120000 N*", "173200 N-"], "120000_N", 1, 1],
    ["is none where nothing is chosen", ["173200 N-"], null, 0, 0],
    ["is none where nothing is listed", [], null, 0, 0],
  ];
  test.each(rows)("%s", (_, times, key, chosen, home) => {
    expect(drive(...times)).toEqual(
      key === null ? null : expect.objectContaining({ key: `20260607_${key}`, chosen, home }),
    );
  });

  test("is told by the time at which it began", () => {
    expect(drive("173200 N*", "173300 N*")?.sentence).toBe("The drive of 17:32 is home.");
    expect(drive("173200 N*", "173300 N")?.sentence).toBe("The drive of 17:32: 1 of 2 home.");
  });
});
