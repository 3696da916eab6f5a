import type * as v from "valibot";

/** Settings are plain data that the file, the API, the page, the first start and the README are made from. */

/** Time at which a change takes effect: at once, with the next sync, or after a restart. */
export type Tier = "immediate" | "next_tick" | "restart";

/** A text that has a reading of its own, which a form can show while it is typed. */
export type TextReading =
  | "address"
  | "age"
  | "age_or_always"
  | "broker"
  | "code"
  | "cron"
  | "delay"
  | "gateway"
  | "host_name"
  | "network"
  | "path"
  | "target"
  | "time"
  | "time_zone"
  /** Set together with the password of its account. */
  | "viewer_name";

export interface Choice {
  readonly value: string;
  /** Meaning of the value, for people. */
  readonly words: string;
}

/** Numbers that fit. */
export interface Range {
  readonly whole: boolean;
  readonly min: number;
  /** Left out where nothing but the machine ends it. */
  readonly max?: number;
  /** `min` itself is too low. */
  readonly above?: true;
}

/** Control by which a form asks for a value. */
export type Widget =
  | { readonly kind: "switch"; readonly on: string; readonly off: string }
  | { readonly kind: "select" | "choices"; readonly options: readonly Choice[] }
  /** Empty stands for null with `nullable`. */
  | ({ readonly kind: "number"; readonly nullable?: true } & Range)
  | { readonly kind: "text"; readonly nullable: boolean; readonly reading?: TextReading }
  | { readonly kind: "lines"; readonly reading?: TextReading }
  /** A text that is never shown, and can be replaced. */
  | { readonly kind: "secret"; readonly nullable: boolean }
  /** Changed by an action of its own, never with the form. */
  | { readonly kind: "password" | "sessions" | "viewer" }
  /** Changed on a page of its own; `values` says in words what it takes. */
  | { readonly kind: "page"; readonly values: string };

/** Meaning of a number, in a few words beside it. */
export interface Meaning {
  /** Words for single numbers. */
  readonly of?: Readonly<Record<number, string>>;
  /** Words for all others; `#` stands for the number. */
  readonly others?: string;
  /**
   * Words from `from` on in a unit that is `per` of the field's own, ascending; `about` where no such unit is quite
   * that.
   */
  readonly larger?: readonly {
    readonly from: number;
    readonly per: number;
    readonly unit: string;
    readonly about?: true;
  }[];
}

/** Texts and words of a field in a form. */
export interface Shown {
  readonly label: string;
  /** Sentences. */
  readonly help: string;
  readonly unit?: string;
  /** Meaning of an empty control, unless it means nothing. */
  readonly empty?: string;
  readonly meaning?: Meaning;
  /** Most people never touch it: it comes last in its section, under "Rarely needed". */
  readonly rare?: true;
  /** Differs in each installation: a form offers no way back to the initial value. */
  readonly own?: true;
  /** Page that belongs to it, and the words of the link to it. */
  readonly page?: { readonly path: `/${string}`; readonly words: string };
  /** It decides about deleting, or where downloading stops. */
  readonly decides?: "deleting" | "downloading";
}

/** Reading that turns the text of an environment variable into a value; `letters` makes a list of its characters. */
export type EnvReading = "boolean" | "letters" | "list" | "number" | "text";

/** A stored section, as the file has it. */
type Stored = Readonly<Record<string, unknown>>;

interface About extends Shown {
  /** Time at which a change really counts, where that is sooner than the tier of the section promises. */
  readonly applies?: Tier;
  readonly env?: { readonly name: string; readonly read: EnvReading };
  /** Never shown. With a `remedy` it is not taken from an API body either, and that is how it is set instead. */
  readonly secret?: { readonly remedy: string | null };
  /** Hides the secret part of a value. The value stays as it is when a request sends back this text. */
  readonly shownAs?: (value: string) => string;
  /** Puts the secret parts of a list's entries back that come as they were shown, wherever they stand in the list now. */
  readonly withHidden?: (sent: readonly unknown[], stored: readonly string[]) => unknown[];
  /**
   * True when the initial value would let the next visitor choose the password, in place of a stored one that cannot
   * be used.
   */
  readonly opensFirstRun?: (stored: Stored) => boolean;
  /** A switch of its section that is off while the stored value cannot be used: what it offers would be open to all. */
  readonly guards?: string;
  /** Nothing reads it yet, so the settings page does not offer it. */
  readonly unread?: true;
}

/** Values that a field accepts, and the control that asks for them. */
export interface Kind<T> {
  /** Messages are the rest of a sentence that begins with the field's path, such as `must be true or false`. */
  readonly check: v.GenericSchema<unknown, T>;
  readonly widget: Widget;
}

/**
 * Value that counts in place of a stored one that cannot be used, and the sentence about that. It is given where the
 * initial value would delete more than was meant. Without it the initial value counts.
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

/** Says which numbers fit, after "must be" or "Write". @param figure a number as it is shown */
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
