/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";
import { Icon } from "../parts/icon.tsx";
import { State } from "../parts/state.tsx";
import type { PartProps } from "./later_place.tsx";

/** The browsers that are signed in; each can be signed out by itself. */
export function Browsers({ shared, drawn }: PartProps) {
  const { at, runs, show, format } = shared;
  const list = useSignal(drawn.browsers);
  const pending = useSignal<string | null>(null);
  const mode = at("auth", "mode").saved.value;
  if (mode !== "login") return <p class="says">No browser is signed in with a password now.</p>;
  const { value: known } = runs;
  const zone = new ZoneTime(known.valid ? known.time_zone : "UTC", format);
  const others = list.value.filter(({ current }) => !current);
  const end = async (ids: readonly string[]) => {
    if (pending.value !== null) return;
    pending.value = ids.length === 1 ? (ids[0] ?? "") : "all";
    try {
      for (const id of ids) {
        await send(`DELETE /api/auth/sessions/${id}`);
        list.value = list.value.filter((one) => one.id !== id);
      }
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
    pending.value = null;
  };
  return (
    <>
      <ul class="browsers">
        {list.value.map(({ id, browser, is_phone: isPhone, address, last_seen_at: seen, current }) => (
          <li key={id}>
            <Icon name={isPhone ? "i-phone" : "i-device"} />
            <p>
              <b>{browser}</b> {current && <State level="fine" word="This browser" />}
              <span class="small soft">
                {address} · {current ? "now" : zone.moment(Date.parse(seen), drawn.now)}
              </span>
            </p>
            {!current && (
              <button
                class="b b-quiet"
                type="button"
                aria-label={`Sign out ${browser}`}
                aria-busy={pending.value === id || undefined}
                onClick={() => void end([id])}
              >
                Sign out
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="row br-do">
        {others.length > 1 && (
          <button
            class="b"
            type="button"
            aria-busy={pending.value === "all" || undefined}
            onClick={() => void end(others.map(({ id }) => id))}
          >
            Sign out the {others.length} others
          </button>
        )}
        <button
          class="b b-quiet"
          type="button"
          id="auth-session_secret"
          data-action="rotate-sessions"
          aria-haspopup="dialog"
          onClick={() => show("sessions")}
        >
          Sign out everywhere…
        </button>
      </div>
    </>
  );
}
