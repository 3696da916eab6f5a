import type { ListedKey } from "../../../server/domain/keys/key_schema.ts";
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { VerifyState } from "../../../server/domain/checksums/verify_schema.ts";
import type { ImportState } from "../../../server/domain/import/import_schema.ts";
import type { MqttState } from "../../../server/domain/mqtt/mqtt_schema.ts";
import type { NotifyState } from "../../../server/domain/notify/notify_schema.ts";
import type { OffsiteState } from "../../../server/domain/offsite/offsite_schema.ts";
import type { KeptList, RetentionState, TrashOverview } from "../../../server/domain/retention/deletion.ts";
import type { RetentionPreview } from "../../../server/domain/retention/deletion_schema.ts";
import type { Question, TrashPart } from "../../../server/domain/retention/keep_consent.ts";
import type { SchedulePreview } from "../../../server/domain/settings/schedule_preview.ts";
import type { FieldName, SectionName } from "../../../server/domain/settings/settings.ts";
import type { SignedIn } from "../../../server/domain/settings/settings_schema.ts";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import type { Asked } from "../asked.ts";
import type { ListedCamera } from "../cameras/listed_camera.ts";
import type { DraftCheck, Entry } from "../entry.ts";
import type { LaterPart } from "../later_part.ts";

/** One setting of the page. */
export type At = <S extends SectionName>(section: S, field: FieldName<S>) => Entry;

/** State that the form shares with the parts that wake later. */
export interface Shared {
  /** State that the parts about keeping and deleting share; null before the first of them wakes. */
  readonly keep: { current: KeepState | null };
  /** Opens a dialog about signing in. */
  readonly show: (kind: "password" | "sessions") => void;
  /** Wakes a part of the page. @throws when its script cannot be loaded */
  readonly wake: (part: LaterPart) => Promise<void>;
  /** Finds what is wrong with a draft; null until its script is there, which comes with the first change. */
  readonly check: Signal<DraftCheck | null>;
  /** All settings, in the order of the page. */
  readonly entries: readonly Entry[];
  readonly at: At;
  readonly query: Signal<string>;
  /** All cameras, the first one first. */
  readonly cameras: Signal<readonly ListedCamera[]>;
  readonly change: (entry: Entry, text: string) => void;
  /** Format of times and dates. */
  readonly format: TimeFormat;
  /** The schedule's next runs, with what is typed. */
  readonly runs: Signal<SchedulePreview>;
  /** Recordings that the next run deletes because of the changes, in a few words; empty for none, or while unknown. */
  readonly deletes: Signal<string>;
  readonly isSignedOut: ReadonlySignal<boolean>;
  readonly isSaving: Signal<boolean>;
  /** Error of the last attempt to save, when it was not about the values. */
  readonly trouble: Signal<string | null>;
  /** Takes back every change that is not saved. */
  readonly discard: (event: MouseEvent) => void;
}

/** State of keeping and deleting beside the settings. */
export interface ConsentState {
  readonly kept: KeptList;
  readonly trash: Pick<TrashOverview, "recordings" | "bytes" | "next"> & { readonly parts: readonly TrashPart[] };
  readonly state: Pick<RetentionState, "held" | "problem" | "kept">;
  /** The recordings' disk, with its fill level in words; null while it cannot be read. */
  readonly disk: { readonly used_percent: number; readonly total_bytes: number; readonly says: string } | null;
}

/** Data that the page came with. */
export interface KeepDrawn {
  /** Epoch milliseconds at which it was made. */
  readonly now: number;
  /** Format of times and dates. */
  readonly format: TimeFormat;
  readonly preview: RetentionPreview;
  readonly standing: ConsentState;
  /** The browsers that are signed in. */
  readonly browsers: readonly SignedIn[];
  /** The keys of programs. */
  readonly keys: readonly ListedKey[];
  /** Number of recordings that the camera lists of each kind and camera, such as `NF`. */
  readonly listed: Readonly<Record<string, number>>;
  /** The check of all recordings. */
  readonly verify: VerifyState;
  /** The import from a card. */
  readonly imported: ImportState;
  /** The id of the camera that it is for. */
  readonly importedFor: string;
  /** Results of the last messages to those who are told what matters. */
  readonly notify: NotifyState;
  /** The connection to the MQTT broker. */
  readonly mqtt: MqttState;
  readonly offsite: OffsiteState;
  /** All cameras, the first one first. */
  readonly cameras: readonly ListedCamera[];
  /** The folder in which a further camera gets its own. */
  readonly camerasFolder: string;
}

export interface KeepDrawnProps {
  readonly shared: Shared;
  readonly drawn: KeepDrawn;
}

/** True when a setting decides which recordings are deleted, or when. */
export function decidesDeleting({ field }: Pick<Entry, "field">): boolean {
  return field.decides === "deleting";
}

/** Open question: about everything in the trash, about all marks, or about changes that delete more. */
export type KeepDialog =
  | { readonly kind: "empty" }
  | { readonly kind: "unmark" }
  | { readonly kind: "consent"; readonly question: Question; readonly save: () => void };

/** State that the parts of "Keep and delete" share. */
export interface KeepState extends Shared {
  readonly standing: Signal<ConsentState>;
  /** Recordings that the next run would delete with the typed values. */
  readonly preview: Signal<Asked<RetentionPreview>>;
  /** Grows when what the next run would delete may have changed by something else than what is typed. */
  readonly round: Signal<number>;
  /** The question of the preview that the page came with. */
  readonly drawnFor: `/api/${string}`;
  readonly dialog: Signal<KeepDialog | null>;
}
