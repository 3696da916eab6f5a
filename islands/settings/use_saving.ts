import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { NO_CONNECTION } from "../browser/client.ts";
import type { SavingParts } from "./saving_parts.ts";
import type { Waking } from "./wake.tsx";

type SavingScript = typeof import("./saving.ts");

interface UseSavingParts extends SavingParts {
  readonly waking: RefObject<Waking | null>;
  /** Something is typed that is not saved. */
  readonly hasChanges: boolean;
}

export interface Saving {
  /** Saves what is changed, after what has to be asked. */
  readonly submit: () => void;
  /** Saves without asking. */
  readonly saveAll: () => void;
}

/** Pause after a failure before the script is asked for again. */
const RETRY_MS = 3000;

/** Saving: its script and the bar come with the first change. */
export function useSaving({ waking, hasChanges, ...parts }: UseSavingParts): Saving {
  const { shared } = parts;
  const loaded = useRef<Promise<SavingScript> | null>(null);
  const load = () => {
    loaded.current ??= (async () => {
      const [script, { draftProblem }] = await Promise.all([
        import("./saving.ts"),
        import("../../server/domain/settings/form_problems.ts"),
      ]);
      shared.check.value = draftProblem;
      await waking.current?.wake("savebar");
      return script;
    })();
    loaded.current.catch(() => {
      loaded.current = null;
      shared.trouble.value = NO_CONNECTION;
    });
    return loaded.current;
  };
  useEffect(() => {
    if (!hasChanges) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const loadAndRetry = () => {
      load().catch(() => {
        timer = setTimeout(loadAndRetry, RETRY_MS);
      });
    };
    loadAndRetry();
    return () => clearTimeout(timer);
  }, [hasChanges]);
  const run = async (step: (script: SavingScript) => unknown) => {
    // Text typed into a part that is only just waking counts, too.
    await waking.current?.settled();
    await step(await load());
  };
  return {
    submit: () => void run((script) => script.submit(parts)).catch(() => {}),
    saveAll: () => void run((script) => script.saveAll(parts)).catch(() => {}),
  };
}
