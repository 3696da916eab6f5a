import type { ZoneTime } from "../../server/domain/text/zone_time.ts";

const EVERY_MS = 20_000;

/** Keeps the clock in the bar going, in the zone the server has drawn it in. */
export function startClock(page: Document): void {
  const shown = page.querySelector<HTMLTimeElement>("[data-clock]");
  const drawn = shown?.dataset["clock"];
  if (!shown || drawn === undefined) return;
  let zone: ZoneTime | null = null;
  // The browser's own clock may be wrong; only its pace is used.
  const ahead = Date.parse(shown.dateTime) - Date.now();
  const tick = async () => {
    if (page.hidden) return;
    // The first tick is a while away: no page waits for the script of times.
    zone ??= (await import("../../server/domain/text/zone_time.ts")).ZoneTime.from(drawn);
    const now = Date.now() + ahead;
    const words = `${zone.day(now, now)}, ${zone.clock(now)} ${zone.name(now)}`;
    if (shown.textContent === words) return;
    shown.textContent = words;
    shown.title = zone.whole(now);
    shown.dateTime = new Date(now).toISOString();
  };
  // Without an answer the next tick tries again.
  const tryTick = () => void tick().catch(() => {});
  setInterval(tryTick, EVERY_MS);
  page.addEventListener("visibilitychange", tryTick);
}
