/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { ReadAt } from "../../server/domain/retention/trash_text.ts";
import { counted } from "../../server/domain/text/format.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { LONG_WAIT_MS, refreshWhileVisible } from "../browser/refresh_while_visible.ts";
import { Head } from "./head.tsx";
import type { RecordedView } from "./recorded_view.ts";
import { Trash } from "./trash.ts";
import type { TrashProps } from "./trash_props.ts";

const REFRESH_MS = 30_000;

/** Contents of the trash, kept up to date while the page is visible. */
export function useTrash(props: TrashProps): { readonly trash: Trash; readonly readAt: ReadAt } {
  const trash = useMemo(() => new Trash(props, { page: globalThis.document, ask: globalThis.fetch }), []);
  useEffect(() => {
    const ask = () => trash.refresh();
    const timing = { everyMs: REFRESH_MS, onReturn: true, waitMs: LONG_WAIT_MS };
    return refreshWhileVisible({ page: document, ...timing, ask }).stop;
  }, []);
  const { now, zone } = trash.contents.value;
  return { trash, readAt: useMemo(() => ({ now, zone: ZoneTime.from(zone) }), [now, zone]) };
}

/** Lets a finger that rests select; its script comes where there are fingers. @param view of days of recording */
export function usePressToSelect(trash: Trash, view: RecordedView | null): void {
  useEffect(() => {
    const root = document.getElementById("main");
    if (root === null || !matchMedia("(any-pointer: coarse)").matches) return;
    const isOver = new AbortController();
    void import("./press_to_select.ts").then(({ pressToSelect }) =>
      pressToSelect(root, { trash, view, signal: isOver.signal }),
    );
    return () => isOver.abort();
  }, []);
}

interface FrameProps {
  readonly trash: Trash;
  readonly readAt: ReadAt;
  readonly children: ComponentChildren;
}

/** Parts around the days that all pages of the trash have. */
export function Frame({ trash, readAt, children }: FrameProps) {
  return (
    <>
      <Head trash={trash} readAt={readAt} />
      {children}
      {trash.contents.value.totals.entries === 0 && trash.restored.value > 0 && <Nothing trash={trash} />}
      <LaterTools trash={trash} />
    </>
  );
}

/** Message in the place of the days, when all of it has been restored. */
function Nothing({ trash }: { readonly trash: Trash }) {
  const { days } = trash.contents.value.totals;
  return (
    <section class="cell-alone empty section">
      <h2>Nothing in the trash</h2>
      <p>
        {days === 0
          ? "Deleted recordings are gone at once."
          : `Deleted recordings wait here for ${counted(days, "day")}. Until then they can be restored.`}
      </p>
    </section>
  );
}

/** The bar and the dialogs, whose script comes when something is chosen or asked for the first time. */
function LaterTools({ trash }: Pick<FrameProps, "trash">) {
  const tools = useSignal<FunctionComponent<{ trash: Trash }> | null>(null);
  const isNeeded = trash.question.value !== null || trash.choice.value.size > 0;
  useEffect(() => {
    if (isNeeded && tools.value === null)
      void import("./tools.tsx").then((module) => {
        tools.value = module.Tools;
      });
  }, [isNeeded]);
  const { value: Tools } = tools;
  return Tools && <Tools trash={trash} />;
}
