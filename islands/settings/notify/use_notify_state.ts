import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { NotifyState } from "../../../server/domain/notify/notify_schema.ts";
import { send } from "../../browser/client.ts";
import type { Entry } from "../entry.ts";

interface Parts {
  /** State with which the page came. */
  readonly drawn: NotifyState;
  readonly targets: Entry;
  readonly ping: Entry;
}

/** Results of each service: as the page came, and anew whenever addresses were saved. */
export function useNotifyState({ drawn, targets, ping }: Parts): Signal<NotifyState> {
  const state = useSignal(drawn);
  const saved = `${targets.saved.value}\n\n${ping.saved.value}`;
  const known = useRef(saved);
  useEffect(() => {
    if (known.current === saved) return;
    known.current = saved;
    void refresh(state);
  }, [saved]);
  return state;
}

/** Asks anew; while there is no connection, what was known stays. */
export async function refresh(state: Signal<NotifyState>): Promise<void> {
  try {
    state.value = await send<NotifyState>("GET /api/notify");
  } catch {
    // The bar above the page says that there is no connection.
  }
}
