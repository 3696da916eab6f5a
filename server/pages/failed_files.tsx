/** @jsxImportSource preact */
import { Icon } from "../../islands/parts/icon.tsx";
import { More } from "../../islands/parts/more.tsx";
import { RecordingType } from "../../islands/parts/recording_type.tsx";
import { State } from "../../islands/parts/state.tsx";
import { parseArtifact } from "../domain/recordings/recording_name.ts";
import type { FailedFileNow, FailedList } from "../domain/runs/run_detail.ts";
import { formatCount } from "../domain/text/format.ts";
import type { ZoneTime } from "../domain/text/zone_time.ts";
import { cameraName } from "../domain/viewer/viewer_address.ts";

/** So many failed files are shown at once; a link leads to all that are kept. */
export const SHOWN = 50;

interface FailedFilesProps {
  readonly id: string;
  readonly title: string;
  readonly list: FailedList;
  /** The page with all of them. */
  readonly all: string;
  readonly zone: ZoneTime;
  readonly now: number;
}

/** Files of a run that did not come home, as they stand now, with Retry; nothing where there are none. */
export function FailedFiles({ id, title, list: { total, files }, all, zone, now }: FailedFilesProps) {
  if (total === 0) return null;
  const open = files.filter(isOpen);
  return (
    <>
      <div class="section-head run-files-head">
        <h3 id={id} tabindex={-1}>
          {title} <span class="quiet">{formatCount(total)}</span>
        </h3>
        {(open.length > 1 || files.length < total) && (
          <button class="b" type="submit" name="all" value="1">
            <Icon name="i-sync" />
            Retry all
          </button>
        )}
      </div>
      {files.length === 0 && <p class="soft">Their names are not kept any more.</p>}
      <ul class="run-files">
        {files.map((file) => (
          <FailedFile key={file.name} file={file} zone={zone} now={now} />
        ))}
      </ul>
      {files.length > 0 && files.length < total && (
        <p class="small quiet">
          The first {formatCount(files.length)} of {formatCount(total)}.{" "}
          {files.length <= SHOWN && <a href={all}>Show all that are kept</a>}
        </p>
      )}
    </>
  );
}

/** It can be tried again. */
function isOpen({ standing }: FailedFileNow): boolean {
  return standing !== "home" && standing !== "deleted" && standing !== "trying";
}

function FailedFile({ file, zone, now }: { readonly file: FailedFileNow } & Pick<FailedFilesProps, "zone" | "now">) {
  const { name, sentence, more } = file;
  return (
    <li id={`file-${name}`}>
      <div>
        <p class="mono">{name}</p>
        <p class="small soft">
          <KindAndCamera name={name} /> {sentence}
        </p>
        <More text={more} />
      </div>
      <p class="small">
        {file.standing === "home" ? <State level="fine" word="Is at home now" /> : when(file, zone, now)}
      </p>
      {isOpen(file) && (
        <button class="b" type="submit" name="file" value={name} aria-label={`Retry ${name}`}>
          Retry
        </button>
      )}
    </li>
  );
}

/** What the letters in a file's name say: the kind of recording, and the camera where it is of one. */
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
