import { clockOf, wallOf, ZoneTime } from "../../server/domain/text/zone_time.ts";

/** What a zone is called now and how far from UTC it is; empty when this browser does not know it. */
export function zoneInWords(id: string, now: number): string {
  if (id === "UTC") return "";
  try {
    const zone = new ZoneTime(id);
    const [ahead, name] = [zone.offset(now), zone.name(now)];
    const words = `UTC${ahead < 0 ? "-" : "+"}${clockOf(wallOf(Math.abs(ahead)))}`;
    return name === id ? words : `${name}, ${words}`;
  } catch {
    return "";
  }
}

/** Fills the list of the browser's time zones: there are hundreds, so only once the field has the focus. */
export function fillZones(target: EventTarget | null): void {
  if (!(target instanceof HTMLInputElement) || !target.list) return;
  const { list } = target;
  if (list.childElementCount === 0)
    list.append(
      ...["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map(
        (zone) => new Option("", zone),
      ),
    );
}
