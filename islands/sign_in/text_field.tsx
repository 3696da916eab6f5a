/** @jsxImportSource preact */
import type { ComponentChildren, InputHTMLAttributes, RefObject } from "preact";
import { FieldProblem } from "../parts/note.tsx";

interface TextFieldProps
  extends Pick<InputHTMLAttributes, "autocomplete" | "autocapitalize" | "autofocus" | "onInput"> {
  /** Also its id. */
  readonly name: string;
  readonly label: string;
  readonly defaultValue: string;
  readonly class?: string;
  readonly maxLength?: number;
  readonly required?: boolean;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
  /** Problem of the field, tied to it as `<name>-error`. */
  readonly problem?: string | undefined;
  /** Ids of other texts about the field. */
  readonly describedBy?: string | undefined;
  /** Content under the field. */
  readonly children?: ComponentChildren;
}

/** A line of text with its label. The field keeps its own text, so that what was typed before the script came stays. */
export function TextField({ name, label, inputRef, problem, describedBy, children, ...field }: TextFieldProps) {
  const ids = [describedBy, problem !== undefined && `${name}-error`].filter(Boolean).join(" ");
  return (
    <div>
      <label for={name}>{label}</label>
      <input
        class="in"
        id={name}
        name={name}
        type="text"
        autocorrect="off"
        spellcheck={false}
        {...field}
        ref={inputRef ?? null}
        aria-describedby={ids || undefined}
        aria-invalid={problem !== undefined || undefined}
      />
      {children}
      {problem !== undefined && <FieldProblem id={`${name}-error`} text={problem} />}
    </div>
  );
}

interface NameFieldProps
  extends Pick<TextFieldProps, "autofocus" | "defaultValue" | "required" | "inputRef" | "onInput"> {
  readonly problem?: string | undefined;
  readonly describedBy?: string | undefined;
}

/** The name to sign in with. */
export function NameField(props: NameFieldProps) {
  return <TextField name="username" label="User name" autocomplete="username" autocapitalize="none" {...props} />;
}
