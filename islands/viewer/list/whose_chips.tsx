/** @jsxImportSource preact */
import { ALL_CAMERAS, MAIN_CAMERA, splitKey } from "../../../server/domain/settings/camera_key.ts";
import { formatCount } from "../../../server/domain/text/format.ts";
import { pathOfCamera } from "../../../server/domain/viewer/viewer_address.ts";
import { Icon } from "../../parts/icon.tsx";
import { Plate } from "../../parts/plate.tsx";
import type { Parts } from "../viewer_parts.ts";

/** More cameras than this are a menu: above the list there is no room for a line of each two. */
const MOST_IN_SIGHT = 4;

/**
 * Leads to the clips of one camera, or of all; each with how many clips it has. What is on show stays where it is on that
 * list, and so does what the list is narrowed to. Nothing where there is one camera.
 */
export function WhoseChips({ browsing, list: { whose, totals, recordings } }: Parts<"list" | "browsing">) {
  if (whose === null) return null;
  const clips = totals.clips.value;
  const all = whose.cameras.reduce((sum, { id }) => sum + (clips[id] ?? 0), 0);
  const { key } = browsing;
  const shown = key === null ? null : (splitKey(key).camera ?? MAIN_CAMERA);
  const linkTo = (id: string) => ({
    href: pathOfCamera(id, id === ALL_CAMERAS || id === shown ? key : null, recordings.filter.value),
    "aria-current": (whose.only ?? ALL_CAMERAS) === id ? ("page" as const) : undefined,
  });
  const chips = (
    <>
      <a class="chip vw-all" {...linkTo(ALL_CAMERAS)}>
        All <b>{formatCount(all)}</b>
      </a>
      {whose.cameras.map((camera) => (
        <a key={camera.id} class="chip" title={camera.name} {...linkTo(camera.id)}>
          <Plate camera={camera} />
          <span class="whose-n">{camera.name}</span> <b>{formatCount(clips[camera.id] ?? 0)}</b>
        </a>
      ))}
    </>
  );
  const label = "Whose clips";
  if (whose.cameras.length <= MOST_IN_SIGHT)
    return (
      <nav class="vw-whose" aria-label={label}>
        {chips}
      </nav>
    );
  const only = whose.cameras.find(({ id }) => id === whose.only);
  return (
    <nav aria-label={label}>
      <details class="vw-cars">
        <summary class={only ? "chip is-on" : "chip"}>
          {only ? (
            <>
              <Plate camera={only} />
              <span class="whose-n">{only.name}</span> <b>{formatCount(clips[only.id] ?? 0)}</b>
            </>
          ) : (
            <>
              All {formatCount(whose.cameras.length)} cameras <b>{formatCount(all)}</b>
            </>
          )}
          <Icon name="i-down" class="i i-s" />
        </summary>
        <div class="vw-whose">{chips}</div>
      </details>
    </nav>
  );
}
