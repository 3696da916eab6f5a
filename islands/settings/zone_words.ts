import { zoneName } from "../../server/domain/text/format.ts";

/** What a zone is called now and how far from UTC it is; empty when this browser does not know it. */
export function zoneInWords(zone: string, now: number): string {
  if (zone === "UTC") return "";
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    const offset = format.formatToParts(now).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const name = zoneName(now, zone);
    const words = offset === "GMT" ? "UTC+00:00" : offset.replace("GMT", "UTC");
    return name === zone ? words : `${name}, ${words}`;
  } catch {
    return "";
  }
}
