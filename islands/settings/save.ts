import type { Amount } from "../../server/domain/retention/deletion.ts";
import { draftValue, normalText } from "../../server/domain/settings/form_values.ts";
import { Refusal, send, sentenceOfError } from "../browser/client.ts";
import { APPLIES, type Entry } from "./entry.ts";

/** Result of saving; each part may be empty. */
export interface Outcome {
  readonly saved: readonly Entry[];
  /** Error that kept the rest from being saved, when it was not about the values. */
  readonly trouble: string | null;
  /** Amount that the next run deletes because of the saved values; null when that has not changed. */
  readonly wouldDelete: Amount | null;
  /** Sentences about saved values that may be mistakes. */
  readonly warnings: readonly string[];
}

interface Patched {
  readonly would_delete?: Amount | null;
  readonly warnings?: readonly FieldError[];
}

/**
 * Saves the changed settings, section by section, and shows at each setting why the service refused it. A section that
 * was saved stays saved, also when a later one fails.
 */
export async function save(entries: readonly Entry[]): Promise<Outcome> {
  const changed = entries.filter(({ isChanged }) => isChanged.value);
  const saved: Entry[] = [];
  let trouble: string | null = null;
  let wouldDelete: Amount | null = null;
  const warnings: string[] = [];
  for (const section of inOrder(new Set(changed.map((entry) => entry.section.name)))) {
    const mine = changed.filter((entry) => entry.section.name === section);
    const sent = mine.map(({ field, draft }) => [field.name, draft.value] as const);
    const body = Object.fromEntries(mine.map(({ field, draft }) => [field.name, draftValue(field, draft.value)]));
    try {
      const answer = await send<Patched>(`PATCH /api/settings/${section}`, body);
      wouldDelete = answer.would_delete ?? wouldDelete;
      warnings.push(...(answer.warnings ?? []).map(({ message }) => message));
      for (const [at, entry] of mine.entries()) settle(entry, sent[at]?.[1] ?? "");
      saved.push(...mine);
    } catch (error) {
      const errors = fieldErrors(error);
      if (errors.length === 0 || !place(errors, entries)) {
        trouble = sentenceOfError(error);
        break;
      }
    }
  }
  return { saved, trouble, wouldDelete, warnings };
}

/** Sign-in comes last: what follows it may need another session. */
function inOrder(sections: ReadonlySet<Entry["section"]["name"]>): Entry["section"]["name"][] {
  return [...sections].sort((one, other) => Number(one === "auth") - Number(other === "auth"));
}

/** Takes the sent value as the saved one; text typed since then stays a change. */
function settle({ field, draft, saved, unusable, isConfirmed }: Entry, sent: string): void {
  unusable.value = null;
  isConfirmed.value = false;
  const plain = field.widget.kind === "secret" && sent !== "" ? "***" : normalText(field, sent);
  saved.value = plain;
  if (draft.value === sent) draft.value = plain;
}

interface FieldError {
  readonly path: string;
  readonly message: string;
}

function fieldErrors(error: unknown): readonly FieldError[] {
  const errors = error instanceof Refusal ? error.details["field_errors"] : null;
  return Array.isArray(errors) ? errors : [];
}

/** Puts each message at its setting. @returns false when one belongs to none of them */
function place(errors: readonly FieldError[], entries: readonly Entry[]): boolean {
  let isPlaced = true;
  for (const { path, message } of errors) {
    const entry = entries.find((one) => one.path === path);
    if (!entry) isPlaced = false;
    else entry.refusal.value = sentenceFor(entry, message);
  }
  return isPlaced;
}

/** The service begins its message with the path; people know the label. */
function sentenceFor({ path, field }: Entry, message: string): string {
  const rest = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
  const words = rest === message ? message : `${field.label} ${rest}`;
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/**
 * The toast's text: how much was saved, and when it applies.
 * @param follows what follows from it, as sentences, such as what the next run deletes; empty when that is nothing
 */
export function savedInWords(saved: readonly Pick<Entry, "field">[], follows = ""): string {
  const tiers = [...new Set(saved.map(({ field }) => field.tier))];
  const what = saved.length === 1 ? "Saved" : `${saved.length} changes saved`;
  if (follows !== "") return `${what}. ${follows}`;
  const [only] = tiers;
  if (tiers.length === 1 && only)
    return `${what}. ${saved.length === 1 ? "It applies" : "They apply"} ${APPLIES[only]}.`;
  return `${what}. Some apply ${tiers.map((tier) => APPLIES[tier]).join(", some ")}.`;
}
