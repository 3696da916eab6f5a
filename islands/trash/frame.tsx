/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { ReadAt } from "../../server/domain/retention/trash_text.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { LONG_PATIENCE_MS, refreshWhileVisible } from "../browser/refresh_while_visible.ts";
import type { TrashProps } from "./trash_props.ts";
import { Head } from "./head.tsx";
import { Trash } from "./trash.ts";

const REFRESH_MS = 30_000;

/** What lies in the trash, kept up to date while it is looked at. */
export function useTrash(props: TrashProps): { readonly trash: Trash; readonly readAt: ReadAt } {
  const trash = useMemo(() => new Trash(props, { page: globalThis.document, ask: globalThis.fetch }), []);
  useEffect(() => {
    const ask = () => trash.refresh();
    const timing = { everyMs: REFRESH_MS, onReturn: true, patienceMs: LONG_PATIENCE_MS };
    return refreshWhileVisible({ page: document, ...timing, ask }).stop;
  }, []);
  const { now, zone } = trash.contents.value;
  return { trash, readAt: useMemo(() => ({ now, zone: ZoneTime.from(zone) }), [now, zone]) };
}

interface FrameProps {
  readonly trash: Trash;
  readonly readAt: ReadAt;
  readonly children: ComponentChildren;
}

/** What every page of the trash has around its days. */
export function Frame({ trash, readAt, children }: FrameProps) {
  return (
    <>
      <Head trash={trash} readAt={readAt} />
      {children}
      <LaterTools trash={trash} />
    </>
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
