import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { type ConfigChange, type ConfigVisit, openChanges } from "./config_changes.ts";
import { shownValue } from "./config_value.ts";
import { isSecret } from "./secret_settings.ts";

/** A change of the camera's settings as people read it. */
export interface ShownChange {
  readonly key: string;
  readonly label: string;
  /** Epoch milliseconds of the visit at which it was seen. */
  readonly at: number;
  /** Words for the value; empty for a setting that was not there. */
  readonly from: string;
  readonly to: string;
  /** True for a password: its old and new value stay untold. */
  readonly isSecret: boolean;
}

/** Lists the changes not dismissed yet: each setting once, with its first and its present value, the newest first. */
export function unseenChanges(visits: readonly ConfigVisit[], format: TimeFormat = USUAL_FORMAT): ShownChange[] {
  const lastAt = new Map<string, string>();
  for (const { changes, dismissed, at } of visits) if (!dismissed) for (const { key } of changes) lastAt.set(key, at);
  return openChanges(visits)
    .map((change) => shown(change, lastAt.get(change.key) ?? "", format))
    .sort((one, other) => other.at - one.at);
}

/** Everything that is remembered, visit by visit, the newest first. */
export function allChanges(visits: readonly ConfigVisit[], format: TimeFormat = USUAL_FORMAT): ShownChange[] {
  return visits.toReversed().flatMap(({ changes, at }) => changes.map((change) => shown(change, at, format)));
}

function shown({ key, label, from, to }: ConfigChange, at: string, format: TimeFormat): ShownChange {
  const dot = key.indexOf(".");
  const place = { section: key.slice(0, dot), key: key.slice(dot + 1) };
  const secret = isSecret(place);
  const inWords = (value: string) => (secret ? "" : shownValue({ ...place, value }, format));
  return { key, label, at: Date.parse(at), from: inWords(from), to: inWords(to), isSecret: secret };
}
