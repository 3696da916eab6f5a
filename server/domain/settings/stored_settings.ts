import { shown } from "./address.ts";
import { buildSettings, fieldsOf, isSectionName, SECTION_NAMES, type SectionName, type Settings } from "./settings.ts";
import { checkField, contradictions } from "./settings_checks.ts";
import { isObject, SETTINGS_VERSION } from "./settings_migrations.ts";

type Values = Readonly<Record<string, unknown>>;

/** What a settings file holds beyond the schema; kept so that the next save does not lose it. */
export interface UnknownParts {
  readonly root: Values;
  readonly sections: Readonly<Partial<Record<SectionName, Values>>>;
}

/**
 * A stored value that cannot be used and decides what is deleted. Until it is set, the field's safest value counts, the
 * dashboard shows it, and the file stays as it is.
 */
export interface Unusable {
  readonly section: SectionName;
  readonly key: string;
  /** `section.field` */
  readonly path: string;
  /** As the file has it; null when the whole section is none. */
  readonly raw: unknown;
  /** What is wrong, for the log: it begins with the path. */
  readonly problem: string;
  /** The same for people: what is wrong and what that means. */
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
 * Reads the root object of a settings file of today's version. A missing field gets its initial value silently, one of
 * a wrong type or value with a problem, or its safest value where the initial one would delete more. Fields that
 * contradict each other stay as they are: a default in their place could let in users who were meant to stay out.
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
    const rest = Object.entries(values).filter(([key]) => key !== "_tier" && !known.has(key));
    if (rest.length > 0) unknownSections[name] = Object.fromEntries(rest);
    return Object.fromEntries(
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
        return [key, field.initial];
      }),
    );
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
 * What the settings file holds: version, every section with every field, then what the schema does not know. What cannot
 * be used stays as it is, so that the next start reports it again.
 */
export function toStored(settings: Settings, unknown: UnknownParts, unusable: readonly Unusable[] = []): Values {
  const sections = SECTION_NAMES.map((name) => {
    const raw = unusable.filter(({ section }) => section === name).map((one) => [one.key, one.raw]);
    return [name, { ...settings[name], ...Object.fromEntries(raw), ...unknown.sections[name] }];
  });
  return { version: SETTINGS_VERSION, ...Object.fromEntries(sections), ...unknown.root };
}
