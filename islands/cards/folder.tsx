/** @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import { GUIDE_PLACES } from "../../server/domain/guide/places.ts";
import { isAcceptable } from "../../server/domain/status/destination_state.ts";
import { foundInWords, knownAt, wasThere } from "../../server/domain/status/last_known.ts";
import type { DestinationAnswer } from "../../server/domain/status/status_schema.ts";
import { counted, formatBytes } from "../../server/domain/text/format.ts";
import type { CardTime } from "../../server/domain/text/zone_time.ts";
import type { Polled } from "../parts/cell.tsx";
import { Figure, KnownAt } from "../parts/figure.tsx";
import { Reading } from "../parts/reading.tsx";
import { State } from "../parts/state.tsx";

export interface FolderProps extends CardTime, Polled {
  readonly folder: DestinationAnswer;
}

/**
 * Last known state of a recordings folder that is not available, and the remedy. Nothing is shown while the folder is
 * available.
 */
export function FolderCard({ folder, poll, ...moment }: FolderProps) {
  const { standing, path, last_known: known, found } = folder;
  const polled = poll && { "data-poll": poll.path, "data-every": poll.every };
  if (!isAcceptable(standing))
    return <section id="folder-card" aria-label="The recordings folder" hidden {...polled} />;
  const before = (words: string | null) =>
    words !== null && known !== null && `${words} at ${knownAt(known.at, moment)}`;
  const amount = (count: number | null | undefined) =>
    before(count === null || count === undefined ? null : counted(count, "recording"));
  return (
    <section class="folder-gone" id="folder-card" aria-label="The recordings folder" {...polled}>
      <dl class="readings">
        <Reading name="On the camera">
          {folder.on_camera === null ? (
            <span class="unknown">not known</span>
          ) : (
            <Figure text={counted(folder.on_camera, "recording")} />
          )}
        </Reading>
        <NotKnown name="Here">{amount(known?.recordings)}</NotKnown>
        <NotKnown name="Only on the camera">{amount(known?.waiting)}</NotKnown>
        <NotKnown name="Free">
          {before(known?.available_bytes == null ? null : formatBytes(known.available_bytes))}
        </NotKnown>
        <NotKnown name="Protected">{amount(known?.kept)}</NotKnown>
        <NotKnown name="In the trash">{amount(known?.trash_recordings)}</NotKnown>
      </dl>
      <div class="cluster cluster-2">
        <section class="cell" aria-labelledby="folder-missing">
          <div class="cell-head">
            <h2 id="folder-missing">What is missing</h2>
            <State level="failed" word="Not available" />
          </div>
          <dl class="facts facts-wide">
            <dt>Folder</dt>
            <dd class="mono">{path}</dd>
            {known !== null && (
              <>
                <dt>Expected</dt>
                <dd>{wasThere(known, moment)}</dd>
              </>
            )}
            <dt>Found</dt>
            <dd>{foundInWords(found)}</dd>
          </dl>
        </section>
        <section class="cell" aria-labelledby="folder-do">
          <div class="cell-head">
            <h2 id="folder-do">What to do</h2>
          </div>
          <ol class="folder-steps">
            <li>
              <b class="strong">Look at the disk.</b> Is it on, and is its cable in?
            </li>
            <li>
              <b class="strong">Mount the disk again.</b> On a NAS, open the volume in its storage page.
            </li>
            <li>
              <b class="strong">Wait half a minute.</b> Dashdock sees the folder by itself and goes on.
            </li>
          </ol>
          <p class="cell-foot">
            A container may have to be restarted after the disk is back. <a href={GUIDE_PLACES.folder}>Help</a>
          </p>
        </section>
      </div>
    </section>
  );
}

function NotKnown({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <Reading name={name}>
      <span class="unknown">not known</span>
      {children !== false && <KnownAt>{children}</KnownAt>}
    </Reading>
  );
}
