/** @jsxImportSource preact */
import { counted } from "../../server/domain/text/format.ts";
import { Icon } from "../parts/icon.tsx";
import type { PartProps } from "./later_place.tsx";

/** Number of unsaved changes, with buttons for them; without changes, the values that wait for a restart. */
export function SaveBar({ shared }: PartProps) {
  const { entries, discard } = shared;
  const trouble = shared.trouble.value;
  const deletes = shared.deletes.value;
  const changed = entries.filter(({ isChanged }) => isChanged.value);
  const wrong = entries.filter(({ problem }) => problem.value !== null).length;
  const awaiting = entries.filter(({ awaitsRestart }) => awaitsRestart.value);
  const words = changed.length === 0 ? "" : "There are unsaved changes.";
  return (
    <>
      <p class="sr" role="status">
        {words}
      </p>
      {changed.length > 0 ? (
        <div
          class={`savebar is-${trouble === null ? "attention" : "failed"}`}
          role="region"
          aria-label="Unsaved changes"
        >
          <Icon name={trouble === null ? "s-attention" : "s-failed"} />
          <span>
            <b class="strong">{counted(changed.length, "unsaved change")}</b>{" "}
            <span class="soft">
              <span class="where">in {[...new Set(changed.map(({ group }) => group))].join(", ")}</span>
              {deletes !== "" && <> · {deletes}</>}
              {wrong > 0 && ` · ${counted(wrong, "field")} to correct`}
            </span>
            {shared.isSignedOut.value && (
              <span class="signed-out" role="alert">
                You were signed out. Your changes are still here:{" "}
                <a href="/login" target="_blank" rel="noopener">
                  sign in in a new tab
                </a>
                , then save.
              </span>
            )}
            {trouble !== null && (
              <span class="trouble" role="alert">
                {trouble}
              </span>
            )}
          </span>
          <div class="row">
            <button class="b b-quiet" type="button" onClick={discard}>
              Discard
            </button>
            <button class="b b-primary" type="submit" aria-busy={shared.isSaving.value}>
              Save {counted(changed.length, "change")}
            </button>
          </div>
        </div>
      ) : (
        awaiting.length > 0 && (
          <div class="savebar is-attention" role="region" aria-label="Restart needed">
            <Icon name="s-attention" />
            <span>
              <b class="strong">Restart needed</b>{" "}
              <span class="soft">
                {awaiting.map(({ field }) => field.label).join(", ")} {awaiting.length === 1 ? "applies" : "apply"}{" "}
                after Dashdock is restarted.
              </span>
            </span>
          </div>
        )
      )}
    </>
  );
}
