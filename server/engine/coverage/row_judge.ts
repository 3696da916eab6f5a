import { judge, type KnownState, NEW_RECORDING, type Standing } from "../../domain/coverage/judgement.ts";
import type { LeavingCause, LeftOutRule } from "../../domain/coverage/recording_state.ts";
import { momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { endingNumber, nameOf } from "../../domain/recordings/recording_name.ts";
import { classOfMoment } from "../../domain/retention/due_recordings.ts";
import { keepOf } from "../../domain/retention/keep_times.ts";
import { durationInWords } from "../../domain/settings/duration.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { VIDEO_ENDINGS } from "../../domain/sync/camera_list.ts";
import type { LedgerRow, RecordingId, RuleUsed } from "../../store/config/ledger_rows.ts";
import type { TrashEntry } from "../../store/destination/trash_index.ts";
import type { JudgedList } from "../listed/known_list.ts";
import type { Leaving, LedgerNews, LedgerParts } from "./ledger_parts.ts";

export interface RowJudgeParts
  extends Pick<LedgerParts, "file" | "library" | "retention" | "settings" | "damaged" | "givenUp"> {
  readonly judged: JudgedList;
  /** Null while it cannot be read. */
  readonly trash: readonly TrashEntry[] | null;
  readonly news: Pick<LedgerNews, "troubles" | "sizes" | "leavings">;
  readonly now: number;
}

/** The name of a recording's video. */
export function nameOfId({ moment, ending }: RecordingId): string {
  return nameOf(momentKey(moment), VIDEO_ENDINGS[ending] ?? "");
}

/** The recording that a video's name stands for. */
export function idOf(name: string): RecordingId {
  return { moment: momentNumber(name), ending: endingNumber(name) };
}

/** Negative, zero or positive as the first comes before the second, is the same, or comes after it. */
export function compareIds(one: RecordingId, other: RecordingId): number {
  return one.moment - other.moment || one.ending - other.ending;
}

/** A row for a recording that was never seen before. */
export function newRow({ moment, ending }: RecordingId, now: number): LedgerRow {
  return {
    moment,
    ending,
    state: NEW_RECORDING.state,
    cause: null,
    rule: null,
    isListed: false,
    card: null,
    missing: 0,
    missingSince: null,
    trouble: null,
    firstSeen: now,
    lastSeen: null,
    at: now,
    homeAt: null,
    by: null,
    size: null,
  };
}

/** Judges recordings by the facts of one moment. */
export class RowJudge {
  readonly #parts: RowJudgeParts;
  readonly #mayBeUnreadable: boolean;
  readonly #damaged: ReadonlySet<string>;
  readonly #rules = new Map<number, RuleUsed | null>();
  readonly #ruleIds = new Map<string, number>();
  #trash: ReadonlyMap<number, Leaving> | null = null;

  constructor(parts: RowJudgeParts) {
    this.#parts = parts;
    this.#mayBeUnreadable = parts.library.unreadable.length > 0;
    this.#damaged = new Set(parts.damaged().map(({ name }) => name));
  }

  /**
   * Returns a recording as it stands now.
   * @param place in the camera's list; -1 when it is not listed
   */
  now(row: LedgerRow, place: number): LedgerRow {
    const { library, judged, now } = this.#parts;
    const { moment, ending, state, cause, homeAt } = row;
    const isHome = library.names.hasAt(moment, VIDEO_ENDINGS[ending] ?? "");
    const name = this.#hasNews ? nameOfId(row) : "";
    const size = this.#parts.news.sizes.get(name) ?? row.size;
    const isDamaged = isHome && this.#damaged.size > 0 && this.#damaged.has(name || nameOfId(row));
    // Nearly all are as they were.
    if (isHome && !isDamaged && state === "home" && size === row.size) return row;
    const trouble = isHome ? null : (this.#parts.news.troubles.get(name) ?? row.trouble);
    const standing = place < 0 ? null : standingOf(judged.counter.ruleAt(place));
    const isGivenUp = this.#parts.givenUp().has(moment);
    const isAsBefore = state === "coming" && standing === "wanted" && cause === trouble && !isGivenUp;
    if (!isHome && isAsBefore && !this.#mayBeUnreadable) return trouble === row.trouble ? row : { ...row, trouble };
    const leaving = isHome || (homeAt === null && standing !== "deleted") ? null : this.#leavingOf(moment);
    const known: KnownState = {
      state,
      cause,
      rule: this.#ruleOf(row),
      wasHome: homeAt !== null,
      missing: row.missing,
      trouble,
    };
    const next = judge(known, {
      isHome,
      isDamaged,
      isUnreadable: this.#isUnreadable(row),
      isInTrash: !isHome && homeAt !== null && this.#trashed.has(moment),
      standing,
      leftBy: leaving === null || leaving.cause === "damaged" ? this.#guessOf(row) : leaving.cause,
      isGivenUp,
    });
    const isLeft = next.state === "trash" || next.state === "deleted";
    const isOther = next.state !== state || next.cause !== cause;
    const rule = next.rule === null ? null : next.rule === known.rule ? row.rule : this.#idOf(next.rule, moment);
    const isHomeFirst = isHome && homeAt === null;
    if (!isOther && !isHomeFirst && rule === row.rule && trouble === row.trouble && size === row.size) return row;
    return {
      ...row,
      state: next.state,
      cause: next.cause,
      rule,
      trouble,
      at: isOther ? ((isLeft ? leaving?.at : null) ?? now) : row.at,
      homeAt: isHome ? (homeAt ?? now) : homeAt,
      by: isLeft ? (leaving?.by ?? row.by) : null,
      size,
    };
  }

  get #hasNews(): boolean {
    const { troubles, sizes } = this.#parts.news;
    return troubles.size + sizes.size > 0;
  }

  #isUnreadable({ moment, homeAt }: LedgerRow): boolean {
    const { library, settings, trash } = this.#parts;
    if (trash === null && homeAt !== null) return true;
    return this.#mayBeUnreadable && library.isUnknown(moment, settings.current.sync.grouping);
  }

  get #trashed(): ReadonlyMap<number, Leaving> {
    if (this.#trash !== null) return this.#trash;
    const trashed = new Map<number, Leaving>();
    // The last deletion comes first.
    for (const { moment, batch, videos } of this.#parts.trash ?? [])
      if (videos > 0 && batch.cause !== "damaged" && !trashed.has(moment)) trashed.set(moment, batch);
    this.#trash = trashed;
    return trashed;
  }

  #leavingOf(moment: number): Leaving | null {
    return this.#parts.news.leavings.get(moment) ?? this.#trashed.get(moment) ?? null;
  }

  /** The cause of a deletion that nothing else tells of: what must not come again was deleted here. */
  #guessOf({ moment, state }: LedgerRow): LeavingCause | null {
    if (state === "deleted" || state === "trash") return null;
    return this.#parts.retention.deleted.latest.has(moment) ? "hand" : null;
  }

  #ruleOf({ rule }: LedgerRow): LeftOutRule | null {
    if (rule === null) return null;
    const known = this.#rules.get(rule);
    if (known !== undefined) return known?.name ?? null;
    const found = this.#parts.file.use((rows) => rows.rule(rule));
    this.#rules.set(rule, found);
    return found?.name ?? null;
  }

  #idOf(name: LeftOutRule, moment: number): number {
    const value = valueOfRule(name, moment, this.#parts.settings.current);
    const key = `${name} ${value}`;
    const known = this.#ruleIds.get(key);
    if (known !== undefined) return known;
    const id = this.#parts.file.change((rows) => rows.ruleId({ name, value }, this.#parts.now));
    this.#ruleIds.set(key, id);
    return id;
  }
}

function standingOf(rule: ReturnType<JudgedList["counter"]["ruleAt"]>): Standing {
  return rule ?? "wanted";
}

/** The value of a rule about recordings such as this one: `2 weeks`, `include N E`. Empty where it has no value. */
function valueOfRule(rule: LeftOutRule, moment: number, { sync, retention }: Settings): string {
  if (rule === "unwanted") return "";
  if (rule === "retention") {
    const keep = keepOf(classOfMoment(moment), retention);
    return keep === null ? "" : durationInWords(keep);
  }
  const parts = [
    sync.include.length > 0 && `include ${sync.include.join(" ")}`,
    sync.exclude.length > 0 && `exclude ${sync.exclude.join(" ")}`,
  ];
  return parts.filter((part) => part !== false).join(", ");
}
