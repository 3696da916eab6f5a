/** @jsxImportSource preact */
import type { RetentionPreview } from "../../server/domain/api.ts";
import { counted, formatBytes, formatDate } from "../../server/domain/format.ts";
import { draftProblem } from "../../server/domain/settings_draft.ts";
import { useAsked } from "./asked.ts";
import type { Entry } from "./entry.ts";

interface RetentionProps {
  readonly keep: Entry;
  readonly drawn: RetentionPreview;
}

/** What the next scheduled sync would delete if it ran now with what is typed. */
export function Retention({ keep, drawn }: RetentionProps) {
  const text = keep.draft.value.trim();
  const isWrong = draftProblem(keep.path, keep.field, text) !== null;
  const path = isWrong ? null : (`/api/retention/preview?${new URLSearchParams({ keep: text })}` as const);
  const { answer: preview, isStale } = useAsked(path, drawn);
  return (
    <p class={`says retention-says${isStale ? " stale" : ""}`} id={`${keep.id}-says`} role="status" aria-busy={isStale}>
      {!isWrong && preview.valid && <Deleted {...preview} />}
    </p>
  );
}

function Deleted({ cutoff, dry_run, recordings, bytes }: Extract<RetentionPreview, { valid: true }>) {
  if (cutoff === null) return <b>Nothing is deleted.</b>;
  // A date stands for itself: it is the camera's own.
  const from = <span>Kept is what was recorded from {formatDate(Date.parse(cutoff), "UTC")} on.</span>;
  if (recordings === null) return <>The recordings folder is not there, so nothing can be counted.{from}</>;
  if (recordings === 0)
    return (
      <>
        <b>Nothing is deleted at the next run.</b>
        {from}
      </>
    );
  const what = counted(recordings, "recording") + (bytes === null ? "" : `, ${formatBytes(bytes)},`);
  return (
    <>
      <b>{dry_run ? `Dry run: ${what} would be named, not deleted.` : `${what} would be deleted at the next run.`}</b>
      {from}
    </>
  );
}
