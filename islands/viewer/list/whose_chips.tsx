/** @jsxImportSource preact */
import { MAIN_CAMERA, splitKey } from "../../../server/domain/settings/camera_key.ts";
import { formatCount } from "../../../server/domain/text/format.ts";
import { Plate, type PlateCamera } from "../../parts/plate.tsx";
import type { Parts } from "../viewer_parts.ts";
import type { WhoseProps } from "../viewer_props.ts";

/** Leads to the clips of one camera, or of all; each with how many clips it has. Nothing where there is one camera. */
export function WhoseChips({ list: { whose } }: Parts<"list">) {
  if (whose === null) return null;
  const all = whose.cameras.reduce((sum, { clips }) => sum + clips, 0);
  return (
    <nav class="chips vw-whose" aria-label="Whose clips">
      <a class="chip" href="/viewer?camera=all" aria-current={whose.only === null ? "page" : undefined}>
        All <b>{formatCount(all)}</b>
      </a>
      {whose.cameras.map((camera) => (
        <a
          key={camera.id}
          class="chip"
          href={`/viewer?camera=${camera.id}`}
          aria-current={whose.only === camera.id ? "page" : undefined}
        >
          <Plate camera={camera} />
          {camera.name} <b>{formatCount(camera.clips)}</b>
        </a>
      ))}
    </nav>
  );
}

/** The camera of a recording, to be shown beside it; null where all on the page are of one. */
export function whoseOf(whose: WhoseProps | null, key: string): PlateCamera | null {
  if (whose === null) return null;
  const id = splitKey(key).camera ?? MAIN_CAMERA;
  return whose.cameras.find((camera) => camera.id === id) ?? null;
}
