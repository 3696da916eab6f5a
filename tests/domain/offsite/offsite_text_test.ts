import { describe, expect, test } from "bun:test";
import { OFFSITE_OFF } from "../../../server/domain/offsite/offsite_off.ts";
import type { OffsiteState } from "../../../server/domain/offsite/offsite_schema.ts";
import { offsiteInWords } from "../../../server/domain/offsite/offsite_text.ts";

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
      "Nothing is sent since 03:00",
      `The bucket is full. 2${NB}recordings are there, 1 waits.`,
    ]);
  });
});
