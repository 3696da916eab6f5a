import { describe, expect, test } from "bun:test";
import { OFFSITE_OFF } from "../../../server/domain/offsite/offsite_off.ts";
import type { OffsiteFile, OffsiteState } from "../../../server/domain/offsite/offsite_schema.ts";
import { offsiteInWords, offsiteLine } from "../../../server/domain/offsite/offsite_text.ts";
import { USUAL_FORMAT } from "../../../server/domain/text/time_format.ts";

const TIMES = { last: "04:12", since: "03:00" };
const NB = "\u00a0";
const amount = (recordings: number, bytes = recordings * 100) => ({ recordings, bytes });
const problem = { sentence: "The bucket is full.", since: "2026-11-21T03:00:00.000Z", key: null };

function said(state: Partial<OffsiteState>, times = TIMES): readonly string[] | null {
  const words = offsiteInWords({ ...OFFSITE_OFF, state: "idle", ...state }, times);
  return words && [words.level, words.title, words.text];
}

describe("copies off-site in words", () => {
  test("are nothing while they are off", () => expect(said({ state: "off" })).toBeNull());

  test("are fine when all is there", () => {
    expect(said({ sent: amount(312) })).toEqual(["fine", `312${NB}recordings are there`, "Last sent 04:12."]);
    expect(said({ sent: amount(1) })?.[1]).toBe(`1${NB}recording is there`);
    expect(said({}, { last: "", since: "" })?.[2]).toBe("Nothing was sent yet.");
  });

  test("say what waits and what was refused", () => {
    const state = { sent: amount(312), refused: amount(1), waiting: amount(3) };
    const title = `312${NB}recordings are there, 1 was refused, 3 wait`;
    const refusal = { ...problem, key: "a.mp4", sentence: "The bucket holds another file of this name." };
    expect(said({ ...state, state: "waiting" })?.slice(0, 2)).toEqual(["waiting", title]);
    expect(said({ ...state, state: "sending" })?.slice(0, 2)).toEqual(["busy", title]);
    expect(said({ ...state, problem: refusal })).toEqual([
      "attention",
      title,
      "a.mp4: The bucket holds another file of this name. Last sent 04:12.",
    ]);
    expect(said({ waiting: amount(0), state: "waiting" })?.[2]).toStartWith("Looking for recordings to send…");
  });

  test("say why nothing is sent, and since when", () => {
    expect(said({ state: "problem", sent: amount(2), waiting: amount(1), problem })).toEqual([
      "failed",
      "Nothing could be sent since 03:00",
      `The bucket is full. 2${NB}recordings are there, 1 waits.`,
    ]);
  });
});

describe("a video that waits", () => {
  const FILE: OffsiteFile = {
    camera: "main",
    name: "20261120_082400_EF.mp4",
    bytes: 152_000_000,
    state: "next",
    sent: 0,
    sentence: null,
  };
  const about = { thisYear: 2026, format: USUAL_FORMAT, from: "01:00" };
  const line = (more: Partial<OffsiteFile>) => offsiteLine({ ...FILE, ...more }, about);
  const name = `Fri 20${NB}Nov, 08:24 · Event, front`;

  test("has its day, kind, direction and size", () => {
    expect(line({})).toEqual({ level: "waiting", name, amount: `152${NB}MB`, text: "Next", percent: null });
    expect(line({ state: "hours" }).text).toBe("From 01:00 on");
    expect(line({ name: "odd.mp4" }).name).toBe("odd.mp4");
  });

  test("tells how much of it is there", () => {
    expect(line({ state: "sending", sent: 61_000_000 })).toEqual({
      level: "busy",
      name,
      amount: `61 of 152${NB}MB`,
      text: "On its way",
      percent: 40,
    });
    expect(line({ state: "sending", bytes: 0 }).percent).toBe(0);
  });

  test("tells why it was refused", () => {
    expect(line({ state: "refused", sentence: "The bucket is full." })).toMatchObject({
      level: "failed",
      text: "Refused: The bucket is full.",
    });
  });
});
