/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { PrivateKind } from "../../server/domain/backup/placeholders.ts";
import type { SupportPart } from "../../server/domain/backup/support_schema.ts";
import { counted, formatBytes } from "../../server/domain/text/format.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { Icon } from "../parts/icon.tsx";
import { FieldProblem } from "../parts/note.tsx";

/** Shows what the file would have, and what of it is replaced, before it is saved. */
export function SupportFile() {
  const files = useSignal<readonly SupportPart[] | null>(null);
  const isPending = useSignal(false);
  const problem = useSignal<string | null>(null);
  const look = async () => {
    if (isPending.value) return;
    isPending.value = true;
    problem.value = null;
    try {
      files.value = (await send<{ files: readonly SupportPart[] }>("GET /api/support?preview=true")).files;
    } catch (error) {
      problem.value = sentenceOfError(error);
    }
    isPending.value = false;
  };
  return (
    <>
      {files.value === null ? (
        <button class="b" type="button" onClick={() => void look()}>
          See what is in it…
        </button>
      ) : (
        <>
          <ul class="news">
            {files.value.map(({ name, bytes, kinds }) => (
              <li key={name}>
                <Icon name="i-check" />
                <span>
                  <code>{name}</code>, {formatBytes(bytes)}: {replacedInWords(kinds)}
                </span>
              </li>
            ))}
          </ul>
          <p>
            <a class="b" href="/api/support" download>
              <Icon name="i-download" />
              Save the support file
            </a>
          </p>
        </>
      )}
      <p class="says" role="status">
        {isPending.value && "Looking for what is private…"}
      </p>
      {problem.value !== null && <FieldProblem id="support-problem" text={problem.value} />}
    </>
  );
}

const WORDS: readonly (readonly [kind: PrivateKind, one: string, many: string])[] = [
  ["secret", "secret", "secrets"],
  ["address", "address", "addresses"],
  ["network", "network name", "network names"],
  ["place", "place", "places"],
  ["name", "name", "names"],
  ["time", "time of a recording", "times of recordings"],
];

/** Counts of what was replaced, in words. */
export function replacedInWords(kinds: SupportPart["kinds"]): string {
  const parts = WORDS.filter(([kind]) => kinds[kind] > 0).map(([kind, one, many]) => counted(kinds[kind], one, many));
  const last = parts.pop();
  if (last === undefined) return "nothing private";
  return `${parts.length === 0 ? last : `${parts.join(", ")} and ${last}`} replaced`;
}
