/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { OffsiteState } from "../../../server/domain/offsite/offsite_schema.ts";
import { offsiteInWords, offsiteLine } from "../../../server/domain/offsite/offsite_text.ts";
import { counted, formatBytes } from "../../../server/domain/text/format.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import { Icon } from "../../parts/icon.tsx";
import { Note } from "../../parts/note.tsx";
import { isFound } from "../entry.ts";
import type { PartProps } from "../later_place.tsx";
import { timeInWords } from "../time_in_words.ts";
import { useSectionState } from "../use_section_state.ts";

const EVERY_MS = { off: 10_000, idle: 10_000, sending: 2000, waiting: 5000, problem: 5000 } as const;

/** The state of the copies, and the ways to try and to compare at once; nothing while no address is saved. */
export function Copies({ shared, drawn }: PartProps) {
  const { at, entries, query } = shared;
  const state = useSectionState(shared, {
    section: "offsite",
    isOn: at("offsite", "endpoint").saved.value !== "",
    request: "GET /api/offsite",
    drawn: drawn.offsite,
    everyMs: EVERY_MS,
  });
  const isPending = useSignal(false);
  const mine = entries.filter(({ section }) => section.name === "offsite");
  const isEncrypted = at("offsite", "passphrase").saved.value !== "";
  const ask = async (what: "check" | "compare") => {
    if (isPending.value) return;
    isPending.value = true;
    try {
      state.value = await send<OffsiteState>(`POST /api/offsite/${what}`);
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
    isPending.value = false;
  };
  const { value: now } = state;
  const timeOf = (time: string | undefined | null) => (time ? timeInWords(time, { shared, drawn }) : "");
  const words = offsiteInWords(now, { last: timeOf(now.last), since: timeOf(now.problem?.since) });
  const schedule = shared.runs.value;
  const thisYear = new Date(schedule.valid ? schedule.now : drawn.now).getUTCFullYear();
  const about = { thisYear, format: shared.format, from: at("offsite", "from").saved.value };
  const lines = now.files.map((file) => ({
    key: `${file.camera} ${file.name} ${file.state}`,
    line: offsiteLine(file, about),
  }));
  if (words === null || !mine.some((entry) => isFound(entry, query.value))) return <div role="status" hidden />;
  return (
    <>
      <div role="status">
        <Note level={words.level} title={words.title} class="group-lead">
          <p>{words.text}</p>
        </Note>
      </div>
      <div class="cluster cluster-half">
        <Cell label="There" amount={now.sent} says={`${formatBytes(now.bytes)} in the bucket`} />
        <Cell label="Waits" amount={now.waiting} says={formatBytes(now.waiting.bytes)} />
        <Cell label="Refused" amount={now.refused} says={formatBytes(now.refused.bytes)} />
        <div class="cell cell-s">
          <p class="label">Encrypted</p>
          <p class="big">{isEncrypted ? "Yes" : "No"}</p>
          <p class="small quiet">
            {!isEncrypted
              ? "The provider can see all"
              : at("offsite", "passphrase_noted").saved.value === "true"
                ? "With your passphrase"
                : "Write the passphrase down"}
          </p>
        </div>
      </div>
      <div class="sub">
        {lines.length > 0 && <h3>What waits</h3>}
        {lines.length > 0 && (
          <ol class="checks">
            {lines.map(({ key, line: { level, name, amount, text, percent } }) => (
              <li key={key} class={`is-file is-${level}`}>
                <Icon name={`s-${level}`} />
                <b>{name}</b>
                <span class="fig">{amount}</span>
                <span class="find">
                  {text} {level === "failed" && <a href="/help/offsite#when-something-is-refused">What to do</a>}
                  {percent !== null && (
                    <progress class="gauge gauge-thin is-busy" max={100} value={percent} aria-label={name}>
                      {percent} %
                    </progress>
                  )}
                </span>
              </li>
            ))}
          </ol>
        )}
        <div class="row">
          <button class="b" type="button" data-action="offsite-check" disabled={isPending} onClick={() => ask("check")}>
            Try now
          </button>
          <button
            class="b"
            type="button"
            data-action="offsite-compare"
            disabled={isPending}
            onClick={() => ask("compare")}
          >
            Compare with the bucket
          </button>
        </div>
      </div>
    </>
  );
}

interface CellProps {
  readonly label: string;
  readonly amount: { readonly recordings: number };
  readonly says: string;
}

function Cell({ label, amount, says }: CellProps) {
  const [count = "", unit = ""] = counted(amount.recordings, "recording").split("\u00a0");
  return (
    <div class="cell cell-s">
      <p class="label">{label}</p>
      <p class="big">
        {count} <small>{unit}</small>
      </p>
      <p class="small quiet">{says}</p>
    </div>
  );
}
