import type { App } from "../app.ts";
import { SECTIONS } from "../domain/settings/settings.ts";

/** The time zone in force while none was chosen, else null: then the browser's is offered in its place. */
export function openZone({ settings, isZoneGiven }: Pick<App, "settings" | "isZoneGiven">): string | null {
  const { timezone } = settings.current.schedule;
  return timezone === SECTIONS.schedule.fields.timezone.initial && !isZoneGiven ? timezone : null;
}
