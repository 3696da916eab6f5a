/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { headlineOf } from "../server/domain/viewing.ts";
import { askBeforeDownloads } from "./download.ts";
import { followFullScreen } from "./toast.ts";
import { actionsOf } from "./viewer/actions.ts";
import { Browsing, type ViewerProps } from "./viewer/browsing.ts";
import { Days } from "./viewer/days.tsx";
import { Head } from "./viewer/head.tsx";
import { keepUpToDate } from "./viewer/keep_up_to_date.ts";
import { listenToKeys } from "./viewer/keys.ts";
import { Lockstep } from "./viewer/lockstep.ts";
import { Stage } from "./viewer/stage.tsx";
import { Transport } from "./viewer/transport.tsx";

/** The cameras of a moment in one clock, and the days and recordings to choose from. */
export default function Viewer(props: ViewerProps) {
  const { thisYear, nothing } = props;
  const player = useRef<HTMLElement>(null);
  const list = useRef<HTMLElement>(null);
  const focused = useSignal<number | null>(null);
  const [browsing, lockstep] = useMemo(() => {
    const start = props.shown.kind === "recording" ? props.shown.start : 0;
    return [new Browsing(props), new Lockstep(start)] as const;
  }, []);
  const actions = useMemo(() => actionsOf({ browsing, lockstep, focused, player: () => player.current }), []);
  const { key } = browsing;
  const headline = headlineOf(browsing.shown.value, thisYear);

  useEffect(() => {
    lockstep.onEnd = () => void actions.goOn();
    const ends = [
      browsing.address.onMove(() => {
        lockstep.pause();
        void browsing.follow(location);
      }),
      listenToKeys(document, { lockstep, actions }),
      keepUpToDate(document, { browsing, lockstep, list: () => list.current }),
      askBeforeDownloads(document),
      followFullScreen(document),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  useEffect(() => {
    if (key === null) return;
    // Also when the newest is shown because nothing was asked for: the address says what is on show.
    if (new URLSearchParams(location.search).get("key") !== key) browsing.address.write(key, 0, "replace");
  }, [key]);
  useEffect(() => {
    document.title = `${headline} · Viewer · Dashdock`;
  }, [headline]);

  const parts = { browsing, lockstep, actions, thisYear };
  return (
    <>
      <section class="vw-mid" aria-label="Player" tabindex={-1} ref={player}>
        <Head {...parts} />
        <Stage {...parts} focused={focused} nothing={nothing} />
        {key !== null && <Transport {...parts} />}
      </section>
      {browsing.days.value.length > 0 && <Days {...parts} listRef={list} />}
    </>
  );
}
