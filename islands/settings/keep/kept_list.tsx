/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { clipName } from "../../../server/domain/recordings/camera_clock.ts";
import { amountInWords, type KeptRecording } from "../../../server/domain/retention/deletion.ts";
import { counted, formatBytes, formatCount } from "../../../server/domain/text/format.ts";
import { viewerPath } from "../../../server/domain/viewer/viewer_address.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import { Icon } from "../../parts/icon.tsx";
import { lookOfType, RecordingType } from "../../parts/recording_type.tsx";
import { refreshConsent } from "./refresh.ts";
import type { KeepState } from "./shared.ts";

/** Recordings that are marked as kept: the newest few, and a link to all of them. */
export function KeptRows({ keep }: { readonly keep: KeepState }) {
  const { kept } = keep.standing.value;
  const { entries, count, amount } = kept;
  if (count === 0)
    return (
      <p>
        Nothing is marked as kept. The bookmark in the <a href="/viewer">viewer</a>, or the key <kbd>B</kbd>, keeps a
        clip for as long as you like.
      </p>
    );
  return (
    <>
      <p>{amountInWords(amount)}. They count for the limits but are not touched by them.</p>
      <ul class="keptlist" aria-labelledby="kept-title">
        {entries.map((entry) => (
          <KeptRow key={entry.key} entry={entry} keep={keep} />
        ))}
      </ul>
      <div class="row list-end">
        <a class="b" href="/viewer?only=kept">
          {count === 1 ? "See it in the viewer" : `All ${formatCount(count)} in the viewer`}
        </a>
        <button
          class="b b-danger"
          type="button"
          aria-haspopup="dialog"
          onClick={async () => {
            await keep.wake("dialogs");
            keep.dialog.value = { kind: "unmark" };
          }}
        >
          Remove all marks…
        </button>
      </div>
    </>
  );
}

function KeptRow({ entry, keep }: { readonly entry: KeptRecording; readonly keep: KeepState }) {
  const { key, kept, recordings, bytes, thumb } = entry;
  const [look, icon] = lookOfType(key.at(-1) ?? "");
  const isPending = useSignal(false);
  const runs = keep.runs.value;
  const thisYear = new Date(runs.valid ? runs.now : kept.at).getUTCFullYear();
  const name = clipName(key, thisYear, keep.format);
  const letGo = async () => {
    if (isPending.value) return;
    isPending.value = true;
    try {
      await send(`DELETE /api/recordings/${encodeURIComponent(key)}/keep`);
    } catch (error) {
      isPending.value = false;
      showToast(document, "failed", sentenceOfError(error));
      return;
    }
    // The row goes, and with it the button that has the focus.
    document.getElementById("kept-title")?.focus({ preventScroll: true });
    takeOut(keep, entry);
    void refreshConsent(keep);
    showToast(document, "fine", `${name} is no longer kept.`, {
      label: "Undo",
      run: () => void keepAgain(keep, entry),
    });
  };
  return (
    <li>
      <a class={`shot ${look}`} href={viewerPath(key)} aria-label={`${name}, in the viewer`}>
        <Icon name={icon} class="i shot-kind" />
        {thumb !== null && <img src={thumb} alt="" loading="lazy" />}
      </a>
      <div>
        <p>
          <b>{name}</b> <RecordingType letter={key.at(-1) ?? ""} />
        </p>
        {kept.note !== null && <p class="soft">{kept.note}</p>}
      </div>
      <span class="quiet nowrap">
        {counted(recordings, "camera")}
        {bytes !== null && `, ${formatBytes(bytes)}`}
      </span>
      <button
        class="b b-icon"
        type="button"
        aria-pressed="true"
        aria-busy={isPending.value}
        title="Protected. Press to remove the protection"
        aria-label={`Kept: ${name}. Press to remove the protection`}
        onClick={() => void letGo()}
      >
        <Icon name="i-kept" />
      </button>
    </li>
  );
}

/** Takes out the row and counts it; the sum of bytes comes with the next refresh. */
function takeOut({ standing }: KeepState, { key }: KeptRecording): void {
  const { kept } = standing.value;
  const entries = kept.entries.filter((one) => one.key !== key);
  standing.value = { ...standing.value, kept: { ...kept, entries, count: kept.count - 1 } };
}

async function keepAgain(keep: KeepState, { key, kept }: KeptRecording): Promise<void> {
  try {
    await send(`PUT /api/recordings/${encodeURIComponent(key)}/keep`, { note: kept.note });
    await refreshConsent(keep);
  } catch (error) {
    showToast(document, "failed", sentenceOfError(error));
  }
}
