import { AppError } from "../answers/errors.ts";
import type { Field } from "./field.ts";
import { checkField, contradictions, type FieldError } from "./field_check.ts";
import { MOST_ENTRIES } from "./field_kinds.ts";
import { buildSettings, fieldsOf, MASK, masked, type SectionName, type Settings, settingOf } from "./settings.ts";
import { wholePathProblem } from "./whole_path.ts";

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
    const field = fields.get(key);
    const stored = settingOf(settings, section, key);
    const value = withHidden(field, body[key], stored);
    const path = `${section}.${key}`;
    if (!field) {
      unknown.push({ path, message: `${path} is not a setting` });
    } else if (field.secret?.remedy) {
      secrets.push({ path, message: `${path} cannot be changed here: ${field.secret.remedy}` });
    } else {
      const checked = checkField(path, field, value);
      const error = checked.error ?? newPathError(path, field, checked.value, stored);
      if (checked.error && checked.errors) wrong.push(...checked.errors);
      else if (error) wrong.push(error);
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

/** The value that was sent, with what was hidden in the entries of a list. */
function withHidden(field: Field<unknown> | undefined, sent: unknown, stored: unknown): unknown {
  if (!field?.withHidden || !Array.isArray(sent) || !Array.isArray(stored) || sent.length > MOST_ENTRIES) return sent;
  return field.withHidden(sent, stored.map(String));
}

/** A relative path that is stored already goes on as it is: another one in its place would move the recordings. */
function newPathError(path: string, { widget }: Field<unknown>, value: unknown, before: unknown): FieldError | null {
  if (widget.kind !== "text" || widget.reading !== "path" || typeof value !== "string" || value === before) return null;
  const problem = wholePathProblem(value);
  return problem === null ? null : { path, message: `${path} is not usable: ${problem}` };
}

function summary(errors: readonly FieldError[]): string {
  const count = errors.length === 1 ? "a field is" : `${errors.length} fields are`;
  return `Nothing was changed, because ${count} not valid`;
}
