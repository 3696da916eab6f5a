/** @jsxImportSource preact */

import { Icon } from "../../islands/parts/icon.tsx";
import { ChangeButton } from "../../islands/parts/may_change.tsx";
import { More } from "../../islands/parts/more.tsx";
import { RecordingType } from "../../islands/parts/recording_type.tsx";
import { State } from "../../islands/parts/state.tsx";
import { GUIDE_PLACES } from "../domain/guide/places.ts";
import { parseArtifact } from "../domain/recordings/recording_name.ts";
import { CHECK_CAMERA } from "../domain/runs/failure_text.ts";
import { filesAsRecordings, spanOfNames } from "../domain/runs/run_causes.ts";
import type { FailedFileNow, FailedList } from "../domain/runs/run_detail.ts";
import { formatCount } from "../domain/text/format.ts";
import type { ZoneTime } from "../domain/text/zone_time.ts";
import { cameraName } from "../domain/viewer/viewer_address.ts";

/** Number of failed files that are shown at once; a link leads to all that are kept. */
export const SHOWN = 50;
/** Number of files of one cause that are shown without being asked for. */
const OPEN = 5;

interface FailedFilesProps {
  readonly id: string;
  /** Before the cause: `failed`, `waiting after an earlier failure`. */
  readonly what: string;
  readonly list: FailedList;
  /** The page with all of them. */
  readonly all: string;
  readonly zone: ZoneTime;
  readonly now: number;
}

/** Files of a run that did not come, one cause in one row, each file as it stands now, with Retry; nothing where there are none. */
export function FailedFiles({ id, what, list: { total, by_cause, files }, all, zone, now }: FailedFilesProps) {
  if (total === 0) return null;
  const groups = by_cause.map((cause) => ({
    ...cause,
    shown: files.filter(({ sentence }) => sentence === cause.sentence),
  }));
  return (
    <>
      {groups.length === 0 && (
        <li class="cause is-failed" id={id} tabindex={-1}>
          <div class="cause-head">
            <Icon name="s-failed" />
            <h3>
              {formatCount(total)} {what}
            </h3>
            <p>Their names are not kept any more.</p>
          </div>
        </li>
      )}
      {groups.map((group, at) => {
        const open = group.shown.filter(isOpen);
        // A retry of shown files only would not match the row's number; the head tries all again.
        const isRetried = open.length > 1 && (groups.length === 1 || group.shown.length === group.files);
        const isOfCamera = open.some(({ reason }) => reason !== "disk" && reason !== "unknown");
        return (
          <li key={group.sentence} class="cause is-failed" id={at === 0 ? id : undefined} tabindex={-1}>
            <div class="cause-head">
              <Icon name="s-failed" />
              <h3>
                {filesAsRecordings(group)} {what}{" "}
                <small>{spanOfNames(group.from, group.to, zone.wall(now).year, zone.format)}</small>
              </h3>
              <p>
                {group.sentence}
                {group.first_at !== null &&
                  group.last_at !== null &&
                  ` ${failedAt(group.first_at, group.last_at, zone)}`}
              </p>
              <div class="cause-do">
                {isRetried && groups.length === 1 && (
                  <ChangeButton class="b" type="submit" name="all" value="1">
                    <Icon name="i-sync" />
                    Retry all
                  </ChangeButton>
                )}
                {isRetried && groups.length > 1 && (
                  <ChangeButton class="b" type="submit" name="files" value={open.map(({ name }) => name).join(",")}>
                    <Icon name="i-sync" />
                    Retry {formatCount(open.length)}
                  </ChangeButton>
                )}
                {isOfCamera && (
                  <a class="b b-quiet" href={CHECK_CAMERA.href}>
                    {CHECK_CAMERA.label}
                  </a>
                )}
                <a class="b b-quiet" href={GUIDE_PLACES.failed}>
                  Help
                </a>
              </div>
            </div>
            {group.shown.length > 0 && (
              <details class="cause-names" open={group.files <= OPEN}>
                <summary>Show these files and their state</summary>
                <ul class="run-files">
                  {group.shown.map((file) => (
                    <FailedFile key={file.name} file={file} zone={zone} now={now} />
                  ))}
                </ul>
              </details>
            )}
          </li>
        );
      })}
      {files.length > 0 && files.length < total && (
        <li class="cause">
          <p class="small quiet">
            The first {formatCount(files.length)} of {formatCount(total)}.{" "}
            {files.length <= SHOWN && <a href={all}>Show all that are kept</a>}
          </p>
        </li>
      )}
    </>
  );
}

/** `Failed at 21:31:07.`, `Failed from 21:31:07 to 21:48:52.` */
function failedAt(from: number, to: number, zone: ZoneTime): string {
  const first = zone.exactClock(from);
  const last = zone.exactClock(to);
  return first === last ? `Failed at ${first}.` : `Failed from ${first} to ${last}.`;
}

/** It can be tried again. */
export function isOpen({ standing }: FailedFileNow): boolean {
  return standing !== "home" && standing !== "deleted" && standing !== "trying";
}

function FailedFile({ file, zone, now }: { readonly file: FailedFileNow } & Pick<FailedFilesProps, "zone" | "now">) {
  const { name, sentence } = file;
  return (
    <li id={`file-${name}`}>
      <div>
        <p class="mono">{name}</p>
        <p class="small soft">
          <KindAndCamera name={name} /> {sentence}
        </p>
        <More text={file.more} />
      </div>
      <p class="small">
        {file.standing === "home" ? <State level="fine" word="Is at home now" /> : when(file, zone, now)}
      </p>
      {isOpen(file) && (
        <ChangeButton class="b" type="submit" name="file" value={name} aria-label={`Retry ${name}`}>
          Retry
        </ChangeButton>
      )}
    </li>
  );
}
/** Explains the letters in a file's name: the kind of recording, and its camera if the file belongs to one. */
function KindAndCamera({ name }: { readonly name: string }) {
  const { type, direction } = parseArtifact(name) ?? {};
  if (type === undefined) return null;
  return (
    <>
      <RecordingType letter={type} />
      {direction && ` ${cameraName(direction)}`} ·
    </>
  );
}

/** When it is tried again. */
function when({ standing, retry_at }: FailedFileNow, zone: ZoneTime, now: number): string {
  switch (standing) {
    case "home":
      return "Is at home now";
    case "deleted":
      return "Deleted here, not fetched again";
    case "trying":
      return "Tried by the sync that runs";
    case "waiting":
      return `Tried again after ${zone.moment(retry_at ?? 0, now)}`;
    case "next-run":
      return "Tried again with the next run";
    case "passed":
      return "Not wanted since, or not on the camera any more";
  }
}
