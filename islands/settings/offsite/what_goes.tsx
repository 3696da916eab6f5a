/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OffsiteChoices } from "../../../server/domain/offsite/offsite_schema.ts";
import { counted, formatBytes } from "../../../server/domain/text/format.ts";
import { send } from "../../browser/client.ts";
import { Control } from "../control.tsx";
import { describe } from "../input.ts";
import type { PartProps } from "../later_place.tsx";
import { Setting } from "../setting.tsx";

/** The choice of what goes, with the size of each. */
export function WhatGoes({ shared: { at, query, change } }: PartProps) {
  const sizes = useSignal<OffsiteChoices | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    // Without the sizes the choices are still there.
    send<OffsiteChoices>("GET /api/offsite/choices", undefined, ending.signal).then(
      (found) => {
        sizes.value = found;
      },
      () => {},
    );
    return () => ending.abort();
  }, []);
  const entry = at("offsite", "what");
  const { widget } = entry.field;
  const sized = (value: string, words: string) => {
    const amount = sizes.value?.[value as keyof OffsiteChoices];
    return amount ? `${words}: ${counted(amount.recordings, "recording")}, ${formatBytes(amount.bytes)}` : words;
  };
  const shown =
    widget.kind === "select"
      ? {
          ...entry,
          field: {
            ...entry.field,
            widget: {
              ...widget,
              options: widget.options.map(({ value, words, ...more }) => ({
                ...more,
                value,
                words: sized(value, words),
              })),
            },
          },
        }
      : entry;
  return (
    <Setting
      entry={entry}
      query={query.value}
      change={change}
      control={<Control entry={shown} describedBy={describe(entry)} change={(_, text) => change(entry, text)} />}
    />
  );
}
