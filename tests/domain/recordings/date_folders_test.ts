import { describe, expect, test } from "bun:test";
import {
  GROUPINGS,
  type Grouping,
  groupFolder,
  isGroupFolder,
  mayHold,
} from "../../../server/domain/recordings/date_folders.ts";

describe("groupFolder()", () => {
  test("puts 19 February 2019 where each grouping says", () => {
    const folders = GROUPINGS.map((grouping) => groupFolder("20190219_101500", grouping));
    expect(folders).toEqual(["", "2019-02-19", "2019-02-18", "2019-02", "2019"]);
  });

  const weeks: [base: string, monday: string][] = [
    ["20190218_000000", "2019-02-18"],
    ["20190224_235959", "2019-02-18"],
    ["20190225_000000", "2019-02-25"],
    ["20180101_120000", "2018-01-01"],
    ["20181231_120000", "2018-12-31"],
    ["20190101_120000", "2018-12-31"],
    ["20200101_120000", "2019-12-30"],
    ["20210101_120000", "2020-12-28"],
    ["20210103_235959", "2020-12-28"],
    ["20210104_000000", "2021-01-04"],
    ["20230101_120000", "2022-12-26"],
    ["20240229_120000", "2024-02-26"],
    ["20240303_120000", "2024-02-26"],
    ["20260329_023000", "2026-03-23"],
    ["20261101_013000", "2026-10-26"],
    ["19700101_000000", "1969-12-29"],
  ];
  for (const [base, monday] of weeks)
    test(`the week of ${base} began on Monday ${monday}`, () => {
      expect(groupFolder(base, "weekly")).toBe(monday);
      expect(new Date(`${monday}T00:00:00Z`).getUTCDay()).toBe(1);
    });

  test("the folder comes from the name alone, to the last second of the day", () => {
    for (const time of ["000000", "235959"]) expect(groupFolder(`20261231_${time}`, "daily")).toBe("2026-12-31");
    expect(groupFolder("20261231_235959", "yearly")).toBe("2026");
    expect(groupFolder("20260101_000000", "monthly")).toBe("2026-01");
  });

  test("every folder it makes is known as one", () => {
    for (const grouping of GROUPINGS.filter((name) => name !== "none"))
      for (const base of ["20190219_101500", "19700101_000000", "99991231_235959"])
        expect(isGroupFolder(groupFolder(base, grouping))).toBe(true);
  });
});

describe("isGroupFolder()", () => {
  for (const name of ["", "photos", "2023a", "23", "20230101", "2023-1", "2023-01-1", "2023-01-01 (1)", "2023-01-01/x"])
    test(`${JSON.stringify(name)} is somebody else's`, () => expect(isGroupFolder(name)).toBe(false));
  for (const name of ["2026-13-45", "2026-00-10", "2026-02-30", "2025-02-29", "2026-54", "2026-00", "0000", "1969"])
    test(`${JSON.stringify(name)} is no date`, () => expect(isGroupFolder(name)).toBe(false));
  for (const name of [".2023", "2023-", "2023-01-", "2023_01", "٢٠٢٣", "2023\n", "@eaDir"])
    test(`${JSON.stringify(name)} is somebody else's`, () => expect(isGroupFolder(name)).toBe(false));
});

describe("mayHold()", () => {
  const rows: [folder: string, grouping: Grouping, holds: boolean][] = [
    ["2026-06-10", "none", true],
    ["2026-06", "daily", true],
    ["2026", "daily", true],
    ["archive/2026-06-10/raw", "none", true],
    ["2026-06-11", "daily", false],
    ["2026-07", "daily", false],
    ["2025", "yearly", false],
    ["holiday", "daily", false],
    ["", "none", false],
    // The Monday of its week: a day's folder of another day, unless folders are weeks.
    ["2026-06-08", "weekly", true],
    ["2026-06-08", "daily", false],
  ];
  test.each(rows)("%p, grouped %s: %p", (folder, grouping, holds) => {
    expect(mayHold(folder, "20260610_101500", grouping)).toBe(holds);
  });
});
