import { AT_ONCE, EMPTY, GROUPS, HELP, LABELS, OPTIONS, OWN, RARE, SOONER, SWITCHES } from "./form_text.ts";
import {
  type Field,
  fieldsOf,
  masked,
  type Reading,
  SECTIONS,
  type SectionName,
  type Settings,
  settingOf,
  type Tier,
} from "./settings.ts";

/** The settings page as plain data: the schema, what is set, and the words for both. No secret is in it. */

/** How a form asks for a value, with words for what the schema has codes for. */
export type FormWidget =
  | { readonly kind: "switch"; readonly on: string; readonly off: string }
  | { readonly kind: "select" | "choices"; readonly options: readonly FormOption[] }
  | {
      readonly kind: "number";
      readonly whole: boolean;
      readonly min: number;
      readonly max?: number;
      /** `min` itself is too low. */
      readonly above?: true;
      /** Empty stands for null. */
      readonly nullable?: true;
    }
  | { readonly kind: "text"; readonly nullable: boolean; readonly reading?: Reading }
  | { readonly kind: "lines"; readonly reading?: Reading }
  /** A text that is never shown, and can be replaced. */
  | { readonly kind: "secret"; readonly nullable: boolean }
  /** Changed by an action of its own, never with the form. */
  | { readonly kind: "password" | "sessions" };

export interface FormOption {
  readonly value: string;
  readonly words: string;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly unit?: string;
  /** When a change of it counts. */
  readonly tier: Tier;
  readonly widget: FormWidget;
  /** As the control holds it; a secret that is set as `***`. */
  readonly value: string;
  readonly initial: string;
  /** What an empty control stands for. */
  readonly empty: string;
  /** The initial value is no advice. */
  readonly own?: true;
  /** Under "Rarely needed". */
  readonly rare?: true;
  /** What the running service began with, when a change waits for a restart. */
  readonly running?: string;
  /** What this start was given in place of the setting, and works with until it ends. */
  readonly given?: string;
  /** The settings file says something that cannot be used: what it says and what that means, as sentences. */
  readonly unusable?: string;
}

export interface FormSection {
  readonly name: SectionName;
  /** How soon a change really counts. */
  readonly tier: Tier;
  readonly fields: readonly FormField[];
}

export interface FormGroup {
  readonly name: string;
  readonly intro: string;
  readonly sections: readonly FormSection[];
  /** Closed until it is asked for. */
  readonly folded?: true;
}

/**
 * The groups of the settings page with every section, and every field that something reads.
 * @param boot the settings the running service began with
 * @param inUse what it works with where that may be something else, by path
 * @param unusable what is set, in the file, to something that cannot be used
 */
export function settingsForm(
  settings: Settings,
  boot: Settings,
  inUse: InUse = {},
  unusable: FormSources["unusable"] = [],
): FormGroup[] {
  return GROUPS.map(({ sections, ...group }) => ({
    ...group,
    sections: sections.map((section) => formSection(section, { settings, boot, inUse, unusable })),
  }));
}

type InUse = Readonly<Record<string, string>>;

interface FormSources {
  readonly settings: Settings;
  readonly boot: Settings;
  readonly inUse: InUse;
  readonly unusable: readonly { readonly path: string; readonly sentence: string }[];
}

function formSection(name: SectionName, { settings, boot, inUse, unusable }: FormSources): FormSection {
  const tier = SOONER[name] ?? SECTIONS[name].tier;
  const read = fieldsOf(name).filter(([, { unread }]) => !unread);
  const fields = read.map(([key, field]): FormField => {
    const path = `${name}.${key}`;
    const counts = AT_ONCE.has(path) ? "immediate" : tier;
    const held = (from: Settings) => heldText(field, settingOf(from, name, key));
    const used = inUse[path];
    const wrong = unusable.find((one) => one.path === path)?.sentence;
    return {
      name: key,
      label: LABELS[path] ?? field.label,
      help: HELP[path] ?? field.help,
      ...(field.unit === undefined ? {} : { unit: field.unit }),
      tier: counts,
      widget: widgetOf(path, field),
      value: held(settings),
      initial: textOf(field.initial),
      empty: EMPTY[path] ?? "none",
      ...(OWN.has(path) ? { own: true } : {}),
      ...(RARE.has(path) ? { rare: true } : {}),
      ...(counts === "restart" ? { running: held(boot) } : {}),
      ...(used === undefined || used === held(boot) ? {} : { given: used }),
      ...(wrong === undefined ? {} : { unusable: wrong }),
    };
  });
  return { name, tier, fields: [...fields.filter(({ rare }) => !rare), ...fields.filter(({ rare }) => rare)] };
}

function heldText(field: Field<unknown>, value: unknown): string {
  const text = textOf(value);
  return text === "" ? "" : textOf(masked(field, text));
}

function widgetOf(path: string, { widget, secret }: Field<unknown>): FormWidget {
  if (secret?.remedy) return { kind: path === "auth.session_secret" ? "sessions" : "password" };
  if (secret) return { kind: "secret", nullable: widget.kind === "text" && widget.nullable };
  const withWords = (options: readonly string[]) =>
    options.map((value) => ({ value, words: OPTIONS[path]?.[value] ?? value }));
  switch (widget.kind) {
    case "switch": {
      const [on, off] = SWITCHES[path] ?? ["On", "Off"];
      return { kind: "switch", on, off };
    }
    case "select":
      return { kind: "select", options: withWords(widget.options) };
    case "lines":
      if (widget.options) return { kind: "choices", options: withWords(widget.options) };
      return { kind: "lines", ...(widget.reading && { reading: widget.reading }) };
    case "number": {
      const { kind, whole, min, max, above, nullable } = widget;
      return {
        kind,
        whole,
        min,
        ...(max === Number.MAX_SAFE_INTEGER ? {} : { max }),
        ...(above && { above }),
        ...(nullable && { nullable }),
      };
    }
    case "text":
      return widget;
  }
}

/** A value as its control holds it. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.join("\n") : String(value);
}
