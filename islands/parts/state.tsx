/** @jsxImportSource preact */
/** The five states anything can be in. */
export type Mood = "fine" | "busy" | "waiting" | "attention" | "failed";

interface StateProps {
  readonly mood: Mood;
  readonly word: string;
}

/** A state as a word; its colour and shape come from the class. */
export function State({ mood, word }: StateProps) {
  return <span class={`state is-${mood}`}>{word}</span>;
}

/** A remark beside a state. */
export function Badge({ mood, word }: StateProps) {
  return <span class={`badge is-${mood}`}>{word}</span>;
}
