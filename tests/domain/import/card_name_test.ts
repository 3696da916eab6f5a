import { expect, test } from "bun:test";
import { readCardName } from "../../../server/domain/import/card_name.ts";

const rows: [fileName: string, read: string][] = [
  ["20260607_101500_NF.mp4", "20260607_101500_NF.mp4"],
  ["20260607_101500_nf.MP4", "20260607_101500_NF.mp4"],
  ["20260607_101500_NFL.Mp4", "20260607_101500_NFL.mp4"],
  ["20260607_101500_Nf.THM", "20260607_101500_NF.thm"],
  ["20260607_101500_n.GPS", "20260607_101500_N.gps"],
  ["20260607_101500_N.3GF", "20260607_101500_N.3gf"],
  ["20260607_101500_nf.2.mp4", "20260607_101500_NF.2.mp4"],
  // A camera without a clock.
  ["19700101_000000_NF.mp4", "19700101_000000_NF.mp4"],
  ["20260230_101500_NF.mp4", "impossible"],
  ["20260607_256100_nf.mp4", "impossible"],
  // Partials of ours, and what a Mac leaves beside each file.
  [".20260607_101500_NF.mp4", "foreign"],
  ["._20260607_101500_NF.mp4", "foreign"],
  ["20260607_101500_NF.mp4.failed", "foreign"],
  ["20260607_101500_NF (1).mp4", "foreign"],
  ["20260607_101500_N.mp4", "foreign"],
  ["20260607_101500_NF.gps", "foreign"],
  ["20260607_101500_NF.avi", "foreign"],
  ["version.bin", "foreign"],
  ["", "foreign"],
  ["../20260607_101500_NF.mp4", "foreign"],
];
test.each(rows)("%p on a card is %p", (fileName, read) => {
  const name = readCardName(fileName);
  expect(name.kind === "artifact" ? name.name.name : name.kind).toBe(read);
});
