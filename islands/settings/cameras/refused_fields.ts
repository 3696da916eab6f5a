import { asSentence, capitalized } from "../../../server/domain/text/format.ts";
import { Refusal } from "../../browser/client.ts";

/** Sentences of a refusal by the field they are about; empty when it is about none of them. */
export function refusedFields<F extends string>(
  error: unknown,
  labels: Readonly<Record<F, string>>,
): Partial<Record<F, string>> {
  const errors = error instanceof Refusal ? error.details["field_errors"] : null;
  const found: Partial<Record<F, string>> = {};
  for (const { path, message } of Array.isArray(errors) ? (errors as readonly FieldError[]) : []) {
    const field = Object.keys(labels).find((one): one is F => one === path);
    // The service begins its message with the path; people know the label.
    if (field) found[field] ??= asSentence(capitalized(message.replace(new RegExp(`^${field}\\b`), labels[field])));
  }
  return found;
}

interface FieldError {
  readonly path: string;
  readonly message: string;
}
