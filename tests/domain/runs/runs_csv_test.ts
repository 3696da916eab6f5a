import { describe, expect, test } from "bun:test";
import { CSV_HEAD, csvLine } from "../../../server/domain/runs/runs_csv.ts";
import { csvLineOf } from "../../../server/domain/text/csv_line.ts";
import { awayAt, runAt } from "../../support/app/history.ts";

const TS = Date.parse("2026-11-20T20:45:38.25Z") / 1000;
const columns = CSV_HEAD.trimEnd().split(",");
/** Lines without quotes only. */
const cells = (line: string) =>
  Object.fromEntries(
    line
      .trimEnd()
      .split(",")
      .map((cell, at) => [columns[at], cell]),
  );

describe("a line of the file", () => {
  test("has a cell for each column, times in UTC", () => {
    expect(cells(csvLine(runAt(TS, { diskUsedRatio: 0.674_321 })))).toEqual({
      started: "2026-11-20T20:45:00.250Z",
      ended: "2026-11-20T20:45:38.250Z",
      outcome: "Fine",
      reason: "",
      files: "3",
      bytes: "412000000",
      duration_seconds: "38",
      disk_used_percent: "67.43",
      dry_run: "false",
      recordings_on_camera: "412",
      recordings_chosen: "412",
      failures_http: "0",
      failures_network: "0",
      failures_timeout: "0",
      failures_disk: "0",
      failures_unknown: "0",
      message: "",
      deleted_recordings: "",
      deleted_bytes: "",
    });
  });

  test("quotes a reason with a comma, and leaves empty what nobody knows", () => {
    const line = csvLine(awayAt(TS, { diskUsedRatio: null }));
    expect(line).toContain(',Camera away,"Not reachable, timed out",0,0,5,412,412,,0,0,1,0,0,false,,,\r\n');
  });

  test("ends with what was deleted", () => {
    expect(columns.slice(-2)).toEqual(["deleted_recordings", "deleted_bytes"]);
    const line = csvLine(runAt(TS, { deleted: { recordings: 1200, bytes: 1_300_000_000 } }));
    expect(line).toEndWith(",false,,1200,1300000000\r\n");
  });

  test("has the sentence that was kept with the run", () => {
    const line = csvLine(runAt(TS, { success: false, message: "the next file needs 2\u00a0MB, and there is no room" }));
    expect(line).toContain(',Failed,"The next file needs 2 MB, and there is no room",');
    expect(line).toEndWith(',false,"the next file needs 2 MB, and there is no room",,\r\n');
  });

  test("follows RFC 4180", () => {
    const line = csvLineOf(["plain", 'say "no"', "a,b", "two\nlines", "", null, 1.5, true]);
    expect(line).toBe('plain,"say ""no""","a,b","two\nlines",,,1.5,true\r\n');
  });

  test("has words that machines do not trip over", () => {
    const line = csvLine(runAt(TS, { failures: { http: 2000 } }));
    expect(line).toContain("2 000 files failed: error from the camera");
    expect(line).toMatch(/^[\x20-\x7e]*\r\n$/);
  });
});
