/** @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Note } from "../parts/note.tsx";

interface LockNoteProps {
  readonly id: string;
  readonly title: string;
  /** Duration of the lock as a sentence, which is read until the script counts. */
  readonly words: string;
  readonly lockedSeconds: number;
  /** Set while the time runs. */
  readonly isLocked: Signal<boolean>;
}

/** Says that signing in is locked, and for how long: counted down once a second, without being read out each time. */
export function LockNote({ id, title, words, lockedSeconds, isLocked }: LockNoteProps) {
  const left = useSignal<number | null>(null);
  useEffect(() => {
    // The clock counts, not the ticks: a sleeping tab gets none.
    const end = performance.now() + lockedSeconds * 1000;
    const update = () => {
      left.value = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      isLocked.value = left.value > 0;
      if (!isLocked.value) clearInterval(timer);
    };
    const timer = setInterval(update, 1000);
    update();
    return () => clearInterval(timer);
  }, [lockedSeconds]);
  if (left.value === 0)
    return (
      <Note level="fine" id={id} role="status" title="You can sign in again">
        <p>Type your password once more.</p>
      </Note>
    );
  return (
    <Note level="attention" id={id} role="alert" title={title}>
      {left.value === null ? (
        <p>{words}</p>
      ) : (
        <p>
          Try again in{" "}
          <span role="timer" aria-live="off">
            {inMinutes(left.value)}
          </span>
          .
        </p>
      )}
    </Note>
  );
}

/** To the second, unlike other lengths of time: people watch it. */
function inMinutes(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return minutes === 0 ? `${rest}\u00a0s` : `${minutes}\u00a0min ${String(rest).padStart(2, "0")}\u00a0s`;
}
