import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { listen } from "./stream.ts";

/** The last value of a stream as a signal, beginning with what the server had drawn. */
export function useStream<T>(source: Parameters<typeof listen>[0], initial: T): Signal<T> {
  const value = useSignal(initial);
  useEffect(
    () =>
      listen<T>(source, (data) => {
        value.value = data;
      }),
    [source.url],
  );
  return value;
}
