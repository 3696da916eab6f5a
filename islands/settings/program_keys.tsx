/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { LONGEST_KEY_NAME, type Scope } from "../../server/domain/keys/access_key.ts";
import type { ListedKey, MadeKey } from "../../server/domain/keys/key_schema.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { copyText } from "../browser/copy_text.ts";
import { showToast } from "../browser/toast.ts";
import { Icon } from "../parts/icon.tsx";
import { hasWords } from "./entry.ts";
import type { PartProps } from "./later_place.tsx";

const SCOPES: readonly { readonly scope: Scope; readonly words: string }[] = [
  { scope: "read", words: "Read everything but recordings" },
  { scope: "recordings", words: "Read everything and load recordings" },
  { scope: "sync", words: "Read, and start and stop syncs" },
  { scope: "metrics", words: "Read the figures for Prometheus" },
];

/** The keys of programs: made, shown once, listed and revoked. */
export function ProgramKeys({ shared, drawn }: PartProps) {
  const { runs, format } = shared;
  const list = useSignal(drawn.keys);
  const made = useSignal<MadeKey | null>(null);
  const name = useSignal("");
  const scope = useSignal<Scope>("read");
  const problem = useSignal<string | null>(null);
  const isPending = useSignal(false);
  /** The key whose end is asked for. */
  const asked = useSignal<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const { value: known } = runs;
  const zone = new ZoneTime(known.valid ? known.time_zone : "UTC", format);

  const make = async () => {
    if (isPending.value) return;
    if (name.value.trim() === "") {
      problem.value = "Type a name, such as the program that uses the key.";
      field.current?.focus();
      return;
    }
    problem.value = null;
    isPending.value = true;
    try {
      const key = await send<MadeKey>("POST /api/keys", { name: name.value, scope: scope.value });
      made.value = key;
      name.value = "";
      list.value = (await send<{ keys: readonly ListedKey[] }>("GET /api/keys")).keys;
    } catch (error) {
      problem.value = sentenceOfError(error);
    }
    isPending.value = false;
  };
  const revoke = async (id: string) => {
    try {
      await send(`DELETE /api/keys/${id}`);
      if (made.value?.id === id) made.value = null;
      list.value = list.value.filter((one) => one.id !== id);
      showToast(document, "fine", "The key is revoked.");
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
    asked.value = null;
  };
  return (
    <div class="field" id="keys" hidden={!hasWords("keys for programs", shared.query.value)}>
      <div class="field-name">
        <span class="lab" id="keys-label">
          Keys for programs
        </span>
        <p>For scripts, widgets and collectors. A key opens no page and changes no setting.</p>
      </div>
      <div role="group" aria-labelledby="keys-label">
        {list.value.length > 0 && (
          <ul class="browsers key-list">
            {list.value.map((key) => (
              <li key={key.id} data-key={key.id}>
                <Icon name="i-key" />
                <p>
                  <b>{key.name}</b>
                  <span class="small soft">
                    {SCOPES.find((one) => one.scope === key.scope)?.words} · <code>{key.hint}</code>
                  </span>
                  <span class="small soft">{usedWords(key, zone, drawn.now)}</span>
                </p>
                {asked.value === key.id ? (
                  <div class="row key-ask" role="group" aria-label={`Revoke the key ${key.name}?`}>
                    <button class="b b-keep" type="button" onClick={() => (asked.value = null)}>
                      Keep
                    </button>
                    <button class="b b-danger b-fill" type="button" onClick={() => void revoke(key.id)}>
                      Revoke
                    </button>
                  </div>
                ) : (
                  <button
                    class="b b-quiet"
                    type="button"
                    aria-label={`Revoke the key ${key.name}…`}
                    onClick={() => (asked.value = key.id)}
                  >
                    Revoke…
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {made.value !== null && <NewKey made={made.value} />}
        <div class="key-make">
          <label for="key-name">Name</label>
          <input
            class="in in-narrow"
            id="key-name"
            type="text"
            autocomplete="off"
            maxLength={LONGEST_KEY_NAME}
            placeholder="Home Assistant"
            value={name.value}
            ref={field}
            aria-describedby={problem.value === null ? undefined : "key-problem"}
            aria-invalid={problem.value !== null || undefined}
            onInput={(event) => (name.value = event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
              // The form around it would save the settings.
              event.preventDefault();
              event.stopPropagation();
              void make();
            }}
          />
          <label for="key-scope">It may</label>
          <select
            class="in in-narrow"
            id="key-scope"
            onInput={(event) => (scope.value = event.currentTarget.value as Scope)}
          >
            {SCOPES.map((one) => (
              <option key={one.scope} value={one.scope} selected={one.scope === scope.value}>
                {one.words}
              </option>
            ))}
          </select>
          <button class="b" type="button" aria-busy={isPending.value || undefined} onClick={() => void make()}>
            Make a key
          </button>
        </div>
        {problem.value !== null && (
          <p class="error" id="key-problem" role="alert">
            <Icon name="s-failed" />
            {problem.value}
          </p>
        )}
        <p class="field-meta">
          <a href="/help/api#keys">How to use a key</a>
        </p>
      </div>
    </div>
  );
}

/** The key that was just made. No other page shows it again. */
function NewKey({ made }: { readonly made: MadeKey }) {
  const isCopied = useSignal(false);
  const copy = async () => {
    isCopied.value = await copyText(document, made.key);
    if (!isCopied.value)
      showToast(document, "failed", "The browser did not copy it. Mark the key and copy it yourself.");
  };
  return (
    <div class="key-new" role="status">
      <p>
        <b class="strong">The key “{made.name}”.</b> Copy it now: it is shown only this once.
      </p>
      <code class="key-text" id="key-made">
        {made.key}
      </code>
      <button class="b b-primary" type="button" onClick={() => void copy()}>
        <Icon name={isCopied.value ? "s-fine" : "i-copy"} />
        {isCopied.value ? "Copied" : "Copy the key"}
      </button>
    </div>
  );
}

function usedWords({ last_used: used, last_from: from }: ListedKey, zone: ZoneTime, now: number): string {
  if (used === null) return "Never used";
  return `Last used ${zone.moment(Date.parse(used), now)}${from === null ? "" : ` from ${from}`}`;
}
