import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SectionName } from "../../server/domain/settings/settings.ts";
import { send } from "../browser/client.ts";
import { refreshWhileVisible } from "../browser/refresh_while_visible.ts";
import type { PartProps } from "./later_place.tsx";

interface SectionState<S extends string, T extends { readonly state: S | "off" }> {
  readonly section: SectionName;
  /** True while what is saved switches it on. */
  readonly isOn: boolean;
  readonly request: `GET /api/${string}`;
  readonly drawn: T;
  /** Time between two questions in each state. */
  readonly everyMs: Readonly<Record<S | "off", number>>;
}

/** The state of what a section switches on, asked for again and again while it is on, and at once when it was saved. */
export function useSectionState<S extends string, T extends { readonly state: S | "off" }>(
  { entries }: PartProps["shared"],
  { section, isOn, request, drawn, everyMs }: SectionState<S, T>,
): Signal<T> {
  const state = useSignal(drawn);
  const mine = entries.filter((entry) => entry.section.name === section);
  useEffect(() => {
    // After a change the state of before may still be told once.
    const isOver = () => !isOn && state.value.state === "off";
    if (isOver()) return;
    const refresher = refreshWhileVisible({
      page: document,
      everyMs: () => (isOver() ? null : everyMs[state.value.state]),
      firstMs: 500,
      ask: (signal) => send<T>(request, undefined, signal),
      show: (fresh) => {
        state.value = fresh;
      },
    });
    return () => refresher.stop();
  }, [mine.map(({ saved }) => saved.value).join("\n")]);
  return state;
}
