/** @jsxImportSource preact */

import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import { StreetsCredit } from "../../parts/streets_credit.tsx";
import { ForChange } from "../../parts/may_change.tsx";
import type { Parts } from "../viewer_parts.ts";

/** Asked once, in the place where the streets will be. */
export function StreetsQuestion({ map }: Parts<"map">) {
  const asks = map.asks.value;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    map.setCovered(box.current?.offsetHeight ?? 0);
    // Its own button has the focus where a hand asked for the question: then the answer is next.
    if (asks && document.activeElement?.closest(".map-tools")) box.current?.querySelector("button")?.focus();
  }, [asks]);
  if (!asks) return null;
  const leave = (answer: () => void) => () => {
    const tools = box.current?.parentElement?.querySelector<HTMLElement>(".map-tools .b");
    if (box.current?.contains(document.activeElement)) tools?.focus();
    answer();
  };
  return (
    <ForChange>
      <section class="map-ask" aria-label="Show streets?" ref={box}>
        <p>
          <b>Show streets?</b>
        </p>
        <p class="soft small">Their pictures come from {map.streetsHost}, which thereby learns where you drove.</p>
        <div class="row">
          <button class="b b-primary" type="button" onClick={leave(() => void map.setStreets(true))}>
            Show
          </button>
          <button class="b b-quiet" type="button" onClick={leave(() => map.refuseStreets())}>
            No
          </button>
        </div>
      </section>
    </ForChange>
  );
}

/** Whose streets these are, and why they do not come. */
export function StreetsLine({ map }: Parts<"map">) {
  if (!map.hasStreets.value) return null;
  const { streetsHost: host } = map;
  const problem = map.streetsProblem.value;
  return (
    <>
      {problem !== null && (
        <div class="map-trouble" role="status">
          <Icon name="s-attention" />
          <p class="small">{problem}</p>
          <button class="b b-quiet" type="button" onClick={() => map.retryStreets()}>
            Try again
          </button>
        </div>
      )}
      <p class="map-source">
        <StreetsCredit host={map.ownMap === null ? host : null} />
      </p>
    </>
  );
}
