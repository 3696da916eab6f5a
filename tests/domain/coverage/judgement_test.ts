import { expect, test } from "bun:test";
import {
  judge,
  type KnownState,
  NEW_RECORDING,
  type RecordingFacts,
} from "../../../server/domain/coverage/judgement.ts";

const NOWHERE: RecordingFacts = {
  isHome: false,
  isDamaged: false,
  isUnreadable: false,
  isInTrash: false,
  isGivenUp: false,
  standing: null,
  leftBy: null,
};
const HOME: Partial<KnownState> = { state: "home", wasHome: true };
const LOST: Partial<KnownState> = { state: "lost", cause: "away", missing: 2 };

/** Known state, facts, and what follows: state, cause, rule. */
const ROWS: readonly [what: string, Partial<KnownState>, Partial<RecordingFacts>, ...string[]][] = [
  ["listed and wanted", {}, { standing: "wanted" }, "coming"],
  ["came home", {}, { isHome: true, standing: "wanted" }, "home"],
  ["came home after it had failed", { trouble: "failing", cause: "failing" }, { isHome: true }, "home"],
  ["at home and damaged", HOME, { isHome: true, isDamaged: true }, "damaged"],
  ["failed, and is still listed", { trouble: "failing" }, { standing: "wanted" }, "coming", "failing"],
  ["failed, and given up", { trouble: "failing" }, { standing: "wanted", isGivenUp: true }, "lost", "failing"],
  ["given up, and nothing failed", {}, { standing: "wanted", isGivenUp: true }, "coming"],
  ["given up, and came home", { state: "lost", trouble: "failing" }, { isHome: true, isGivenUp: true }, "home"],
  ["waited for again", { state: "lost", trouble: "failing" }, { standing: "wanted" }, "coming", "failing"],
  ["too old", {}, { standing: "retention" }, "left_out", "", "retention"],
  ["not chosen", {}, { standing: "selection" }, "left_out", "", "selection"],
  ["not needed", {}, { standing: "unwanted" }, "left_out", "", "unwanted"],
  ["wanted again", { state: "left_out", rule: "selection" }, { standing: "wanted" }, "coming"],
  ["left out, and gone", { state: "left_out", rule: "selection", missing: 2 }, {}, "left_out", "", "selection"],
  ["missing from one list", { missing: 1 }, {}, "coming"],
  ["missing from two lists", { missing: 2 }, {}, "lost"],
  ["missing from two lists, and at home", { missing: 2 }, { isHome: true }, "home"],
  ["missing from two lists, in a folder that cannot be read", { missing: 2 }, { isUnreadable: true }, "unknown"],
  ["missing from two lists, in a folder that can be read again", { state: "unknown", missing: 2 }, {}, "lost"],
  ["missing from one list, in a folder that can be read again", { state: "unknown", missing: 1 }, {}, "coming"],
  ["lost, and listed again", LOST, { standing: "wanted" }, "coming"],
  ["lost, and found at home", LOST, { isHome: true }, "home"],
  ["lost, and some folder cannot be read", LOST, { isUnreadable: true }, "lost", "away"],
  ["lost stays lost", LOST, {}, "lost", "away"],
  ["at home, in a folder that cannot be read", HOME, { isUnreadable: true }, "unknown"],
  ["at home once, and in no folder", HOME, {}, "deleted", "outside"],
  ["at home once, gone and gone from the card", { ...HOME, missing: 2 }, {}, "deleted", "outside"],
  ["at home once, and listed", HOME, { standing: "wanted" }, "coming"],
  ["at home once, too old now", HOME, { standing: "retention" }, "deleted", "outside"],
  ["moved to the trash by age", HOME, { isInTrash: true, leftBy: "age", standing: "retention" }, "trash", "age"],
  ["moved to the trash by hand", HOME, { isInTrash: true, leftBy: "hand", standing: "deleted" }, "trash", "hand"],
  ["restored", { state: "trash", cause: "hand", wasHome: true }, { isHome: true }, "home"],
  ["removed from the trash", { state: "trash", cause: "room", wasHome: true }, {}, "deleted", "room"],
  ["removed for good at once", HOME, { leftBy: "room", standing: "deleted" }, "deleted", "room"],
  ["deleted, and deleted still", { state: "deleted", cause: "age", wasHome: true }, {}, "deleted", "age"],
  ["put back by hand", { state: "deleted", cause: "outside", wasHome: true }, { isHome: true }, "home"],
  ["its other direction was deleted by hand", {}, { standing: "deleted" }, "deleted", "hand"],
  ["on a card that is elsewhere", { cause: "other_card" }, {}, "coming", "other_card"],
  ["on a card that is back", { cause: "other_card" }, { standing: "wanted" }, "coming"],
  ["on a card that was formatted", { state: "deleted", cause: "formatted" }, {}, "deleted", "formatted"],
];

test.each(ROWS.map(([what, known, facts, ...next]) => ({ what, known, facts, next })))(
  "$what",
  ({ known, facts, next: [state, cause = "", rule = ""] }) => {
    const found = judge({ ...NEW_RECORDING, ...known }, { ...NOWHERE, ...facts });
    expect({ ...found, cause: found.cause ?? "", rule: found.rule ?? "" }).toMatchObject({ state, cause, rule });
  },
);
