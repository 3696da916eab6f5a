import { describe, expect, test } from "bun:test";
import { morph } from "../../islands/morph.ts";
import { DomPage } from "../support/dom.ts";

function pair(dom: DomPage, shown: string, fresh: string): [Element, Element] {
  dom.page.body.innerHTML = shown;
  const template = dom.page.createElement("template");
  template.innerHTML = fresh;
  const [old, wanted] = [dom.page.body.firstElementChild, template.content.firstElementChild];
  if (!old || !wanted) throw new Error("both must be one element");
  return [old, wanted];
}

describe("morph()", () => {
  const rows: [what: string, shown: string, fresh: string][] = [
    ["a text", "<p>1 file</p>", "<p>2 files</p>"],
    ["an attribute that changes, comes and goes", '<p a="1" b="2">x</p>', '<p a="3" c="4">x</p>'],
    ["an element that is new at the end", "<ul><li>a</li></ul>", "<ul><li>a</li><li>b</li></ul>"],
    ["elements that are gone", "<ul><li>a</li><li>b</li><li>c</li></ul>", "<ul><li>c</li></ul>"],
    ["an element of another kind", "<p><b>x</b></p>", "<p><i>x</i></p>"],
    ["an element where a text was", "<p>x</p>", "<p><b>x</b></p>"],
    ["a text where an element was", "<p><b>x</b> y</p>", "<p>x y</p>"],
    ["a text between elements", "<p><b>1</b> of <b>2</b></p>", "<p><b>1</b> from <b>2</b></p>"],
    ["a part that is empty now", "<div><p>x</p></div>", "<div></div>"],
    ["a part that was empty", "<div></div>", "<div>x<p>y</p></div>"],
    ["a comment", "<p><!--a-->x</p>", "<p><!--b-->x</p>"],
    ["a drawing", '<svg><use href="#a"></use></svg>', '<svg class="i"><use href="#b"></use></svg>'],
  ];
  for (const [what, shown, fresh] of rows)
    test(`changes ${what}`, async () => {
      await using dom = new DomPage("");
      const [old, wanted] = pair(dom, shown, fresh);
      const expected = wanted.outerHTML;
      morph(old, wanted);
      expect(dom.page.body.innerHTML).toBe(expected);
    });

  test("leaves open what somebody has opened", async () => {
    await using dom = new DomPage("");
    const part = (words: string) => `<div><details><summary>and 2 more</summary>${words}</details></div>`;
    const [old, wanted] = pair(dom, part("a"), part("b"));
    old.querySelector("details")?.setAttribute("open", "");
    morph(old, wanted);
    expect(dom.page.body.innerHTML).toBe(part("b").replace("<details>", '<details open="">'));
  });

  test("keeps every element that stays, and with it focus and loaded pictures", async () => {
    await using dom = new DomPage("");
    const [old, wanted] = pair(
      dom,
      '<div><p>1</p><button id="b" class="x">Stop</button><img id="i" src="/a.jpg" alt=""></div>',
      '<div><p>2</p><button id="b" class="y">Stop</button><img id="i" src="/a.jpg" alt=""><p>new</p></div>',
    );
    const [button, picture] = [dom.get("b"), dom.get("i")];
    button.focus();
    morph(old, wanted);
    expect(dom.page.activeElement).toBe(button);
    expect(dom.get("b")).toBe(button);
    expect(button.className).toBe("y");
    expect(dom.get("i")).toBe(picture);
  });

  test("touches nothing where nothing is different", async () => {
    await using dom = new DomPage("");
    const same = '<div class="cell" data-every="5"><p>4.2 GB <b>home</b></p></div>';
    const [old, wanted] = pair(dom, same, same);
    const text = old.querySelector("p")?.firstChild;
    const Watcher = dom.page.defaultView?.MutationObserver;
    if (!Watcher) throw new Error("no window");
    const watcher = new Watcher(() => {});
    watcher.observe(dom.page.body, { subtree: true, childList: true, attributes: true, characterData: true });
    morph(old, wanted);
    expect(watcher.takeRecords()).toEqual([]);
    expect(old.querySelector("p")?.firstChild).toBe(text ?? null);
  });
});
