import { Window } from "happy-dom";

/**
 * The dashboard as one browser keeps it open: the stream of progress, and every card that a page asks for again and
 * again, as often as it says.
 */
export async function openDashboard(url: string): Promise<AsyncDisposable> {
  const page = await fetch(`${url}/`);
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const window = new Window();
  window.document.write(await page.text());
  const cards = [...window.document.querySelectorAll("[data-poll]")].filter((card) => !card.closest("[data-island]"));
  const polls = cards.map((card) => ({
    path: card.getAttribute("data-poll") ?? "",
    everyMs: Number(card.getAttribute("data-every") ?? 5) * 1000,
  }));
  await window.happyDOM.close();
  if (polls.length === 0) throw new Error("the dashboard has no card that is asked for again");

  const closing = new AbortController();
  const { signal } = closing;
  const headers = { cookie, "hx-request": "true", "hx-current-url": `${url}/` };
  const timers = polls.map(({ path, everyMs }) =>
    setInterval(async () => {
      const answer = await fetch(url + path, { headers, signal }).catch(() => null);
      await answer?.text().catch(() => {});
    }, everyMs),
  );
  const stream = await fetch(`${url}/api/sync/progress/stream`, { headers: { cookie }, signal });
  const reading = (async () => {
    for await (const _ of stream.body ?? []) if (signal.aborted) break;
  })();
  return {
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer);
      closing.abort();
      await reading.catch(() => {});
    },
  };
}
