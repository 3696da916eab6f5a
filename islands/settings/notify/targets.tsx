/** @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { NotifyState } from "../../../server/domain/notify/notify_schema.ts";
import { EXAMPLES, LEARNS } from "../../../server/domain/notify/told_text.ts";
import { linesOf } from "../../../server/domain/settings/form_values.ts";
import {
  isTargetKind,
  MOST_TARGETS,
  shownTarget,
  TARGET_KINDS,
  type TargetKind,
  targetProblem,
} from "../../../server/domain/settings/notify_address.ts";
import { pastedTarget } from "../../../server/domain/settings/pasted_target.ts";
import { asSentence } from "../../../server/domain/text/format.ts";
import { Icon } from "../../parts/icon.tsx";
import type { Entry } from "../entry.ts";
import { describe } from "../input.ts";
import type { PartProps } from "../later_place.tsx";
import { Facts, Problems } from "../setting.tsx";
import { Target } from "./target.tsx";

interface TargetsProps extends PartProps {
  readonly entry: Entry;
  readonly state: Signal<NotifyState>;
}

const KINDS = Object.keys(TARGET_KINDS).filter(isTargetKind);

/** The services that are told: each with its last answer, a test and its address, and a line to add one. */
export function Targets({ entry, state, shared, drawn }: TargetsProps) {
  const { change } = shared;
  const lines = linesOf(entry.draft.value);
  const left = [...state.value.targets];
  const isSaved = new Set(linesOf(entry.saved.value));
  const put = (list: readonly string[]) => change(entry, list.join("\n"));
  return (
    <>
      <h3 id={`${entry.id}-label`}>{entry.field.label}</h3>
      <input type="hidden" name={entry.field.name} value={entry.draft.value} />
      {lines.length > 0 && (
        <ul class="targets">
          {lines.map((line, at) => {
            const shown = shownTarget(line);
            const place = isSaved.has(line) ? left.findIndex(({ address }) => address === shown) : -1;
            const [known = null] = place < 0 ? [] : left.splice(place, 1);
            return (
              <Target
                // A line that is typed in stays the same row.
                key={at}
                line={line}
                known={known}
                state={state}
                shared={shared}
                drawn={drawn}
                replace={(text) => put(lines.flatMap((other, of) => (of === at ? linesOf(text) : [other])))}
              />
            );
          })}
        </ul>
      )}
      <AddTarget entry={entry} isFull={lines.length >= MOST_TARGETS} add={(line) => put([...lines, line])} />
      <Problems entry={entry} />
      <Facts entry={entry} change={change} isBrief={true} />
    </>
  );
}

interface AddProps {
  readonly entry: Entry;
  readonly isFull: boolean;
  readonly add: (line: string) => void;
}

/** A service is chosen, and its address typed or pasted as the service shows it. */
function AddTarget({ entry, isFull, add }: AddProps) {
  const kind = useSignal<TargetKind>("ntfy");
  const problem = useSignal<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const enter = () => {
    const field = input.current;
    if (field === null) return;
    const line = pastedTarget(kind.value, field.value);
    problem.value = line === "" ? "Write an address first." : sentence(targetProblem(line));
    if (problem.value !== null) return field.focus();
    field.value = "";
    add(line);
  };
  return (
    <>
      <div class="tg-add">
        <select
          class="in"
          aria-label="Kind of service"
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (isTargetKind(value)) kind.value = value;
            problem.value = null;
          }}
        >
          {KINDS.map((one) => (
            <option key={one} value={one} selected={one === kind.value}>
              {TARGET_KINDS[one]}
            </option>
          ))}
        </select>
        <input
          class="in mono"
          id={entry.id}
          ref={input}
          type="text"
          inputMode="url"
          aria-label="Address of the service"
          aria-describedby={`${describe(entry)} ${entry.id}-learns`}
          aria-invalid={problem.value !== null || undefined}
          placeholder={EXAMPLES[kind.value]}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          disabled={isFull}
          onInput={() => {
            problem.value = null;
          }}
          onKeyDown={(event) => {
            // Enter adds what is typed here; the form is saved by its own button.
            if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.currentTarget.value === "") return;
            event.preventDefault();
            event.stopPropagation();
            enter();
          }}
        />
        <button class="b" type="button" data-action="add-target" disabled={isFull} onClick={enter}>
          <Icon name="i-plus" />
          Add
        </button>
      </div>
      {problem.value !== null && (
        <p class="error" role="alert">
          <Icon name="s-failed" />
          {problem.value}
        </p>
      )}
      <p class="says" id={`${entry.id}-learns`}>
        {LEARNS[kind.value]}
      </p>
      <p class="says" id={`${entry.id}-help`}>
        What is secret in an address is shown as dots once it is saved.
      </p>
    </>
  );
}

function sentence(problem: string | null): string | null {
  return problem && asSentence(problem);
}
