import { wouldDeleteInWords } from "../../server/domain/retention/retention_text.ts";
import { leaveForSignIn, sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";
import { type Entry, isFound } from "./entry.ts";
import { questionBeforeSaving } from "./keep/consent.ts";
import { keepOf, nextRun, trashDays } from "./keep/keep_state.ts";
import { refreshConsent } from "./keep/refresh.ts";
import { decidesDeleting, type KeepDrawnProps, type Shared } from "./keep/shared.ts";
import { type Outcome, save, savedInWords } from "./save.ts";
import type { SavingParts } from "./saving_parts.ts";
import { focusControl } from "./typing.ts";

/** This script comes with the first change: it asks before saving and shows the result. */

/** Saves what is changed: what is wrong comes first, then what has to be asked, then one request for each section. */
export async function submit(parts: SavingParts): Promise<void> {
  const { shared } = parts;
  const changed = shared.entries.filter(({ isChanged }) => isChanged.value);
  if (shared.isSaving.value || changed.length === 0 || goToFirstWrong(shared)) return;
  const mode = shared.at("auth", "mode");
  const isOpening = mode.isChanged.value && mode.draft.value !== "login";
  const goOn = () => (isOpening ? parts.askMode() : void saveAll(parts));
  if (!changed.some(({ field }) => field.decides)) return goOn();
  await attempt(parts, async () => {
    await ask(parts, goOn);
    return null;
  });
}

/** Saves without asking. */
export async function saveAll(parts: SavingParts): Promise<void> {
  const { shared, leaving } = parts;
  const mode = shared.at("auth", "mode");
  const isLeftBehind = document.activeElement?.closest(".savebar") !== null;
  let saved: readonly Entry[] = [];
  const words = await attempt(parts, async () => {
    const outcome = await save(shared.entries);
    ({ saved } = outcome);
    if (saved.length > 0) {
      leaving.signedIn();
      showSaved(parts, outcome);
    }
    return outcome.trouble;
  });
  const [first] = saved;
  if (goToFirstWrong(shared) || words !== null || !first) return;
  // No user is signed in yet in the new mode.
  if (saved.includes(mode) && mode.saved.value === "login") leaving.leave(() => leaveForSignIn());
  else if (isLeftBehind) focusControl(first.id);
}

/** @returns whether something typed is wrong; its control has the focus then */
function goToFirstWrong({ entries, query }: Shared): boolean {
  const wrong = entries.find(({ problem }) => problem.value !== null);
  if (!wrong) return false;
  if (!isFound(wrong, query.value)) query.value = "";
  focusControl(wrong.id);
  return true;
}

/** Runs one step of saving. @returns its trouble in words, which the bar shows; null without any */
async function attempt({ shared, leaving }: SavingParts, step: () => Promise<string | null>): Promise<string | null> {
  shared.isSaving.value = true;
  shared.trouble.value = null;
  const words = await step().catch(sentenceOfError);
  shared.isSaving.value = false;
  // The bar shows already that the session has ended.
  shared.trouble.value = leaving.isSignedOut.value ? null : words;
  return words;
}

/** Shows how saving went. */
function showSaved(props: KeepDrawnProps, outcome: Outcome): void {
  const follows = [...outcome.warnings, deletedInWords(props, outcome)].filter(Boolean).join(" ");
  showToast(document, outcome.warnings.length > 0 ? "attention" : "fine", savedInWords(outcome.saved, follows));
}

/**
 * Asks what has to be asked, then goes on.
 * @throws Refusal when the service cannot say what would be deleted
 */
async function ask(props: KeepDrawnProps, goOn: () => void): Promise<void> {
  const keep = keepOf(props);
  const question = await questionBeforeSaving(keep);
  if (question === null) return goOn();
  await keep.wake("dialogs");
  keep.dialog.value = { kind: "consent", question, save: goOn };
}

/** Recordings that the next run deletes because of the saved values; empty when no such value was saved. */
function deletedInWords(props: KeepDrawnProps, { saved, wouldDelete }: Outcome): string {
  if (!saved.some(decidesDeleting)) return "";
  const keep = keepOf(props);
  // It may have been held until now.
  void refreshConsent(keep);
  const { answer } = keep.preview.value;
  if (answer.valid && answer.dry_run) return "";
  return wouldDeleteInWords(wouldDelete, trashDays(keep), nextRun(keep));
}
