import * as v from "valibot";
import { AppError } from "../answers/errors.ts";
import { splitList } from "../recordings/selection_codes.ts";
import { shown } from "../text/shown.ts";
import type { Field } from "./field.ts";
import { MOST_ENTRIES } from "./field_kinds.ts";
import {
  buildSettings,
  type FieldName,
  fieldsOf,
  isSectionName,
  MASK,
  masked,
  pathOf,
  SECTION_NAMES,
  type SectionName,
  type Settings,
  settingOf,
} from "./settings.ts";
import { isObject, SETTINGS_VERSION } from "./settings_migrations.ts";
import { wholePathProblem } from "./whole_path.ts";

/** Number of wrong entries of one list that a message names. */
const SHOWN_RULES = 3;

type Values = Readonly<Record<string, unknown>>;

/** One thing that is wrong: `path` is `section.field`, `message` a sentence that begins with it. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** Parts of a settings file beyond the schema, kept so that the next save does not lose them. */
export interface UnknownParts {
  readonly root: Values;
  readonly sections: Readonly<Partial<Record<SectionName, Values>>>;
}

/**
 * A stored value that cannot be used and decides about deleting. Until it is set, the field's safest value counts, the
 * dashboard shows it, and the file stays as it is.
 */
export interface Unusable {
  readonly section: SectionName;
  readonly key: string;
  /** `section.field` */
  readonly path: string;
  /** Value as the file has it; null when the whole section is none. */
  readonly raw: unknown;
  /** Fault for the log: it begins with the path. */
  readonly problem: string;
  /** The fault for people, with its consequence. */
  readonly sentence: string;
}

export interface StoredCheck {
  readonly settings: Settings;
  /** One sentence for each field that fell back to its default. */
  readonly problems: readonly string[];
  readonly unusable: readonly Unusable[];
  /** One sentence for each thing that would let the next visitor choose the password, so that nothing may be served. */
  readonly refusals: readonly string[];
  /** One sentence for each pair of fields that do not fit together; their values stay. */
  readonly contradictions: readonly string[];
  readonly unknown: UnknownParts;
}

/**
 * Returns the settings with the fields of `body` changed in one section. `_tier` is ignored. So is a field that is
 * still `***`, or as it was shown in its place: a section can be sent back as it was read.
 * @throws AppError SETTINGS_INVALID with all `field_errors`
 */
export function applyPatch(
  settings: Settings,
  section: SectionName,
  body: Readonly<Record<string, unknown>>,
): Settings {
  const fields = new Map(fieldsOf(section));
  const isAsShown = (key: string, field: Field<unknown> | undefined) =>
    field !== undefined &&
    (body[key] === MASK || (field.shownAs && body[key] === masked(field, settingOf(settings, section, key))));
  const isSent = (key: string) => key !== "_tier" && !isAsShown(key, fields.get(key));
  // More than a section has fields: among so many one is unknown in any case.
  const sent = Object.keys(body).filter(isSent).slice(0, MOST_ENTRIES);
  const secrets: FieldError[] = [];
  const unknown: FieldError[] = [];
  const wrong: FieldError[] = [];
  const changes: [string, unknown][] = [];
  for (const key of sent) {
    const value = body[key];
    const field = fields.get(key);
    const path = `${section}.${key}`;
    if (!field) {
      unknown.push({ path, message: `${path} is not a setting` });
    } else if (field.secret?.remedy) {
      secrets.push({ path, message: `${path} cannot be changed here: ${field.secret.remedy}` });
    } else {
      const checked = checkField(path, field, value);
      const error = checked.error ?? newPathError(path, field, checked.value, settingOf(settings, section, key));
      if (error) wrong.push(error);
      else if (!checked.error) changes.push([key, checked.value]);
    }
  }
  const errors = [...secrets, ...unknown, ...wrong];
  const changed = buildSettings((one) =>
    one === section ? { ...settings[one], ...Object.fromEntries(changes) } : settings[one],
  );
  // Rules between fields only say something useful when every field is right by itself.
  if (errors.length === 0 && section === "auth") errors.push(...contradictions(changed));
  if (errors.length > 0) throw new AppError("SETTINGS_INVALID", summary(errors), { field_errors: errors });
  return changed;
}

/**
 * Reads the root object of a settings file of today's version. A missing field gets its initial value silently. A
 * wrong type or value is replaced with a problem by the initial value, or by the safest one where the initial would
 * delete more. Fields that contradict each other stay as they are: a default in their place could let in users who
 * were meant to stay out.
 */
export function checkStored(root: Values): StoredCheck {
  const problems: string[] = [];
  const unusable: Unusable[] = [];
  const refusals: string[] = [];
  const unknownSections: Partial<Record<SectionName, Values>> = {};
  const settings = buildSettings((name) => {
    const stored = Object.hasOwn(root, name) ? root[name] : {};
    const noSection = isObject(stored) ? null : `${name} must be an object with the fields of the section`;
    if (noSection !== null) (name === "auth" ? refusals : problems).push(noSection);
    const values = isObject(stored) ? stored : {};
    const fields = fieldsOf(name);
    const known = new Set(fields.map(([key]) => key));
    const unguarded: [key: string, guarded: string][] = [];
    const rest = Object.entries(values).filter(([key]) => key !== "_tier" && !known.has(key));
    if (rest.length > 0) unknownSections[name] = Object.fromEntries(rest);
    const used = Object.fromEntries(
      fields.map(([key, field]) => {
        const path = `${name}.${key}`;
        const { safest } = field;
        if (noSection !== null && safest) {
          // One sentence is enough for the whole section.
          if (unusable.some((one) => one.section === name)) return [key, safest.value];
          const sentence = `The settings file has nothing usable for “${field.label}”. ${safest.words}`;
          unusable.push({ section: name, key, path, raw: null, problem: noSection, sentence });
          return [key, safest.value];
        }
        if (!Object.hasOwn(values, key)) return [key, field.initial];
        const raw = values[key];
        const checked = checkField(path, field, raw);
        if (!checked.error) return [key, checked.value];
        const problem = checked.error.message;
        if (safest) {
          const sentence = `The settings file says ${shown(raw)} for “${field.label}”, which cannot be used. ${safest.words}`;
          unusable.push({ section: name, key, path, raw, problem, sentence });
          return [key, safest.value];
        }
        (field.opensFirstRun?.(values) ? refusals : problems).push(problem);
        if (field.guards !== undefined) unguarded.push([key, field.guards]);
        return [key, field.initial];
      }),
    );
    for (const [key, guarded] of unguarded) {
      if (used[guarded] !== true) continue;
      used[guarded] = false;
      problems.push(`${name}.${guarded} is off until ${name}.${key} is set`);
    }
    return used;
  });
  const unknownRoot = Object.entries(root).filter(([key]) => key !== "version" && !isSectionName(key));
  return {
    settings,
    problems,
    unusable,
    refusals,
    contradictions: contradictions(settings).map(({ message }) => message),
    unknown: { root: Object.fromEntries(unknownRoot), sections: unknownSections },
  };
}

/**
 * Returns the settings file's contents: version, every section with every field, then the parts that the schema does
 * not know. A value that cannot be used stays as it is, so that the next start reports it again.
 */
export function toStored(settings: Settings, unknown: UnknownParts, unusable: readonly Unusable[] = []): Values {
  const sections = SECTION_NAMES.map((name) => {
    const raw = unusable.filter(({ section }) => section === name).map((one) => [one.key, one.raw]);
    return [name, { ...settings[name], ...Object.fromEntries(raw), ...unknown.sections[name] }];
  });
  return { version: SETTINGS_VERSION, ...Object.fromEntries(sections), ...unknown.root };
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

/** Faults that fields of the right type and value can still have together. */
function contradictions({ auth }: Settings): FieldError[] {
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

/** A relative path that is stored already goes on as it is: another one in its place would move the recordings. */
function newPathError(path: string, { widget }: Field<unknown>, value: unknown, before: unknown): FieldError | null {
  if (widget.kind !== "text" || widget.reading !== "path" || typeof value !== "string" || value === before) return null;
  const problem = wholePathProblem(value);
  return problem === null ? null : { path, message: `${path} is not usable: ${problem}` };
}

type Checked = { readonly error: FieldError } | { readonly error: null; readonly value: unknown };

function checkField(path: string, field: Field<unknown>, value: unknown): Checked {
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

function summary(errors: readonly FieldError[]): string {
  const count = errors.length === 1 ? "a field is" : `${errors.length} fields are`;
  return `Nothing was changed, because ${count} not valid`;
}
