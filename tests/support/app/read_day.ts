import type { RunningApp } from "./app.ts";

/** Resolves when the service has read every file of a day: until then pages ask for what is missing, and may move. */
export async function readDay({ client }: Pick<RunningApp, "client">, date: string): Promise<void> {
  for (;;) {
    const { days } = await (await client.fetch(`/api/viewer/trips?date=${date}`)).json();
    if (days[0]?.trips.every((trip: { is_complete: boolean }) => trip.is_complete)) return;
  }
}
