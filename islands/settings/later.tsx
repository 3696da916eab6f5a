/** @jsxImportSource preact */
import { hydrate } from "preact";
import { useMemo } from "preact/hooks";
import { wouldDeleteInWords } from "../../server/domain/retention/retention_text.ts";
import type { StatusLevel } from "../../server/domain/status/status_level.ts";
import { showToast } from "../browser/toast.ts";
import { AddressCheck } from "./address_check.tsx";
import { CodeControl } from "./codes.tsx";
import { questionBeforeSaving } from "./keep/consent.ts";
import { KeepDialogs } from "./keep/keep_dialogs.tsx";
import { type KeepState, keepState, nextRun, trashDays } from "./keep/keep_state.ts";
import { refreshOnReturn, refreshStanding } from "./keep/refresh.ts";
import { RetentionSection } from "./keep/retention_section.tsx";
import { decidesDeleting, type KeepDrawnProps } from "./keep/shared.ts";
import type { LaterPart, LaterProps } from "./later_place.tsx";
import { type Outcome, save, savedInWords } from "./save.ts";
import { SaveBar } from "./save_bar.tsx";
import { ScheduleRuns } from "./schedule.tsx";
import { adoptTyped } from "./typing.ts";

/** The script that loads after the first paint: the parts that are server-drawn until then, and saving. */

interface PartProps extends Pick<LaterProps, "part" | "path"> {
  readonly keep: KeepState;
}

function Part({ part, path, keep }: PartProps) {
  const entry = keep.entries.find((one) => one.path === path);
  switch (part) {
    case "address":
      return entry && <AddressCheck entry={entry} />;
    case "codes":
      return entry && <CodeControl entry={entry} change={keep.change} />;
    case "dialogs":
      return <KeepDialogs keep={keep} />;
    case "retention":
      return <RetentionSection keep={keep} />;
    case "savebar":
      return <SaveBar shared={keep} />;
    case "schedule":
      return <ScheduleRuns shared={keep} />;
  }
}

/** A part as the server draws it. */
export function DrawnPart({ shared, drawn, ...about }: LaterProps) {
  const keep = useMemo(() => keepState({ shared, drawn }), []);
  return <Part {...about} keep={keep} />;
}

/** What the form calls in this script. */
export interface LaterScript {
  readonly save: typeof save;
  /** Shows how saving went. */
  readonly showSaved: (outcome: Outcome) => void;
  readonly toast: (level: StatusLevel, words: string) => void;
  /** Asks what has to be asked, then goes on. @throws Refusal when the service cannot say what would be deleted */
  readonly ask: (goOn: () => void) => Promise<void>;
}

/** Hydrates the server's markup of each part. */
export function hydrateParts(page: Document, props: KeepDrawnProps): LaterScript {
  const keep = keepState(props);
  for (const place of page.querySelectorAll<HTMLElement>("[data-later]")) {
    const { later: part, path } = place.dataset;
    hydrate(<Part part={part as LaterPart} path={path} keep={keep} />, place);
    adoptTyped(place);
    place.dataset["awake"] = "";
  }
  refreshOnReturn({ page, ask: fetch }, keep);
  const toast = (level: StatusLevel, words: string) => showToast(page, level, words);
  return {
    save,
    showSaved: (outcome) => {
      const follows = [...outcome.warnings, deletedInWords(keep, outcome)].filter(Boolean).join(" ");
      toast(outcome.warnings.length > 0 ? "attention" : "fine", savedInWords(outcome.saved, follows));
    },
    toast,
    ask: async (goOn) => {
      const question = await questionBeforeSaving(keep);
      if (question === null) goOn();
      else keep.dialog.value = { kind: "consent", question, save: goOn };
    },
  };
}

/** What the next run deletes by what was saved; empty when nothing of that kind was. */
function deletedInWords(keep: KeepState, { saved, wouldDelete }: Outcome): string {
  if (!saved.some(decidesDeleting)) return "";
  // It may have been held until now.
  void refreshStanding(keep);
  const { answer } = keep.preview.value;
  if (answer.valid && answer.dry_run) return "";
  return wouldDeleteInWords(wouldDelete, trashDays(keep), nextRun(keep));
}
