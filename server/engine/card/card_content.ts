import { CARD_PLACES, type CardPlace, partsOf, placeOf } from "../../domain/card/card_place.ts";
import type { CardParts } from "../../domain/card/safe_to_format.ts";
import { letterOfMoment, TYPE_LETTERS } from "../../domain/recordings/moment_number.ts";
import { VIDEO_ENDINGS } from "../../domain/sync/camera_list.ts";
import { type ExpectedSizes, videoClass } from "../../domain/sync/expected_sizes.ts";
import { nextTurn } from "../../turns.ts";
import type { RecordingChecks } from "./card_checks.ts";
import type { JudgedList } from "../listed/known_list.ts";

/** Recordings placed at once: about a millisecond. */
const SLICE = 4000;
/** Names that are kept of each place, the newest: a card that was never brought home has 50,000 to come. */
const MOST_NAMES = 1000;

export interface ContentParts {
  readonly judged: JudgedList;
  /** Listed names that are no recording's, or have a date that never was. */
  readonly strangers: number;
  /** Null while nothing is known of checksums: then none was taken. */
  readonly checks: RecordingChecks | null;
  /** Names of videos that the camera could not deliver the last time. */
  readonly failing: ReadonlySet<string>;
  /** Names of videos that the camera said are empty. */
  readonly empty: ReadonlySet<string>;
  readonly givenUp: ReadonlySet<number>;
}

/** The recordings on the card by what formatting would do to them. */
export interface CardContent {
  readonly parts: CardParts;
  /** Names of the newest videos of the places where a recording is nowhere else, by time. */
  readonly names: Readonly<Record<"coming" | "unreadable" | "unknown" | "given_up", readonly string[]>>;
  /** Moment of the oldest recording on it; null when there is none. */
  readonly oldest: number | null;
  /** Estimated bytes of the videos of a place; null while nothing is known of some of them. */
  readonly bytesOf: (places: readonly CardPlace[], sizes: ExpectedSizes) => number | null;
}

/** Places all recordings of a list, in slices. */
export async function contentOf(parts: ContentParts): Promise<CardContent> {
  const { judged } = parts;
  const { list, counter } = judged;
  const classes = TYPE_LETTERS.length * VIDEO_ENDINGS.length;
  const videos = new Int32Array(CARD_PLACES.length * classes);
  const places = { coming: [], unreadable: [], unknown: [], given_up: [] } as Record<
    keyof CardContent["names"],
    number[]
  >;
  const counts: Partial<Record<CardPlace, number>> = { unknown: parts.strangers };
  let oldest: number | null = null;
  for (let at = 0; at < list.size; at++) {
    if (at % SLICE === SLICE - 1) await nextTurn();
    const moment = list.momentAt(at);
    const place = placeAt(at, parts);
    if (place === null) continue;
    oldest ??= moment;
    counts[place] = (counts[place] ?? 0) + 1;
    const of = CARD_PLACES.indexOf(place) * classes + letterOfMoment(moment) * VIDEO_ENDINGS.length + list.endingAt(at);
    videos[of] = (videos[of] ?? 0) + 1;
    if (place in places) places[place as keyof typeof places].push(at);
  }
  const namesOf = (of: keyof typeof places) => places[of].slice(-MOST_NAMES).map((at) => list.nameAt(at));
  return {
    parts: partsOf(counts),
    names: {
      coming: namesOf("coming"),
      unreadable: namesOf("unreadable"),
      unknown: namesOf("unknown"),
      given_up: namesOf("given_up"),
    },
    oldest,
    bytesOf: (asked, sizes) => bytesOf(asked, videos, sizes),
  };

  function placeAt(at: number, { checks, failing, empty, givenUp }: ContentParts): CardPlace | null {
    const standing = counter.standingAt(at);
    const moment = list.momentAt(at);
    const isHome = standing === "home";
    return placeOf(standing, {
      isChecked: isHome && checks?.isTaken(at) === true,
      isDamaged: isHome && checks?.isDamaged(at) === true,
      // Names are made only where one may be among them.
      isFailing: failing.size > 0 && failing.has(list.nameAt(at)),
      isEmpty: standing === "gone" && empty.has(list.nameAt(at)),
      isGivenUp: givenUp.has(moment),
    });
  }
}

function bytesOf(places: readonly CardPlace[], videos: Int32Array, sizes: ExpectedSizes): number | null {
  const classes = videos.length / CARD_PLACES.length;
  let bytes = 0;
  for (const place of places) {
    const from = CARD_PLACES.indexOf(place) * classes;
    for (let at = 0; at < classes; at++) {
      const count = videos[from + at] ?? 0;
      if (count === 0) continue;
      const ending = VIDEO_ENDINGS[at % VIDEO_ENDINGS.length] ?? "";
      const size = sizes.of(videoClass(TYPE_LETTERS[Math.floor(at / VIDEO_ENDINGS.length)] ?? "", ending));
      if (size === null) return null;
      bytes += count * size;
    }
  }
  return Math.round(bytes);
}
