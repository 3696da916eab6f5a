import type { Field, TextReading } from "../settings/field.ts";
import { fieldsOf, type SectionName, type Settings, settingOf } from "../settings/settings.ts";
import type { Placeholders, PrivateKind } from "./placeholders.ts";

/** Texts whose form lets nothing private in. */
const OPEN: readonly TextReading[] = ["age", "age_or_always", "code", "cron", "delay", "time", "time_zone"];
const ADDRESSES: readonly TextReading[] = ["address", "gateway", "host_name", "network", "target"];

/** The settings of these sections as others may see them, in the order of the file. */
export function supportSettings(
  settings: Settings,
  sections: readonly SectionName[],
  places: Placeholders,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return Object.fromEntries(
    sections.map((name) => [
      name,
      Object.fromEntries(
        fieldsOf(name).map(([key, field]) => [key, shownSetting(field, settingOf(settings, name, key), places)]),
      ),
    ]),
  );
}

/** A value as others may see it: of texts only those that have nothing private, as they are. */
function shownSetting(field: Field<unknown>, value: unknown, places: Placeholders): unknown {
  if (value === null || value === "" || typeof value === "boolean" || typeof value === "number") return value;
  if (field.secret) return places.of("secret", String(value));
  if (JSON.stringify(value) === JSON.stringify(field.initial)) return value;
  const { widget } = field;
  if (widget.kind === "select" || widget.kind === "choices") return value;
  const reading = "reading" in widget ? widget.reading : undefined;
  const shown = (one: unknown) =>
    widget.kind === "page" ? places.of("place", JSON.stringify(one)) : shownText(String(one), reading, places);
  if (Array.isArray(value)) return value.map(shown);
  // Nothing else is known of a value that is no text.
  return typeof value === "string" ? shown(value) : places.of("name", JSON.stringify(value));
}

function shownText(text: string, reading: TextReading | undefined, places: Placeholders): string {
  if (reading !== undefined && OPEN.includes(reading)) return text;
  if (reading === "path") return places.text(text);
  const [, scheme = ""] = /^([a-z]+:\/\/)/i.exec(text) ?? [];
  const kind: PrivateKind = scheme !== "" || (reading && ADDRESSES.includes(reading)) ? "address" : "name";
  return scheme + places.of(kind, text);
}
