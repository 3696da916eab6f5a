import { formatClock, formatDay, formatMoment, zoneName } from "../../server/domain/text/format.ts";

const EVERY_MS = 20_000;

/** Lets the clock in the bar go on, in the zone the server had drawn it in. */
export function startClock(page: Document): void {
  const face = page.querySelector<HTMLTimeElement>("[data-clock]");
  const zone = face?.dataset["clock"];
  if (!face || zone === undefined) return;
  // The browser's own clock may be wrong; only its pace is used.
  const ahead = Date.parse(face.dateTime) - Date.now();
  const tick = () => {
    if (page.hidden) return;
    const now = Date.now() + ahead;
    const words = `${formatDay(now, zone, now)}, ${formatClock(now, zone)} ${zoneName(now, zone)}`;
    if (face.textContent === words) return;
    face.textContent = words;
    face.title = formatMoment(now, zone);
    face.dateTime = new Date(now).toISOString();
  };
  setInterval(tick, EVERY_MS);
  page.addEventListener("visibilitychange", tick);
}
