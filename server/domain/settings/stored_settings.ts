import { shown } from "../text/shown.ts";
import { checkField, contradictions } from "./field_check.ts";
import { buildSettings, fieldsOf, isSectionName, SECTION_NAMES, type SectionName, type Settings } from "./settings.ts";
import { isObject, SETTINGS_VERSION } from "./settings_migrations.ts";

type Values = Readonly<Record<string, unknown>>;

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
