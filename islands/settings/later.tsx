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
import { ScheduleSays } from "./schedule.tsx";
import { adoptTyped } from "./typing.ts";

/** What comes with a script of its own once the page is alive: what stands ready-drawn until then, and saving. */

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
      return <ScheduleSays shared={keep} />;
  }
}

/** A part as the server draws it. */
export function DrawnPart({ shared, drawn, ...about }: LaterProps) {
  const keep = useMemo(() => keepState({ shared, drawn }), []);
  return <Part {...about} keep={keep} />;
}

/** What the form has from it. */
export interface Awake {
  readonly save: typeof save;
  /** Tells how saving went. */
  readonly tellSaved: (outcome: Outcome) => void;
  readonly tell: (level: StatusLevel, words: string) => void;
  /** Asks what has to be asked, then goes on. @throws Refusal when the service cannot say what would be deleted */
  readonly ask: (goOn: () => void) => Promise<void>;
}

/** Gives the server's markup of each part its life. */
export function wake(page: Document, props: KeepDrawnProps): Awake {
  const keep = keepState(props);
  for (const place of page.querySelectorAll<HTMLElement>("[data-later]")) {
    const { later: part, path } = place.dataset;
    hydrate(<Part part={part as LaterPart} path={path} keep={keep} />, place);
    adoptTyped(place);
    place.dataset["awake"] = "";
  }
  refreshOnReturn({ page, ask: fetch }, keep);
  const tell = (level: StatusLevel, words: string) => showToast(page, level, words);
  return {
    save,
    tellSaved: (outcome) => {
      const follows = [...outcome.warnings, deletedInWords(keep, outcome)].filter(Boolean).join(" ");
      tell(outcome.warnings.length > 0 ? "attention" : "fine", savedInWords(outcome.saved, follows));
    },
    tell,
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
