/** @jsxImportSource preact */
import type { ComponentChildren, RefObject } from "preact";
import { Icon } from "./icon.tsx";
import { FieldProblem } from "./note.tsx";

export interface PasswordFieldProps {
  /** Also its id. */
  readonly name: string;
  readonly label: string;
  /** It goes with no form: only its id has its name. */
  readonly isApart?: true;
  readonly autocomplete: "current-password" | "new-password";
  /** True when the typed text can be read. */
  readonly shown: boolean;
  /** The eye was pressed; without it there is no eye. */
  readonly onShow?: (() => void) | undefined;
  readonly onInput?: ((typed: string) => void) | undefined;
  readonly inputRef?: RefObject<HTMLInputElement | null> | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly autofocus?: boolean | undefined;
  /** Problem of the field, tied to it as `<name>-error`. */
  readonly problem?: string | undefined;
  /** Ids of other texts about the field. */
  readonly describedBy?: string | undefined;
  /** Content under the field. */
  readonly children?: ComponentChildren;
}

/**
 * A password with its label and an eye that shows it. The field keeps its own text, so that what was typed before the
 * script came stays.
 */
export function PasswordField({ name, label, shown, problem, describedBy, children, ...field }: PasswordFieldProps) {
  const ids = [problem !== undefined && `${name}-error`, describedBy].filter(Boolean).join(" ");
  return (
    <div>
      <label for={name}>{label}</label>
      <div class="in-wrap">
        <input
          class="in"
          id={name}
          name={field.isApart ? undefined : name}
          {...(shown ? { type: "text" as const } : { type: "password" as const })}
          autocomplete={field.autocomplete}
          autocapitalize="none"
          autocorrect="off"
          spellcheck={false}
          minLength={field.minLength}
          maxLength={field.maxLength}
          required
          autofocus={field.autofocus}
          aria-describedby={ids || undefined}
          aria-invalid={problem !== undefined || undefined}
          ref={field.inputRef ?? null}
          onInput={(event) => field.onInput?.(event.currentTarget.value)}
        />
        {field.onShow && (
          <button
            class="b b-icon show-password"
            type="button"
            aria-pressed={shown}
            aria-label={`Show ${label.toLowerCase()}`}
            title={shown ? "Hide" : "Show"}
            onClick={field.onShow}
          >
            <Icon name="i-eye" />
          </button>
        )}
      </div>
      {children}
      {problem !== undefined && <FieldProblem id={`${name}-error`} text={problem} />}
    </div>
  );
}
