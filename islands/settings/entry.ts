import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FormField, FormGroup, FormSection } from "../../server/domain/settings/form_fields.ts";
import { normalText } from "../../server/domain/settings/form_values.ts";

/** Time at which a change counts, by the tier of its section. */
export const APPLIES = {
  immediate: "at once",
  next_tick: "at the next run",
  restart: "after a restart",
} as const;

/** Finds what is plainly wrong with a draft, as a sentence; null when nothing is. */
export type DraftCheck = (field: FormField, text: string) => string | null;

/** One setting on the page: its schema, what is saved, and what is being typed. */
export interface Entry {
  /** `section.field` */
  readonly path: string;
  /** Id of its control in the page. */
  readonly id: string;
  readonly field: FormField;
  readonly section: FormSection;
  /** The name of its group. */
  readonly group: string;
  /** Text that the control holds. */
  readonly draft: Signal<string>;
  readonly saved: Signal<string>;
  /** Reason why the settings file's value cannot be used, as sentences; null once it is saved anew. */
  readonly unusable: Signal<string | null>;
  /** The value that counts in its place shall be set: a change, although the control shows the same. */
  readonly isConfirmed: Signal<boolean>;
  /** Reason why the service refused it when it was saved. */
  readonly refusal: Signal<string | null>;
  /** Problem that a preview has found in the draft. */
  readonly finding: Signal<string | null>;
  readonly isChanged: ReadonlySignal<boolean>;
  /** Problem of the draft, as a sentence. */
  readonly problem: ReadonlySignal<string | null>;
  /** Saved, but the running service began with something else. */
  readonly awaitsRestart: ReadonlySignal<boolean>;
  /** Value that this start was given in place of the saved one; another start may be given it again. */
  readonly given: ReadonlySignal<string | null>;
}

/** All settings of the form, in the order of the page. */
export function entriesOf(groups: readonly FormGroup[], check: ReadonlySignal<DraftCheck | null>): Entry[] {
  return groups.flatMap(({ name: group, sections }) =>
    sections.flatMap((section) => section.fields.map((field) => entryOf({ group, section, field, check }))),
  );
}

interface EntryParts extends Pick<Entry, "group" | "section" | "field"> {
  readonly check: ReadonlySignal<DraftCheck | null>;
}

function entryOf({ group, section, field, check }: EntryParts): Entry {
  const path = `${section.name}.${field.name}`;
  const draft = signal(field.value);
  const saved = signal(field.value);
  const refusal = signal<string | null>(null);
  const finding = signal<string | null>(null);
  const unusable = signal(field.unusable ?? null);
  const isConfirmed = signal(false);
  const isChanged = computed(
    () => isConfirmed.value || normalText(field, draft.value) !== normalText(field, saved.value),
  );
  const problem = computed(
    () => (isChanged.value ? (check.value?.(field, draft.value) ?? finding.value) : null) ?? refusal.value,
  );
  const isSaved = (text: string | undefined) =>
    text === undefined || normalText(field, saved.value) === normalText(field, text);
  const given = computed(() => (isSaved(field.given) ? null : (field.given ?? null)));
  const awaitsRestart = computed(() => field.given === undefined && !isSaved(field.running));
  const id = `${section.name}-${field.name}`;
  const known = { path, id, field, section, group, draft, saved, refusal, finding, isChanged, problem };
  return { ...known, awaitsRestart, given, unusable, isConfirmed };
}

/** True when a search finds this setting: every word stands in its label, help, name, group or value. */
export function isFound({ path, group, field, draft }: Entry, query: string): boolean {
  const { label, help, widget } = field;
  const options = "options" in widget ? widget.options.map((option) => option.words) : [];
  return hasWords([path, group, label, help, draft.value, ...options].join(" "), query);
}

/** True when every word of a search stands in a text. */
export function hasWords(text: string, query: string): boolean {
  const here = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => here.includes(word));
}
