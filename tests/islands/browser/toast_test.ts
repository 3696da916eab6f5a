import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { showToast } from "../../../islands/browser/toast.ts";
import { DomPage } from "../../support/browser/dom.ts";

const BODY =
  '<main id="main" tabindex="-1"><button id="save">Save</button></main><div id="toasts" role="status"></div>';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A page with a toast on it, and the button that dismisses it. */
function shown(): { dom: DomPage; dismiss: HTMLElement } {
  const dom = new DomPage(BODY);
  showToast(dom.page, "fine", "3 changes saved.");
  const dismiss = dom.page.querySelector<HTMLElement>(".toast button");
  if (!dismiss) throw new Error("the toast has no button");
  return { dom, dismiss };
}

describe("showToast()", () => {
  test("says its words for six seconds", async () => {
    const { dom } = shown();
    await using _ = dom;
    jest.advanceTimersByTime(5999);
    expect(dom.get("toasts").textContent).toBe("3 changes saved.");
    jest.advanceTimersByTime(1);
    expect(dom.get("toasts").textContent).toBe("");
  });

  test("leaves the focus alone when it is not on its button", async () => {
    const { dom, dismiss } = shown();
    await using _ = dom;
    dom.get("save").focus();
    dismiss.click();
    expect(dom.page.activeElement?.id).toBe("save");
    expect(dismiss.isConnected).toBe(false);
  });

  const ways: [name: string, go: (dismiss: HTMLElement) => void][] = [
    ["it is dismissed", (dismiss) => dismiss.click()],
    ["its time is over", () => jest.advanceTimersByTime(6000)],
  ];
  for (const [name, go] of ways) {
    test(`gives the focus back to what had it when ${name}`, async () => {
      const { dom, dismiss } = shown();
      await using _ = dom;
      dom.get("save").focus();
      dismiss.focus();
      go(dismiss);
      expect(dom.page.activeElement?.id).toBe("save");
    });

    test(`gives the focus to the content when ${name} and what had it is gone`, async () => {
      const { dom, dismiss } = shown();
      await using _ = dom;
      dom.get("save").focus();
      dismiss.focus();
      dom.get("save").remove();
      go(dismiss);
      expect(dom.page.activeElement?.id).toBe("main");
    });

    test(`gives the focus to the content when ${name} and nothing had it`, async () => {
      const { dom, dismiss } = shown();
      await using _ = dom;
      dismiss.focus();
      go(dismiss);
      expect(dom.page.activeElement?.id).toBe("main");
    });
  }
});
