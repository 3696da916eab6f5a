/** @jsxImportSource preact */

import { ActionLink } from "../../islands/parts/action_link.tsx";
import { Icon } from "../../islands/parts/icon.tsx";
import { ChangeButton } from "../../islands/parts/may_change.tsx";
import { ACTION_PLACES } from "../domain/guide/places.ts";
import type { RunDetail } from "../domain/runs/run_detail.ts";
import { counted } from "../domain/text/format.ts";
import { isOpen } from "./failed_files.tsx";

/** The form that has the causes; a button in the head belongs to it, too. */
export const FORM_ID = "run-form";

/** A run that came after another one. */
export interface LaterRun {
  readonly href: string;
  readonly began: string;
}

interface RunActionsProps {
  readonly detail: RunDetail;
  /** The run that came after this one, by when it began; without one, what waited still does. */
  readonly later: LaterRun | null;
  /** A sync is running now. */
  readonly isSyncing: boolean;
}

/** Offers actions about a run, the first of them as the page's main button, and its log. */
export function RunActions({ detail, later, isSyncing }: RunActionsProps) {
  const isLatest = later === null;
  const { failure, mood, started_at } = detail;
  // The files stand below, and the log is the run's own.
  const isElsewhere = failure?.action && failure.action.kind !== "show-files" && failure.action.kind !== "show-log";
  const action = isElsewhere ? failure.action : null;
  const remedy = action?.kind === "free-space" ? action : null;
  const again = againOf(detail, isLatest);
  const isPlain = mood === "fine" || mood === "waiting";
  const isMain = remedy === null;
  return (
    <p class="row">
      {remedy && <ActionLink action={remedy} look="b-primary" />}
      {again !== null && isSyncing && isLatest && (
        <a class={isMain ? "b b-primary" : "b"} href="/">
          Watch the sync
        </a>
      )}
      {again === null && later !== null && (detail.work?.waiting ?? 0) > 0 && (
        <a class={isMain ? "b b-primary" : "b"} href={later.href}>
          Show the run of {later.began}
        </a>
      )}
      {again !== null && !isSyncing && (
        <ChangeButton
          class={isMain ? "b b-primary" : "b"}
          type="submit"
          form={FORM_ID}
          name={again.name}
          value={again.value}
        >
          <Icon name="i-sync" />
          {remedy ? "Try again" : again.label}
        </ChangeButton>
      )}
      {action && !remedy && <ActionLink action={action} look={again === null && !isPlain ? "b-primary" : ""} />}
      {!isPlain && (
        <a class="b" href={`/logs?at=${started_at}`}>
          Log of this run
        </a>
      )}
      {failure?.action && (
        <a class="b b-quiet" href={ACTION_PLACES[failure.action.kind]}>
          Help
        </a>
      )}
    </p>
  );
}

/** Finds the work for the main button: files that failed, or all that still waits; null when there is none. */
function againOf({ failed, work, dry_run: isDry }: RunDetail, isLatest: boolean) {
  const open = failed.files.filter(isOpen);
  const waiting = isLatest && !isDry ? (work?.waiting ?? 0) : 0;
  if (open.length > 0) {
    const isWhole = failed.files.length === failed.total;
    const videos = isWhole
      ? open.filter(({ name }) => name.endsWith(".mp4")).length
      : failed.by_cause.reduce((sum, { recordings }) => sum + recordings, 0);
    const label = `Retry ${videos > 0 ? counted(videos, "recording") : counted(isWhole ? open.length : failed.total, "file")}`;
    return isWhole
      ? { name: "files", value: open.map(({ name }) => name).join(","), label }
      : { name: "all", value: "1", label };
  }
  return waiting > 0 ? { name: "waiting", value: "1", label: `Download ${counted(waiting, "recording")} now` } : null;
}
