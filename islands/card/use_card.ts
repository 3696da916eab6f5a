import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { KeysView } from "../../server/domain/card/card_view.ts";
import type { JobRetries } from "../../server/domain/sync/job_schema.ts";
import { counted } from "../../server/domain/text/format.ts";
import { Refusal, send, sentenceOfError } from "../browser/client.ts";
import { fetchFragment } from "../browser/fragment.ts";
import { type Refresher, refreshWhileVisible } from "../browser/refresh_while_visible.ts";
import { showToast } from "../browser/toast.ts";
import type { CardProps } from "./card_props.ts";

/** Recordings come, and their checksums are taken, while the page is open. */
const REFRESH_MS = 5000;

/** Actions of the page; `try` of one row. */
export type Doing = "sync" | "give-up" | "wait-again" | `try ${string}`;

/**
 * Keeps the page up to date while it is visible, and carries out its actions.
 * @param drawn as the server had drawn it
 */
export function useCard(drawn: CardProps) {
  const props = useSignal(drawn);
  const doing = useSignal<Doing | null>(null);
  const refresher = useRef<Refresher | null>(null);
  useEffect(() => {
    const ask = async (signal: AbortSignal) => {
      const fragment = await fetchFragment({ page: document, ask: fetch }, "/hx/stats/card", signal);
      const text = (fragment as HTMLElement | null)?.dataset["props"];
      if (text === undefined) throw new Refusal("UNKNOWN", "The card could not be read. The log may say why.");
      return JSON.parse(text) as CardProps;
    };
    refresher.current = refreshWhileVisible({
      page: document,
      everyMs: REFRESH_MS,
      ask,
      show: (fresh) => {
        props.value = fresh;
      },
    });
    return () => refresher.current?.stop();
  }, []);
  const refresh = () => refresher.current?.refresh() ?? Promise.resolve();

  /** Does one thing at a time, and says how it went. */
  const act = async (what: Doing, work: () => Promise<void>) => {
    if (doing.peek() !== null) return;
    doing.value = what;
    try {
      await work();
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
    await refresh();
    doing.value = null;
  };

  const waitAgain = ({ keys, recordings }: KeysView) =>
    act("wait-again", async () => {
      await send("DELETE /api/card/given-up", { keys });
      showToast(
        document,
        "fine",
        `${counted(recordings, "recording")} ${recordings === 1 ? "is" : "are"} waited for again.`,
      );
    });

  return {
    props: props.value,
    doing: doing.value,
    refresh: () => void refresh(),
    sync: () =>
      void act("sync", async () => {
        await send("POST /api/sync/now");
        showToast(document, "busy", "A sync has started. It looks at the card first.");
      }),
    giveUp: (clips: KeysView) =>
      void act("give-up", async () => {
        const { keys, recordings } = clips;
        await send("POST /api/card/given-up", { keys });
        const words = `${counted(recordings, "recording")} given up. ${recordings === 1 ? "It counts" : "They count"} as lost.`;
        showToast(document, "fine", words, { label: "Undo", run: () => void waitAgain(clips) });
      }),
    waitAgain: (clips: KeysView) => void waitAgain(clips),
    retry: (key: string, files: readonly string[]) =>
      void act(`try ${key}`, async () => {
        const { job_id, recordings } = await send<JobRetries>("POST /api/sync/retry", { files });
        const when = job_id === null ? "with the next sync" : "now";
        const tried = `${counted(recordings, "recording")} ${recordings === 1 ? "is" : "are"} tried again ${when}.`;
        showToast(document, "busy", tried);
      }),
  };
}
