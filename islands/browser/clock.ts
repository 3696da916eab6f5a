import { ZoneTime } from "../../server/domain/text/zone_time.ts";

const EVERY_MS = 20_000;

/** Lets the clock in the bar go on, in the zone the server had drawn it in. */
export function startClock(page: Document): void {
  const face = page.querySelector<HTMLTimeElement>("[data-clock]");
  const id = face?.dataset["clock"];
  if (!face || id === undefined) return;
  const zone = new ZoneTime(id);
  // The browser's own clock may be wrong; only its pace is used.
  const ahead = Date.parse(face.dateTime) - Date.now();
  const tick = () => {
    if (page.hidden) return;
    const now = Date.now() + ahead;
    const words = `${zone.day(now, now)}, ${zone.clock(now)} ${zone.name(now)}`;
    if (face.textContent === words) return;
    face.textContent = words;
    face.title = zone.whole(now);
    face.dateTime = new Date(now).toISOString();
  };
  setInterval(tick, EVERY_MS);
  page.addEventListener("visibilitychange", tick);
}
