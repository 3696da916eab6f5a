import { describe, expect, test } from "bun:test";
import { type CardPageFacts, cardView } from "../../../server/domain/card/card_view.ts";
import { type CardParts, REASONS_AGAINST, type ReasonAgainst } from "../../../server/domain/card/safe_to_format.ts";
import { CARD_SIGNS, type CardHealth } from "../../../server/domain/card/card_signs.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const NOW = Date.parse("2026-11-20T20:51:00Z");
const LISTED = Date.parse("2026-11-20T20:49:00Z");
const NOTHING_LEFT = { retention: 0, selection: 0, deleted: 0, unwanted: 0, given_up: 0 };
const PARTS: CardParts = { home: 386, not_checked: 0, coming: 0, unreadable: 0, unknown: 0, left_out: NOTHING_LEFT };
const HEALTH: CardHealth = {
  recordings: 6240,
  since: Date.parse("2026-08-23T20:00:00Z"),
  isKnown: true,
  signs: CARD_SIGNS.map((sign) => ({ sign, isReached: false, since: null, cases: 0, of: 240 })),
  curve: [],
};
const FACTS: CardPageFacts = {
  hasAddress: true,
  isSyncing: false,
  isSafe: true,
  against: [],
  parts: PARTS,
  bytesOf: (places) => (places.includes("coming") ? 1.8e9 : 54.9e9),
  listedAt: LISTED,
  question: null,
  ledgerProblem: null,
  health: HEALTH,
  oldest: "20261114_065800_N",
  rate: 5.2e6,
  rows: [],
  unreadable: [],
  givenUp: [],
  isAway: false,
  now: NOW,
  zone: new ZoneTime("Australia/Sydney"),
};
const RISK: CardParts = {
  ...PARTS,
  home: 368,
  not_checked: 4,
  coming: 11,
  unreadable: 3,
  left_out: { ...NOTHING_LEFT, selection: 26 },
};

function view(facts: Partial<CardPageFacts>) {
  return cardView({ ...FACTS, ...facts });
}

/** The words of the head, with plain spaces. */
function head(facts: Partial<CardPageFacts>): readonly [level: string, sentence: string, says: string] {
  const { level, sentence, says } = view(facts);
  const plain = (text: string) => text.replaceAll(/\s/g, " ");
  return [level, plain(sentence), plain(says)];
}

function unsafe(against: readonly ReasonAgainst[], parts: Partial<CardParts> = {}): Partial<CardPageFacts> {
  return { isSafe: false, against, parts: { ...PARTS, ...parts } };
}

describe("The page of the card says first", () => {
  test("that it may be formatted, and what is lost all the same", () => {
    expect(head({})).toEqual([
      "fine",
      "You may format the card. All that your rules want is safe here.",
      "386 recordings are home, and their checksums were taken.",
    ]);
    expect(head({ parts: { ...PARTS, left_out: { ...NOTHING_LEFT, selection: 25, given_up: 1 } } })[2]).toBe(
      "386 recordings are home, and their checksums were taken. 26 others are left out, and formatting loses them.",
    );
    expect(head({ parts: { ...PARTS, home: 1, left_out: { ...NOTHING_LEFT, deleted: 1 } } })[2]).toBe(
      "1 recording is home, and its checksum was taken. 1 other is left out, and formatting loses it.",
    );
  });

  test.each([
    [
      "recordings are nowhere else",
      { isSafe: false, against: ["unreadable", "coming", "not_checked"], parts: RISK } as const,
      "failed",
      "Do not format the card. 14 recordings are nowhere else.",
      "11 of them come home in about 6 min. 3 cannot be read.",
    ],
    [
      "they were by an old list, and the camera is away",
      {
        isSafe: false,
        against: ["old_list", "has_left", "coming"],
        parts: { ...PARTS, coming: 1 },
        isAway: true,
        now: NOW + 7_200_000,
      } as const,
      "failed",
      "Do not format the card. 1 recording was nowhere else at Sat 21 Nov, 07:49.",
      "It comes home when the camera is back.",
    ],
    [
      "nothing is known of the rate",
      { ...unsafe(["coming"], { coming: 11 }), rate: null },
      "failed",
      "Do not format the card. 11 recordings are nowhere else.",
      "They come home with the next sync.",
    ],
    [
      "a folder cannot be read",
      unsafe(["unknown"], { unknown: 2 }),
      "failed",
      "Do not format the card. It is not known if 2 recordings are home.",
      "A folder here cannot be read, or the card has names that Dashdock does not know. The dashboard and the log say which.",
    ],
    [
      "the list is too old",
      unsafe(["old_list"]),
      "waiting",
      "Look again before you format the card.",
      "All was safe here at Sat 21 Nov, 07:49. A list is good for 10 minutes: the camera may have recorded more since.",
    ],
    [
      "the camera left",
      { ...unsafe(["has_left"]), isAway: true },
      "waiting",
      "Look again when the camera is back.",
      "All was safe here at Sat 21 Nov, 07:49. A list is good for 10 minutes: the camera may have recorded more since.",
    ],
    [
      "it lists nothing",
      unsafe(["empty"], { home: 0 }),
      "waiting",
      "The camera lists no recording.",
      "The card is empty, or the camera cannot read it. An empty card need not be formatted.",
    ],
    [
      "its list may be cut",
      unsafe(["list_cut"]),
      "attention",
      "Do not format the card yet. The camera’s list may be incomplete.",
      "It lacks something that should be there. Look again: the next list settles it.",
    ],
    [
      "it is recording",
      unsafe(["recording"]),
      "waiting",
      "Do not format the card yet. The camera is recording.",
      "Switch the engine off, wait two minutes, then look again.",
    ],
    [
      "checksums are missing",
      unsafe(["not_checked"], { home: 382, not_checked: 4 }),
      "waiting",
      "Do not format the card yet. 4 recordings are not checked.",
      "Dashdock reads each recording once more here and takes its checksum. That goes on by itself while no sync runs.",
    ],
    [
      "the ledger cannot be used",
      { ...unsafe(["ledger_unknown"]), ledgerProblem: "ledger.db was written by a newer Dashdock." },
      "attention",
      "Do not format the card yet. It is not known if it is the same card as before.",
      "ledger.db was written by a newer Dashdock.",
    ],
    [
      "a question is open",
      {
        ...unsafe(["question", "coming"], { coming: 3 }),
        question: { since: LISTED, likely: "formatted" as const, recordings: 3 },
      },
      "attention",
      "Do not format the card yet. There is a question about it.",
      "The camera lists other recordings than before. Your answer decides what counts as lost.",
    ],
    [
      "what is home is not known",
      { isSafe: false, against: ["home_unknown"] as const, parts: null },
      "failed",
      "Do not format the card. It is not known what is home.",
      "The recordings folder is not available. The dashboard says why.",
    ],
    [
      "nothing was listed yet",
      { isSafe: false, against: ["no_list", "home_unknown"] as const, parts: null, listedAt: null },
      "waiting",
      "Nothing is known of the card yet.",
      "With the first sync the camera tells what is on its card.",
    ],
    [
      "there is no camera",
      { hasAddress: false, isSafe: false, against: ["no_list", "home_unknown"] as const, parts: null, listedAt: null },
      "waiting",
      "No camera is set up yet.",
      "Set the camera’s address first. After the first sync this page tells what is on its card.",
    ],
  ] as const)("why not: %s", (_why, facts, ...told) => {
    expect(head(facts as Partial<CardPageFacts>).join("|")).toBe(told.join("|"));
  });

  test("never that it may be, while anything speaks against it", () => {
    for (const reason of REASONS_AGAINST)
      for (const parts of [PARTS, null]) {
        const { level, sentence, state, steps } = view({ isSafe: false, against: [reason], parts });
        expect([reason, level]).not.toEqual([reason, "fine"]);
        expect(sentence).not.toContain("You may");
        expect(state.level).not.toBe("fine");
        expect(steps?.title).not.toBe("How to format");
      }
  });

  test("signs of wear, beside what is to be saved", () => {
    const [first, second, ...others] = HEALTH.signs;
    const reached = [first, second]
      .flatMap((sign) => sign ?? [])
      .map((sign) => ({ ...sign, isReached: true, since: LISTED }));
    const health = { ...HEALTH, signs: [...reached, ...others] };
    expect(head({ ...unsafe(["coming"], { coming: 1 }), health })[2]).toEndWith(
      "And the card shows two signs of wear.",
    );
    const { steps, health: shown } = view({ ...unsafe(["coming"], { coming: 1 }), health });
    expect(steps?.items.at(-1)?.title).toBe("Replace the card");
    expect([shown.level, shown.word, shown.sentence]).toEqual(["failed", "Two signs", "Two signs of wear"]);
  });
});

describe("The page of the card has", () => {
  test("figures and parts that count each recording once", () => {
    const { readings, parts, bar, state } = view({ isSafe: false, against: ["coming"], parts: RISK });
    expect(readings.map(({ name, figure, unit }) => [name, figure, unit])).toEqual([
      ["On the card", "412", "recordings"],
      ["Home and checked", "368", "recordings"],
      ["Not home", "14", "recordings"],
      ["Home, not checked", "4", "recordings"],
      ["Left out", "26", "recordings"],
      ["Size, about", "1.8", "GB"],
    ]);
    expect(parts.map(({ look, count }) => [look, count])).toEqual([
      ["home", 368],
      ["unch", 4],
      ["come", 11],
      ["bad", 3],
      ["left", 26],
    ]);
    expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(412);
    expect(bar.replaceAll(/\s/g, " ")).toBe(
      "Of 412 recordings: 368 home and checked, 4 home, not checked yet, 11 coming, 3 not readable, 26 left out by your rules",
    );
    expect(state).toEqual({ level: "failed", word: "Not safe" });
  });

  test("what each rule leaves out, apart", () => {
    const left_out = { retention: 3, selection: 2, deleted: 5, unwanted: 6, given_up: 7 };
    const { parts } = view({ parts: { ...PARTS, left_out } });
    expect(parts.slice(1).map(({ name, count, isGivenUp }) => [name, count, isGivenUp])).toEqual([
      ["Left out by your rules", 5, false],
      ["Deleted here", 5, false],
      ["Not needed", 6, false],
      ["Given up", 7, true],
    ]);
    expect(parts[1]?.says.replaceAll(/\s/g, " ")).toBe(
      "3 older than you keep them, 2 of kinds you do not download. Formatting loses them for good.",
    );
  });

  test.each([
    ["a way to the address", { hasAddress: false }, "Set the camera’s address"],
    ["a way to the sync that runs", { isSyncing: true, ...unsafe(["coming"], { coming: 11 }) }, "Watch the sync"],
    ["a sync for what is to come", unsafe(["coming"], { coming: 11 }), "Bring 11 home"],
    [
      "a sync for the list, when the camera is away",
      { isAway: true, ...unsafe(["coming"], { coming: 11 }) },
      "Look again",
    ],
    ["a sync for the list", {}, "Look again"],
    [
      "a sync for the first list",
      { listedAt: null, parts: null, isSafe: false, against: ["no_list"] as const },
      "Look now",
    ],
  ] as const)("as its action %s", (_what, facts, label) => {
    expect(view(facts as Partial<CardPageFacts>).action?.label).toBe(label);
  });

  test("steps in the order in which they are to be done", () => {
    const titles = (facts: Partial<CardPageFacts>) =>
      view(facts).steps?.items.map(({ title }) => title.replaceAll(/\s/g, " "));
    expect(titles({})).toEqual([
      "Open the maker’s app for your camera",
      "Format the card in the camera’s settings",
      "Drive, or wait for one recording",
    ]);
    expect(titles({ isSafe: false, against: ["unreadable", "coming", "not_checked"], parts: RISK })).toEqual([
      "Let the 11 come",
      "Try the 3 once more from a card reader",
      "Or give the 3 up",
      "Let the 4 be checked",
    ]);
    expect(titles(unsafe(["question"]))).toEqual(["Answer the question"]);
    expect(titles(unsafe(["old_list", "recording"]))).toEqual(["Wait until it records no more", "Look again"]);
    expect(titles(unsafe(["empty"], { home: 0 }))).toBeUndefined();
  });

  test("how old the list is", () => {
    const plain = (facts: Partial<CardPageFacts>) => view(facts).listed.replaceAll(/\s/g, " ");
    expect(plain({})).toBe("Listed 07:49, 2 min ago");
    expect(plain({ now: NOW + 2 * 86_400_000 })).toBe("Listed Sat 21 Nov, 07:49, 2 d ago");
    expect(plain({ listedAt: null })).toBe("");
  });
});
