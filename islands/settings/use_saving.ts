import { useEffect, useRef } from "preact/hooks";
import { leaveForSignIn, NO_CONNECTION, Refusal, sentenceOfError } from "../browser/client.ts";
import { type Entry, isFound } from "./entry.ts";
import type { KeepDrawnProps } from "./keep/shared.ts";
import type { LaterScript } from "./later.tsx";
import { focusControl } from "./typing.ts";
import type { Leaving } from "./unsaved_changes.ts";

interface SavingParts extends KeepDrawnProps {
  readonly leaving: Leaving;
  /** Asks before a sign-in mode is saved that lets people in without a password. */
  readonly askMode: () => void;
}

export interface Saving {
  /** Saves what is changed, after what has to be asked. */
  readonly submit: () => void;
  /** Saves without asking. */
  readonly saveAll: () => Promise<void>;
  /** Shows that the service does not answer. */
  readonly showUnreached: () => void;
}

/** How long after a failure the script is asked for again. */
const RETRY_MS = 3000;

/** Saving: what is wrong comes first, then what has to be asked, then one request for each section. */
export function useSaving({ leaving, askMode, shared, drawn }: SavingParts): Saving {
  const { entries, isSaving, trouble } = shared;
  const mode = shared.at("auth", "mode");
  const loaded = useRef<Promise<LaterScript> | null>(null);
  /** The script that the first paint does not need. Saving waits for it. */
  const load = () => {
    loaded.current ??= import("./later.tsx").then(({ hydrateParts }) => hydrateParts(document, { shared, drawn }));
    return loaded.current.catch(() => {
      loaded.current = null;
      throw new Refusal("NO_CONNECTION", NO_CONNECTION);
    });
  };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const loadAndRetry = () => {
      load().catch(() => {
        timer = setTimeout(loadAndRetry, RETRY_MS);
      });
    };
    loadAndRetry();
    return () => clearTimeout(timer);
  }, []);
  const goToFirstWrong = () => {
    const wrong = entries.find(({ problem }) => problem.value !== null);
    if (!wrong) return false;
    if (!isFound(wrong, shared.query.value)) shared.query.value = "";
    focusControl(wrong.id);
    return true;
  };
  /** Runs one step of saving. @returns its trouble in words, which the bar shows; null without any */
  const attempt = async (step: () => Promise<string | null>) => {
    isSaving.value = true;
    trouble.value = null;
    const words = await step().catch(sentenceOfError);
    isSaving.value = false;
    // The bar shows already that the session has ended.
    trouble.value = leaving.isSignedOut.value ? null : words;
    return words;
  };
  const saveAll = async () => {
    const isLeftBehind = document.activeElement?.closest(".savebar") !== null;
    let saved: readonly Entry[] = [];
    const words = await attempt(async () => {
      const later = await load();
      const outcome = await later.save(entries);
      ({ saved } = outcome);
      if (saved.length > 0) {
        leaving.signedIn();
        later.showSaved(outcome);
      }
      return outcome.trouble;
    });
    const [first] = saved;
    if (goToFirstWrong() || words !== null || !first) return;
    // No user is signed in yet in the new mode.
    if (saved.includes(mode) && mode.saved.value === "login") leaving.leave(() => leaveForSignIn());
    else if (isLeftBehind) focusControl(first.id);
  };
  const goOn = () => {
    const isOpening = mode.isChanged.value && mode.draft.value !== "login";
    if (isOpening) askMode();
    else void saveAll();
  };
  const submit = () => {
    const changed = entries.filter(({ isChanged }) => isChanged.value);
    if (isSaving.value || changed.length === 0 || goToFirstWrong()) return;
    if (!changed.some(({ field }) => field.decides)) return goOn();
    void attempt(async () => {
      await (await load()).ask(goOn);
      return null;
    });
  };
  const showUnreached = () => {
    load().then(
      ({ toast }) => toast("failed", NO_CONNECTION),
      () => {},
    );
  };
  return { submit, saveAll, showUnreached };
}
