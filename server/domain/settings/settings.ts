import { type Field, freezeList, type Section, type Tier } from "./field.ts";
import { AUTH } from "./sections/auth.ts";
import { CAMERA } from "./sections/camera.ts";
import { CONNECTION } from "./sections/connection.ts";
import { EXPORT } from "./sections/export.ts";
import { LOGGING } from "./sections/logging.ts";
import { METRICS } from "./sections/metrics.ts";
import { MOMENTS } from "./sections/moments.ts";
import { MQTT } from "./sections/mqtt.ts";
import { NOTIFY } from "./sections/notify.ts";
import { OFFSITE } from "./sections/offsite.ts";
import { PLACES } from "./sections/places.ts";
import { RETENTION } from "./sections/retention.ts";
import { SCHEDULE } from "./sections/schedule.ts";
import { SHARE } from "./sections/share.ts";
import { STATS } from "./sections/stats.ts";
import { SYNC } from "./sections/sync.ts";
import { SYSTEM } from "./sections/system.ts";
import { VIEWER } from "./sections/viewer.ts";
import { WEB } from "./sections/web.ts";
import { SETTINGS_VERSION } from "./settings_migrations.ts";

/**
 * The one schema: every setting, in the order in which the file and the API list them. The file, the API, the settings
 * page, the first start and the README's table are all made from it.
 */
export const SECTIONS = {
  connection: CONNECTION,
  schedule: SCHEDULE,
  sync: SYNC,
  retention: RETENTION,
  logging: LOGGING,
  metrics: METRICS,
  stats: STATS,
  viewer: VIEWER,
  places: PLACES,
  moments: MOMENTS,
  share: SHARE,
  export: EXPORT,
  camera: CAMERA,
  notify: NOTIFY,
  mqtt: MQTT,
  offsite: OFFSITE,
  web: WEB,
  auth: AUTH,
  system: SYSTEM,
} as const satisfies Record<string, Section<Record<string, Field<unknown>>>>;

export type SectionName = keyof typeof SECTIONS;

/** All settings, by section and field. Frozen to the last list, so it can be handed out. */
export type Settings = {
  readonly [S in SectionName]: {
    readonly [F in keyof (typeof SECTIONS)[S]["fields"]]: (typeof SECTIONS)[S]["fields"][F] extends Field<infer T>
      ? T
      : never;
  };
};

/** The names of a section's fields. */
export type FieldName<S extends SectionName> = keyof Settings[S] & string;

/** Answer of `GET /api/settings`. */
export type MaskedSettings = { readonly version: number } & {
  readonly [S in SectionName]: { readonly _tier: Tier } & Readonly<Record<keyof Settings[S], unknown>>;
};

/** Stands for a secret wherever settings are shown, set or not. */
export const MASK = "***";

/** True when a section of that name exists. */
export function isSectionName(name: string): name is SectionName {
  return Object.hasOwn(SECTIONS, name);
}

/** Returns a field's path, as messages and answers name it: `section.field`. */
export function pathOf<S extends SectionName>(section: S, field: FieldName<S>): string {
  return `${section}.${field}`;
}

/** The fields of a section, by name and in order, for readers that treat all alike. */
export function fieldsOf(name: SectionName): readonly (readonly [string, Field<unknown>])[] {
  return Object.entries(SECTIONS[name].fields);
}

/** The names of all sections, in order. */
export const SECTION_NAMES: readonly SectionName[] = Object.freeze(Object.keys(SECTIONS).filter(isSectionName));

/** All fields, in order, for readers to whom the section is no matter. */
export function allFields(): readonly Field<unknown>[] {
  return SECTION_NAMES.flatMap((name) => fieldsOf(name).map(([, field]) => field));
}

/** Every field at its initial value. */
export function initialSettings(): Settings {
  return buildSettings((name) => Object.fromEntries(fieldsOf(name).map(([key, { initial }]) => [key, initial])));
}

/** The settings as a signed-in user may see them: with version and tiers, every secret as `***`. */
export function mask(settings: Settings): MaskedSettings {
  const sections = SECTION_NAMES.map((name) => {
    const values = fieldsOf(name).map(([key, field]) => [key, masked(field, settingOf(settings, name, key))]);
    return [name, { _tier: SECTIONS[name].tier, ...Object.fromEntries(values) }];
  });
  return { version: SETTINGS_VERSION, ...Object.fromEntries(sections) };
}

/** A value as a signed-in user may see it. */
export function masked({ secret, shownAs }: Pick<Field<unknown>, "secret" | "shownAs">, value: unknown): unknown {
  if (secret) return MASK;
  if (shownAs && Array.isArray(value)) return value.map((one) => shownAs(String(one)));
  return shownAs && typeof value === "string" ? shownAs(value) : value;
}

/** One value, by names that are only known at run time. */
export function settingOf(settings: Settings, name: SectionName, key: string): unknown {
  const values: Readonly<Record<string, unknown>> = settings[name];
  return values[key];
}

/**
 * Settings from a function that gives each section's values, which must have passed the fields' checks: this is the
 * one place where checked values become `Settings`. Sections and lists are frozen.
 */
export function buildSettings(valuesOf: (name: SectionName) => Readonly<Record<string, unknown>>): Settings {
  const sections = SECTION_NAMES.map((name) => {
    const values = Object.entries(valuesOf(name)).map(([key, value]) => [key, freezeList(value)]);
    return [name, Object.freeze(Object.fromEntries(values))];
  });
  return Object.freeze(Object.fromEntries(sections));
}
