import type * as v from "valibot";

/** What a setting is: plain data that the file, the API, the page, the first start and the README are made from. */

/** How soon a change takes effect: at once, with the next sync, or after a restart. */
export type Tier = "immediate" | "next_tick" | "restart";

/** A text that has a reading of its own, which a form can show while it is typed. */
export type Reading =
  | "address"
  | "age"
  | "age_or_always"
  | "code"
  | "cron"
  | "delay"
  | "gateway"
  | "host_name"
  | "network"
  | "path"
  | "time_zone";

export interface Choice {
  readonly value: string;
  /** What it means, for people. */
  readonly words: string;
}

/** Which numbers fit. */
export interface Range {
  readonly whole: boolean;
  readonly min: number;
  /** Left out where nothing but the machine ends it. */
  readonly max?: number;
  /** `min` itself is too low. */
  readonly above?: true;
}

/** How a form asks for a value. */
export type Widget =
  | { readonly kind: "switch"; readonly on: string; readonly off: string }
  | { readonly kind: "select" | "choices"; readonly options: readonly Choice[] }
  /** With `nullable`, empty stands for null. */
  | ({ readonly kind: "number"; readonly nullable?: true } & Range)
  | { readonly kind: "text"; readonly nullable: boolean; readonly reading?: Reading }
  | { readonly kind: "lines"; readonly reading?: Reading }
  /** A text that is never shown, and can be replaced. */
  | { readonly kind: "secret"; readonly nullable: boolean }
  /** Changed by an action of its own, never with the form. */
  | { readonly kind: "password" | "sessions" };

/** What a number means, in a few words beside it. */
export interface Meaning {
  /** Of single numbers. */
  readonly of?: Readonly<Record<number, string>>;
  /** Of all others; `#` stands for the number. */
  readonly others?: string;
  /** From `from` on in a unit that is `per` of the field's own, ascending; `about` where no such unit is quite that. */
  readonly larger?: readonly {
    readonly from: number;
    readonly per: number;
    readonly unit: string;
    readonly about?: true;
  }[];
}

/** What a form shows of a field. */
export interface Shown {
  readonly label: string;
  /** Sentences. */
  readonly help: string;
  readonly unit?: string;
  /** What an empty control stands for, where that is not nothing. */
  readonly empty?: string;
  readonly meaning?: Meaning;
  /** Most people never touch it: it comes last in its section, under "Rarely needed". */
  readonly rare?: true;
  /** Differs in each installation: a form offers no way back to the initial value. */
  readonly own?: true;
  /** It decides what is deleted, or when; or where downloading stops. */
  readonly decides?: "deleting" | "downloading";
}

/** How the text of an environment variable becomes a value; `letters` makes a list of its characters. */
export type EnvReading = "boolean" | "letters" | "list" | "number" | "text";

/** A stored section, as the file has it. */
type Stored = Readonly<Record<string, unknown>>;

interface About extends Shown {
  /** How soon a change really counts, where that is sooner than the tier of the section promises. */
  readonly applies?: Tier;
  readonly env?: { readonly name: string; readonly read: EnvReading };
  /** Never shown. With a `remedy` it is not taken from an API body either, and that is how it is set instead. */
  readonly secret?: { readonly remedy: string | null };
  /** What is shown of a value that contains a secret. Sent back like that, the value stays as it is. */
  readonly shownAs?: (value: string) => string;
  /** Whether the first value, in place of a stored one that cannot be used, would let the next visitor choose the password. */
  readonly opensFirstRun?: (stored: Stored) => boolean;
  /** A switch of its section that is off while the stored value cannot be used: what it offers would be open to all. */
  readonly guards?: string;
  /** Nothing reads it yet, so the settings page does not offer it. */
  readonly unread?: true;
}

/** What a field accepts, and how a form asks for it. */
export interface Kind<T> {
  /** Messages are the rest of a sentence that begins with the field's path, such as `must be true or false`. */
  readonly check: v.GenericSchema<unknown, T>;
  readonly widget: Widget;
}

/**
 * What counts in place of a stored value that cannot be used, where the initial value would delete more than was meant,
 * and the sentence about that. Without it that is the initial value.
 */
interface Safest<T> {
  readonly value: T;
  readonly words: string;
}

export interface Field<T> extends Kind<T>, About {
  readonly initial: T;
  readonly safest?: Safest<T>;
}

export interface Section<F> {
  readonly tier: Tier;
  readonly label: string;
  readonly fields: F;
}

/** A setting of a kind, with its initial value, which is frozen when it is a list. */
export function field<T>(
  kind: Kind<T>,
  initial: NoInfer<T>,
  about: About & { readonly safest?: Safest<NoInfer<T>> },
): Field<T> {
  return Object.freeze({ ...kind, ...about, initial: freezeList(initial) });
}

export function section<F>(tier: Tier, label: string, fields: F): Section<F> {
  return { tier, label, fields };
}

/** A list that nothing can change any more; anything else as it is. */
export function freezeList<T>(value: T): T {
  return Array.isArray(value) ? (Object.freeze([...value]) as T) : value;
}

/** Which numbers fit, after "must be" or "Write". @param figure a number as it is shown */
export function rangeInWords({ whole, min, max, above }: Range, figure: (bound: number) => string = String): string {
  if (above) return `a number above ${min} and at most ${figure(max ?? 0)}`;
  const range = max === undefined ? `from ${min}` : `from ${min} to ${figure(max)}`;
  return `a ${whole ? "whole number" : "number"} ${range}`;
}

/** Everything there is to say of a field without its page: name, unit, help, and what its codes mean. */
export function describeField({ label, unit, help, widget, empty }: Field<unknown>): string {
  const named = unit === undefined || label.includes(`, in ${unit}`) ? label : `${label}, in ${unit}`;
  const codes = "options" in widget ? widget.options.map(({ value, words }) => `${value}: ${words}.`) : [];
  const none = widget.kind === "number" && widget.nullable ? [`Null: ${empty}.`] : [];
  return [`${named}. ${help}`, ...codes, ...none].join(" ");
}
