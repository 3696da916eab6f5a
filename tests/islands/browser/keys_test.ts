import { describe, expect, test } from "bun:test";
import { areKeysOn, isTyping, startKeys } from "../../../islands/browser/keys.ts";
import { DomPage } from "../../support/browser/dom.ts";

const BODY = `<button id="open" data-open-keys></button>
<dialog data-modal="keys" id="list"><form><label><input type="checkbox" name="keys" id="box" checked></label></form></dialog>
<input type="search" id="search"><textarea id="text"></textarea><div contenteditable id="rich"></div>
<select id="choice"></select><button id="button"></button>`;

function started(body = BODY): DomPage {
  const dom = new DomPage(body);
  startKeys(dom.page);
  return dom;
}
const isListOpen = (dom: DomPage) => (dom.get("list") as HTMLDialogElement).open;

describe("the keys of all pages", () => {
  test("? opens the list, and so does its button", async () => {
    await using dom = started();
    dom.press("?");
    expect(isListOpen(dom)).toBe(true);
    (dom.get("list") as HTMLDialogElement).close();
    dom.get("open").click();
    expect(isListOpen(dom)).toBe(true);
  });

  test("/ goes to the search field without writing into it", async () => {
    await using dom = started();
    const event = dom.press("/");
    expect(dom.page.activeElement?.id).toBe("search");
    expect(event.defaultPrevented).toBe(true);
  });

  test("/ is left to the browser where there is nothing to search", async () => {
    await using dom = started(BODY.replace('type="search"', 'type="text"'));
    expect(dom.press("/").defaultPrevented).toBe(false);
  });

  for (const [letter, path] of [
    ["d", "/"],
    ["v", "/viewer"],
    ["s", "/stats"],
    ["l", "/logs"],
    ["e", "/settings"],
  ] as const)
    test(`G and ${letter.toUpperCase()} lead to ${path}`, async () => {
      await using dom = started();
      dom.press("g");
      dom.press(letter);
      expect(dom.left).toEqual([path]);
    });

  test("a letter alone, one after another key, or one that leads nowhere changes no page", async () => {
    await using dom = started();
    for (const key of ["s", "g", "x", "s", "g", "G", "l"]) dom.press(key);
    expect(dom.left).toEqual([]);
  });

  test("the second letter of a pair is no key of the page beneath", async () => {
    await using dom = started();
    const heard: string[] = [];
    dom.page.addEventListener("keydown", ({ key }) => heard.push(key));
    dom.press("g");
    dom.press("e");
    expect(heard).toEqual(["g"]);
  });

  test("typing into a field, holding another key or an open dialog takes the keys away from the page", async () => {
    await using dom = started();
    for (const id of ["search", "text", "rich", "choice"]) dom.press("?", dom.get(id));
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) dom.press("?", undefined, more);
    expect(isListOpen(dom)).toBe(false);
    dom.press("?");
    dom.press("g");
    dom.press("s");
    expect(dom.left).toEqual([]);
  });

  test("a key that a part of the page has handled is not handled again", async () => {
    await using dom = started();
    dom.get("button").addEventListener("keydown", (event) => event.preventDefault());
    dom.press("?", dom.get("button"));
    expect(isListOpen(dom)).toBe(false);
  });

  test("can be switched off in the list, for good, and on again", async () => {
    await using dom = started();
    const box = dom.get("box") as HTMLInputElement;
    const turn = (on: boolean) => {
      box.checked = on;
      box.dispatchEvent(dom.event("change"));
    };
    turn(false);
    expect(areKeysOn(dom.page)).toBe(false);
    dom.press("?");
    dom.press("g");
    dom.press("s");
    expect([isListOpen(dom), dom.left]).toEqual([false, []]);
    box.checked = true;
    startKeys(dom.page);
    expect(box.checked).toBe(false);
    turn(true);
    expect(areKeysOn(dom.page)).toBe(true);
    dom.press("?");
    expect(isListOpen(dom)).toBe(true);
  });

  test("stay on where the browser keeps nothing", async () => {
    await using dom = started();
    const view = dom.page.defaultView;
    if (!view) throw new Error("no window");
    Object.defineProperty(view, "localStorage", {
      get() {
        throw new Error("SecurityError");
      },
    });
    const box = dom.get("box") as HTMLInputElement;
    box.checked = false;
    box.dispatchEvent(dom.event("change"));
    expect(areKeysOn(dom.page)).toBe(true);
  });
});

test("isTyping() is true for fields only, and for nothing that is no element", async () => {
  await using dom = started();
  const ids = ["search", "text", "rich", "choice", "box", "button", "list"];
  expect(ids.map((id) => isTyping(dom.get(id)))).toEqual([true, true, true, true, true, false, false]);
  expect([null, dom.page].map(isTyping)).toEqual([false, false]);
});
