import * as v from "valibot";
import { AppError } from "../api/errors.ts";
import { splitList } from "../recordings/selection_codes.ts";
import { shown } from "./address.ts";
import type { Field } from "./field.ts";
import { MOST_ENTRIES } from "./field_kinds.ts";
import {
  buildSettings,
  type FieldName,
  fieldsOf,
  isSectionName,
  pathOf,
  SECTION_NAMES,
  type SectionName,
  type Settings,
  settingOf,
} from "./settings.ts";

/** How many wrong entries of one list a message names. */
const SHOWN_RULES = 3;

/** One thing that is wrong: `path` is `section.field`, `message` a sentence that begins with it. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** @throws AppError SECTION_NOT_FOUND */
export function sectionNamed(name: string): SectionName {
  if (isSectionName(name)) return name;
  throw new AppError("SECTION_NOT_FOUND", "There is no such settings section", { section: name });
}

/**
 * The first settings: initial values, with those of the environment in their place. A variable that is set but empty
 * counts as unset.
 * @throws Error with one line that names each bad variable, its value (unless secret) and the rule
 */
export function seedSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  const settings = buildSettings((name) =>
    Object.fromEntries(
      fieldsOf(name).map(([key, field]) => {
        const text = field.env && env[field.env.name];
        if (!field.env || !text) return [key, field.initial];
        const checked = checkField(`${name}.${key}`, field, typedValue(field, text));
        if (!checked.error) return [key, checked.value];
        const given = field.secret ? field.env.name : `${field.env.name}=${shown(text)}`;
        problems.push(`${given} cannot be used: ${checked.error.message}`);
        return [key, field.initial];
      }),
    ),
  );
  if (problems.length > 0) throw new Error(problems.join("; "));
  return settings;
}

/** The seeding variables that are set to something else than the settings say: pairs of variable and `section.field`. */
export function seedDifferences(
  env: Readonly<Record<string, string | undefined>>,
  settings: Settings,
): { readonly variable: string; readonly path: string }[] {
  return SECTION_NAMES.flatMap((name) =>
    fieldsOf(name).flatMap(([key, field]) => {
      const text = field.env && env[field.env.name];
      if (!field.env || !text) return [];
      const given = typedValue(field, text);
      const checked = checkField(`${name}.${key}`, field, given);
      // `2 weeks` in the environment is the `2w` of the settings.
      const value = checked.error ? given : checked.value;
      const same = JSON.stringify(value) === JSON.stringify(settingOf(settings, name, key));
      return same ? [] : [{ variable: field.env.name, path: `${name}.${key}` }];
    }),
  );
}

/** What fields of the right type and value can still get wrong together. */
export function contradictions({ auth }: Settings): FieldError[] {
  if (auth.mode !== "proxy") return [];
  const errors: FieldError[] = [];
  const need = (name: FieldName<"auth">, what: string) => {
    const path = pathOf("auth", name);
    const when = `when ${pathOf("auth", "mode")} is ${auth.mode}`;
    errors.push({ path, message: `${path} must ${what} ${when}; without it you could not sign in` });
  };
  if (auth.trusted_proxies.length === 0) need("trusted_proxies", "name at least one proxy");
  if (auth.proxy_user_header === "") need("proxy_user_header", "name a header");
  return errors;
}

type Checked = { readonly error: FieldError } | { readonly error: null; readonly value: unknown };

/** The value as its field takes it, or what is wrong with it. */
export function checkField(path: string, field: Field<unknown>, value: unknown): Checked {
  // Before any entry is checked.
  if (Array.isArray(value) && value.length > MOST_ENTRIES)
    return { error: { path, message: `${path} must have at most ${MOST_ENTRIES} entries, got ${value.length}` } };
  const result = v.safeParse(field.check, value, { abortPipeEarly: true });
  if (result.success) return { error: null, value: result.output };
  const rules = [...new Set(result.issues.map((issue) => issue.message))];
  const more = rules.length > SHOWN_RULES ? `; and ${rules.length - SHOWN_RULES} more` : "";
  return { error: { path, message: `${path} ${rules.slice(0, SHOWN_RULES).join("; ")}${more}` } };
}

/** The text as a value of the field's own type, or the text itself when it is none: the check then refuses it. */
function typedValue({ env }: Field<unknown>, text: string): unknown {
  switch (env?.read) {
    case "number":
      return /^[+-]?[0-9]+(\.[0-9]+)?$/.test(text.trim()) ? Number(text) : text;
    case "boolean":
      if (/^(1|true|yes|on)$/i.test(text.trim())) return true;
      return /^(0|false|no|off)$/i.test(text.trim()) ? false : text;
    case "list":
      return splitList(text);
    case "letters":
      return [...text].filter((letter) => !/[\s,]/.test(letter));
    default:
      return text;
  }
}
