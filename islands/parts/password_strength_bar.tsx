/** @jsxImportSource preact */
import type { PasswordStrength } from "../../server/domain/settings/password_strength.ts";

const BARS: readonly number[] = [1, 2, 3, 4];

interface PasswordStrengthBarProps {
  /** Id of the words, for `aria-describedby`. */
  readonly id: string;
  readonly strength: PasswordStrength;
  /** Only the bars: the words stand elsewhere. */
  readonly isWordless?: boolean;
}

/** Strength of a password: four bars, and the same in words. */
export function PasswordStrengthBar({ id, strength, isWordless = false }: PasswordStrengthBarProps) {
  const { bars, level, word, detail: says } = strength;
  return (
    <>
      <div class={`strength is-${level}`} aria-hidden="true">
        {BARS.map((bar) => (
          <i key={bar} class={bar <= bars ? "on" : undefined} />
        ))}
      </div>
      {!isWordless && (
        <p class="says" id={id}>
          {word !== "" && <b>{word}.</b>} {says}
        </p>
      )}
    </>
  );
}
