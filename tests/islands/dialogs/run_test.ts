import { afterEach, beforeEach, describe, expect, jest, spyOn, test } from "bun:test";
import { showRun } from "../../../islands/dialogs/run.ts";
import { DomPage, settled } from "../../support/browser/dom.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    jest.advanceTimersByTime(1000);
    await settled();
  }
}

describe("the dialog of a run", () => {
  test("says that the run has left the history, and not that the service is away", async () => {
    await using dom = new DomPage(
      '<p id="no-connection" hidden></p><a id="way" data-dialog="run" href="/stats/runs/7">Run</a>',
    );
    const asked: string[] = [];
    using service = spyOn(globalThis, "fetch");
    service.mockImplementation(
      Object.assign(
        async (path: string | URL | Request) => {
          asked.push(String(path));
          return new Response("<p>Not found</p>", { status: 404 });
        },
        { preconnect: fetch.preconnect },
      ),
    );
    await showRun(dom.page, dom.get("way") as HTMLAnchorElement);
    await pass(30);
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set(asked)).toEqual(new Set(["/hx/stats/runs/7"]));
    expect(dom.page.querySelector("dialog .dialog-body")?.textContent).toBe("This run is not in the history any more.");
    expect(dom.get("no-connection").hidden).toBe(true);
    dom.page.querySelector("dialog")?.close();
  });
});
