/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Entry } from "./entry.ts";

interface BrowserZoneProps {
  readonly entry: Entry;
  readonly change: (entry: Entry, text: string) => void;
}

/** Zone of a service in which no other was set. */
const FIRST_ZONE = "UTC";

/** Offers the browser's time zone for as long as the first one stands, in which most people do not live. */
export function BrowserZone({ entry, change }: BrowserZoneProps) {
  const own = useSignal<string | null>(null);
  useEffect(() => {
    own.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? null;
  }, []);
  const { value: name } = own;
  const isFirst = entry.saved.value === FIRST_ZONE && entry.draft.value.trim() === FIRST_ZONE;
  if (name === null || name === FIRST_ZONE || !isFirst) return null;
  return (
    <button type="button" onClick={() => change(entry, name)}>
      Use this browser’s time zone ({name})
    </button>
  );
}
