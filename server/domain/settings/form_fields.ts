import type { Field, Shown, Tier, Widget } from "./field.ts";
import { fieldsOf, masked, SECTIONS, type SectionName, type Settings, settingOf } from "./settings.ts";

/** The settings page as plain data: the schema and the values. No secret is in it. */

export interface FormField extends Shown {
  readonly name: string;
  readonly widget: Widget;
  /** Time at which a change of it counts. */
  readonly tier: Tier;
  /** Value as the control holds it; a secret that is set as `***`. */
  readonly value: string;
  readonly initial: string;
  /** Meaning of an empty control. */
  readonly empty: string;
  /** Value that the running service began with, when a change waits for a restart. */
  readonly running?: string;
  /** Value that was given to this start in place of the setting. The service works with it until it ends. */
  readonly given?: string;
  /** Sentences about a value in the settings file that cannot be used: the value and the consequence. */
  readonly unusable?: string;
}

export interface FormSection {
  readonly name: SectionName;
  readonly fields: readonly FormField[];
}

interface Group<S> {
  readonly name: string;
  readonly intro: string;
  readonly sections: readonly S[];
  /** Closed until it is asked for. */
  readonly folded?: true;
  /** A gap stands above it in the list of groups. */
  readonly isApart?: true;
}

export type FormGroup = Group<FormSection>;

/** Groups of whole sections that belong together by their purpose. */
const GROUPS: readonly Group<SectionName>[] = [
  {
    name: "How often",
    intro: "When a sync starts by itself. Looking for the camera costs nothing while it is away.",
    sections: ["schedule"],
  },
  {
    name: "What to download",
    intro: "Other recordings stay on the camera until the camera overwrites them.",
    sections: ["sync"],
  },
  {
    name: "Keep and delete",
    intro: "Deletes here only, never on the camera. Protected recordings stay.",
    sections: ["retention"],
  },
  { name: "Storage", intro: "Where recordings are saved, and where they are imported from.", sections: ["system"] },
  {
    name: "Camera",
    intro: "The camera’s address, and how long to wait for it. Nothing on the camera is changed.",
    sections: ["connection", "camera"],
    isApart: true,
  },
  {
    name: "Tell me",
    intro: "Dashdock sends a line when something matters.",
    sections: ["notify"],
    isApart: true,
  },
  {
    name: "Home Assistant",
    intro: "Over MQTT. Each camera appears there as one device.",
    sections: ["mqtt"],
  },
  {
    name: "Off-site",
    intro: "A second copy in a bucket that speaks S3. What is deleted here stays there.",
    sections: ["offsite"],
  },
  {
    name: "Sign-in",
    isApart: true,
    intro: "Who may see the recordings and change settings.",
    sections: ["auth"],
  },
  {
    name: "Logs",
    intro: "How much Dashdock writes to its log, and how much is kept.",
    sections: ["logging"],
    folded: true,
  },
  {
    name: "Metrics",
    intro: "Numbers about syncs, for the statistics page and for Prometheus.",
    sections: ["metrics", "stats"],
    folded: true,
  },
  { name: "Viewer", intro: "How trips are played.", sections: ["viewer"] },
  { name: "Places", intro: "Names of where trips begin and end.", sections: ["places"] },
  {
    name: "Moments",
    intro: "How strong a push has to be to be listed. The guide says where the first values come from.",
    sections: ["moments"],
  },
  { name: "Links", intro: "Parts of trips for people without a sign-in.", sections: ["share"] },
  { name: "Evidence", intro: "Packs for the police and the insurer.", sections: ["export"] },
  { name: "Expert", intro: "Most people never change these.", sections: ["web"] },
];

/**
 * The groups of the settings page with every section, and every field that something reads.
 * @param boot the settings the running service began with
 * @param inUse the values it works with where they may be others
 * @param unusable values in the file that cannot be used
 */
export function settingsForm(
  settings: Settings,
  boot: Settings,
  inUse: FormSources["inUse"] = {},
  unusable: FormSources["unusable"] = [],
): FormGroup[] {
  return GROUPS.map(({ sections, ...group }) => ({
    ...group,
    sections: sections.map((name) => ({ name, fields: formFields(name, { settings, boot, inUse, unusable }) })),
  }));
}

interface FormSources {
  readonly settings: Settings;
  readonly boot: Settings;
  /** Values as the controls hold them. */
  readonly inUse: { readonly [S in SectionName]?: { readonly [F in keyof Settings[S]]?: string } };
  readonly unusable: readonly { readonly section: string; readonly key: string; readonly sentence: string }[];
}

/** Those that are rarely needed come last. */
function formFields(section: SectionName, { settings, boot, inUse, unusable }: FormSources): FormField[] {
  const read = fieldsOf(section).filter(([, { unread }]) => !unread);
  const used: Readonly<Record<string, string>> = inUse[section] ?? {};
  const fields = read.map(([name, field]): FormField => {
    // The rest goes to the page.
    const {
      check,
      initial,
      safest,
      applies,
      env,
      secret,
      shownAs,
      withHidden,
      opensFirstRun: opensDoor,
      guards,
      unread,
      ...shown
    } = field;
    const tier = applies ?? SECTIONS[section].tier;
    const held = (from: Settings) => heldText(field, settingOf(from, section, name));
    const given = used[name];
    const wrong = unusable.find((one) => one.section === section && one.key === name)?.sentence;
    return {
      empty: "none",
      ...shown,
      name,
      tier,
      value: held(settings),
      initial: textOf(initial),
      ...(tier === "restart" ? { running: held(boot) } : {}),
      ...(given === undefined || given === held(boot) ? {} : { given }),
      ...(wrong === undefined ? {} : { unusable: wrong }),
    };
  });
  return fields.sort((one, other) => Number(one.rare ?? false) - Number(other.rare ?? false));
}

function heldText(field: Field<unknown>, value: unknown): string {
  return textOf(value) === "" ? "" : textOf(masked(field, Array.isArray(value) ? value : textOf(value)));
}

/** A value as its control holds it. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.map((one) => (hasName(one) ? one.name : one)).join("\n") : String(value);
}

/** True for an entry of a list that is more than a text, such as a place. */
function hasName(entry: unknown): entry is { readonly name: string } {
  return typeof entry === "object" && entry !== null && "name" in entry;
}
