import { splitList } from "../recordings/selection_codes.ts";
import { shown } from "../text/shown.ts";
import type { Field } from "./field.ts";
import { checkField } from "./field_check.ts";
import { buildSettings, fieldsOf, SECTION_NAMES, type Settings, settingOf } from "./settings.ts";

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
