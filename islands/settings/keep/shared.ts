import type { ReadonlySignal, Signal } from "@preact/signals";
import type { RetentionPreview } from "../../../server/domain/api/deletion_schema.ts";
import type { KeptList, RetentionState, TrashOverview } from "../../../server/domain/retention/deletion.ts";
import type { TrashPart } from "../../../server/domain/retention/keep_consent.ts";
import type { SchedulePreview } from "../../../server/domain/settings/schedule_preview.ts";
import type { FieldName, SectionName } from "../../../server/domain/settings/settings.ts";
import type { Entry } from "../entry.ts";

/** One setting of the page. */
export type At = <S extends SectionName>(section: S, field: FieldName<S>) => Entry;

/** What the form and the parts in `later.tsx` share. */
export interface Shared {
  /** All settings, in the order of the page. */
  readonly entries: readonly Entry[];
  readonly at: At;
  readonly query: Signal<string>;
  readonly change: (entry: Entry, text: string) => void;
  /** The schedule's next runs, with what is typed. */
  readonly runs: Signal<SchedulePreview>;
  /** What the next run deletes by the changes, in a few words: empty when that is nothing, or not known yet. */
  readonly deletes: Signal<string>;
  readonly isSignedOut: ReadonlySignal<boolean>;
  readonly isSaving: Signal<boolean>;
  /** What kept the last attempt from being saved, when it was not the values. */
  readonly trouble: Signal<string | null>;
  /** Takes back every change that is not saved. */
  readonly discard: (event: MouseEvent) => void;
}

/** How keeping and deleting stands, as far as it is no setting. */
export interface KeepStanding {
  readonly kept: KeptList;
  readonly trash: Pick<TrashOverview, "recordings" | "bytes" | "next"> & { readonly parts: readonly TrashPart[] };
  readonly state: Pick<RetentionState, "held" | "problem" | "kept">;
  /** The recordings' disk, with its fill level in words; null while it cannot be read. */
  readonly disk: { readonly used_percent: number; readonly total_bytes: number; readonly says: string } | null;
}

/** What the page came with about it. */
export interface KeepDrawn {
  readonly preview: RetentionPreview;
  readonly standing: KeepStanding;
}

export interface KeepDrawnProps {
  readonly shared: Shared;
  readonly drawn: KeepDrawn;
}

/** Whether a setting decides what is deleted, or when. */
export function decidesDeleting({ field }: Pick<Entry, "field">): boolean {
  return field.decides === "deleting";
}
