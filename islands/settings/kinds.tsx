/** @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import { GUIDE_PLACES } from "../../server/domain/guide/places.ts";
import { DIRECTIONS, TYPES } from "../../server/domain/recordings/recording_codes.ts";
import {
  hasCamera,
  hasKind,
  leftOut,
  type Selection,
  turnCamera,
  turnKind,
} from "../../server/domain/recordings/selection_choices.ts";
import { upperCode } from "../../server/domain/recordings/upper_code.ts";
import { linesOf } from "../../server/domain/settings/form_values.ts";
import { counted, formatCount } from "../../server/domain/text/format.ts";
import { Icon } from "../parts/icon.tsx";
import { lookOfType, typeInWords } from "../parts/recording_type.tsx";
import { hasWords } from "./entry.ts";
import type { PartProps } from "./later_place.tsx";

/** The kinds and cameras that are always offered; the others when the camera has them, or with "More kinds". */
const USUAL_KINDS = "NEMP";
const USUAL_CAMERAS = "FRI";

/** Choice of recordings to download, by kind and by camera. */
export function Kinds({ shared, drawn: { listed } }: PartProps) {
  const { at, change, query, wake } = shared;
  const include = at("sync", "include");
  const exclude = at("sync", "exclude");
  const isOpen = useSignal(false);
  const codes = (text: string) => linesOf(text).map(upperCode);
  const selection: Selection = { include: codes(include.draft.value), exclude: codes(exclude.draft.value) };
  const take = (next: Selection) => {
    change(include, next.include.join("\n"));
    change(exclude, next.exclude.join("\n"));
    // The lists of codes show the same.
    wake("codes").catch(() => {});
  };
  const isListed = (letter: string, place: 0 | 1) => Object.keys(listed).some((code) => code[place] === letter);
  const kinds = Object.keys(TYPES).sort((one, other) => rank(one) - rank(other));
  const shown = kinds.filter((kind) => isOpen.value || USUAL_KINDS.includes(kind) || !hasKind(selection, kind));
  const cameras = Object.entries(DIRECTIONS).filter(
    ([camera]) => USUAL_CAMERAS.includes(camera) || isListed(camera, 1) || !hasCamera(selection, camera),
  );
  const all = Object.values(listed).reduce((sum, count) => sum + count, 0);
  const has = Object.entries(DIRECTIONS).filter(([camera]) => isListed(camera, 1));
  const hidden = !hasWords(`what to download kinds cameras ${kinds.map(typeInWords).join(" ")}`, query.value);
  return (
    <>
      <div class={`field${include.isChanged.value || exclude.isChanged.value ? " changed" : ""}`} hidden={hidden}>
        <div class="field-name">
          <span class="lab" id="kinds-label">
            Kinds
          </span>
          <p>
            <a href={GUIDE_PLACES.kinds} aria-label="Help: Kinds">
              Help
            </a>
          </p>
        </div>
        <div>
          <div class="chips" role="group" aria-labelledby="kinds-label" aria-describedby="kinds-says">
            {shown.map((kind) => {
              const [look, icon] = lookOfType(kind);
              const isOn = hasKind(selection, kind);
              return (
                <button
                  key={kind}
                  class={`chip ${look}`}
                  type="button"
                  aria-pressed={isOn}
                  onClick={() => take(turnKind(selection, kind, !isOn))}
                >
                  <Icon name={isOn ? "i-check" : icon} />
                  {typeInWords(kind)}
                </button>
              );
            })}
            <button
              class="chip chip-more"
              type="button"
              aria-expanded={isOpen.value}
              onClick={() => {
                isOpen.value = !isOpen.value;
              }}
            >
              {isOpen.value ? "Fewer kinds" : "More kinds"}
            </button>
          </div>
          <p class="says" id="kinds-says" role="status">
            {all > 0 && (
              <>
                <b>
                  {formatCount(leftOut(selection, listed))} of {counted(all, "recording")}
                </b>{" "}
                on the camera are left out.
              </>
            )}
          </p>
        </div>
      </div>
      <div class={`field${exclude.isChanged.value ? " changed" : ""}`} hidden={hidden}>
        <div class="field-name">
          <span class="lab" id="cameras-label">
            Cameras
          </span>
        </div>
        <div>
          <div class="chips" role="group" aria-labelledby="cameras-label">
            {cameras.map(([camera, words]) => {
              const isOn = hasCamera(selection, camera);
              return (
                <button
                  key={camera}
                  class="chip"
                  type="button"
                  aria-pressed={isOn}
                  onClick={() => take(turnCamera(selection, camera, !isOn))}
                >
                  <Icon name={isOn ? "i-check" : "i-camera"} />
                  {words}
                </button>
              );
            })}
          </div>
          <p class="says">
            {has.length > 0 && `Your camera has ${has.map(([, words]) => words.toLowerCase()).join(" and ")}.`}
          </p>
        </div>
      </div>
    </>
  );
}

/** The usual kinds come first, in their own order. */
function rank(kind: string): number {
  const at = USUAL_KINDS.indexOf(kind);
  return at < 0 ? USUAL_KINDS.length : at;
}
