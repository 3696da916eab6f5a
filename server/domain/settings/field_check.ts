import * as v from "valibot";
import type { Field } from "./field.ts";
import { MOST_ENTRIES } from "./field_kinds.ts";
import { type FieldName, pathOf, type Settings } from "./settings.ts";

/** Number of wrong entries of one list that a message names. */
const SHOWN_RULES = 3;

/** One thing that is wrong: `path` is `section.field`, `message` a sentence that begins with it. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** Value as the field takes it, or the fault; `errors` has all of them where each has a path of its own. */
type Checked =
  | { readonly error: FieldError; readonly errors?: readonly FieldError[] }
  | { readonly error: null; readonly value: unknown };

/** Checks a value by the rule of its field. @param path `section.field`, with which the message begins */
export function checkField(path: string, field: Field<unknown>, value: unknown): Checked {
  // Before any entry is checked.
  if (Array.isArray(value) && value.length > MOST_ENTRIES)
    return { error: { path, message: `${path} must have at most ${MOST_ENTRIES} entries, got ${value.length}` } };
  const result = v.safeParse(field.check, value, { abortPipeEarly: true });
  if (result.success) return { error: null, value: result.output };
  if (field.widget.kind === "page") {
    const errors = result.issues.slice(0, MOST_ENTRIES).map((issue) => {
      const at = [path, v.getDotPath(issue)].filter((part) => part !== null).join(".");
      return { path: at, message: `${at} ${issue.message}` };
    });
    const [error = { path, message: path }] = errors;
    return { error, errors };
  }
  const rules = [...new Set(result.issues.map((issue) => issue.message))];
  const more = rules.length > SHOWN_RULES ? `; and ${rules.length - SHOWN_RULES} more` : "";
  return { error: { path, message: `${path} ${rules.slice(0, SHOWN_RULES).join("; ")}${more}` } };
}

/** Faults that fields of the right type and value can still have together. */
export function contradictions({ auth }: Settings): FieldError[] {
  const errors: FieldError[] = [];
  if (auth.viewer_username !== "" && auth.viewer_username.trim() === auth.username.trim()) {
    const path = pathOf("auth", "viewer_username");
    errors.push({ path, message: `${path} must be another name than ${pathOf("auth", "username")}` });
  }
  if (auth.mode !== "proxy") return errors;
  const need = (name: FieldName<"auth">, what: string) => {
    const path = pathOf("auth", name);
    const when = `when ${pathOf("auth", "mode")} is ${auth.mode}`;
    errors.push({ path, message: `${path} must ${what} ${when}; without it you could not sign in` });
  };
  if (auth.trusted_proxies.length === 0) need("trusted_proxies", "name at least one proxy");
  if (auth.proxy_user_header === "") need("proxy_user_header", "name a header");
  if (auth.proxy_admin_group !== "" && auth.proxy_groups_header === "") {
    const [path, group] = [pathOf("auth", "proxy_groups_header"), pathOf("auth", "proxy_admin_group")];
    errors.push({
      path,
      message: `${path} must name a header when ${group} is set; without it nobody could change anything`,
    });
  }
  return errors;
}
