/** @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import type { NotifyState } from "../../../server/domain/notify/notify_schema.ts";
import { failedWord } from "../../../server/domain/notify/told_text.ts";
import { State } from "../../parts/state.tsx";
import type { Entry } from "../entry.ts";
import type { PartProps } from "../later_place.tsx";
import { timeInWords } from "./target.tsx";

interface PingProps extends PartProps {
  readonly entry: Entry;
  readonly state: Signal<NotifyState>;
}

/** Result of the last call of the ping. */
export function Ping({ entry, state, shared, drawn }: PingProps) {
  const { ping } = state.value;
  if (ping === null || entry.isChanged.value) return <p class="says" id={`${entry.id}-says`} />;
  const { at, ok, status, milliseconds } = ping;
  const time = timeInWords(at, { shared, drawn });
  return (
    <p class="says" id={`${entry.id}-says`}>
      <State level={ok ? "fine" : "failed"} word={ok ? `Answered ${time}` : `${failedWord(status)} ${time}`} />{" "}
      {status !== null && (
        <span class="quiet">
          with {status} in {milliseconds} ms
        </span>
      )}
    </p>
  );
}
