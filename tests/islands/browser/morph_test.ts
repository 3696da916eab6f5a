import { describe, expect, test } from "bun:test";
import { morph } from "../../../islands/browser/morph.ts";
import { DomPage } from "../../support/browser/dom.ts";

function pair(dom: DomPage, shown: string, fresh: string): [Element, Element] {
  dom.page.body.innerHTML = shown;
  const template = dom.page.createElement("template");
  template.innerHTML = fresh;
  const old = dom.page.body.firstElementChild;
  const wanted = template.content.firstElementChild;
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

  test("leaves open what the reader has opened", async () => {
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
    const button = dom.get("b");
    const picture = dom.get("i");
    button.focus();
    morph(old, wanted);
    expect(dom.page.activeElement).toBe(button);
    expect(dom.get("b")).toBe(button);
    expect(button.className).toBe("y");
    expect(dom.get("i")).toBe(picture);
  });

  const list = (...rows: string[]) =>
    `<ul>${rows.map((row) => `<li id="row-${row}"><button>Undo</button><b>${row}</b></li>`).join("")}</ul>`;
  const moves: [what: string, shown: string[], fresh: string[]][] = [
    ["rows come above it", ["b", "c"], ["z", "a", "b", "c"]],
    ["rows above it go", ["a", "b", "c"], ["b", "c"]],
    ["one goes and another comes", ["a", "b"], ["b", "c"]],
    ["it is in another place", ["a", "b", "c"], ["c", "b", "a"]],
    ["nothing else stays", ["x", "b", "y"], ["b"]],
  ];
  for (const [what, shown, fresh] of moves)
    test(`leaves the focus on the same row when ${what}`, async () => {
      await using dom = new DomPage("");
      const [old, wanted] = pair(dom, list(...shown), list(...fresh));
      const button = dom.get("row-b").querySelector("button");
      button?.focus();
      morph(old, wanted);
      expect(dom.page.body.innerHTML).toBe(list(...fresh));
      expect(dom.page.activeElement).toBe(button);
      expect(button?.closest("li")?.id).toBe("row-b");
    });

  test("gives the focus to no other row when its own is gone", async () => {
    await using dom = new DomPage("");
    const [old, wanted] = pair(dom, list("a", "b"), list("a", "c"));
    dom.get("row-b").querySelector("button")?.focus();
    morph(old, wanted);
    expect(dom.page.activeElement).toBe(dom.page.body);
    expect(dom.page.body.innerHTML).toBe(list("a", "c"));
  });

  test("follows a thing into another part, unfolds that when it has the focus, and back", async () => {
    await using dom = new DomPage("");
    const row = (name: string) => `<p id="row-${name}"><button>Undo</button></p>`;
    const folded = (more = "") =>
      `<div>${row("b")}<details${more}><summary>1 more</summary>${row("a")}</details></div>`;
    const [old, wanted] = pair(dom, `<div>${row("a")}</div>`, folded());
    const button = dom.get("row-a").querySelector("button");
    button?.focus();
    morph(old, wanted);
    expect(dom.page.body.innerHTML).toBe(folded(' open=""'));
    expect(dom.page.activeElement).toBe(button);
    const template = dom.page.createElement("template");
    template.innerHTML = `<div>${row("a")}</div>`;
    morph(old, template.content.firstElementChild as Element);
    expect(dom.page.body.innerHTML).toBe(`<div>${row("a")}</div>`);
    expect(dom.page.activeElement).toBe(button);
  });

  test("moves nothing where nothing is held", async () => {
    await using dom = new DomPage("");
    const [old, wanted] = pair(dom, list("b", "c"), list("a", "b"));
    const first = dom.get("row-b");
    morph(old, wanted);
    expect(dom.page.body.innerHTML).toBe(list("a", "b"));
    expect(dom.get("row-a")).toBe(first);
  });

  test("leaves unfolded what was, also under rows that are new", async () => {
    await using dom = new DomPage("");
    const part = (name: string, more = "") => `<details id="${name}"${more}><summary>${name}</summary>x</details>`;
    const [old, wanted] = pair(
      dom,
      `<div>${part("a")}${part("b")}</div>`,
      `<div>${part("z")}${part("a")}${part("b")}</div>`,
    );
    dom.get("b").setAttribute("open", "");
    morph(old, wanted);
    expect(dom.page.body.innerHTML).toBe(`<div>${part("z")}${part("a")}${part("b", ' open=""')}</div>`);
  });

  const odd: [what: string, shown: string, fresh: string][] = [
    ["an id that is there twice", '<p><b id="a">1</b></p>', '<p><b id="a">2</b><b id="a">3</b></p>'],
    ["an id on another kind of element", '<p><b id="a">1</b></p>', '<p><i id="a">1</i></p>'],
    ["an id that has gone inside itself", '<p><b id="a">1</b></p>', '<p><i><b id="a">2</b></i></p>'],
    ["an id that goes outward", '<p><i id="x"><b id="a">1</b></i></p>', '<p><b id="a">1<i id="x">2</i></b></p>'],
    ["ids among things without", "<p>1<b>2</b></p>", '<p><b id="a">0</b>1<b>2</b><b id="c">3</b></p>'],
  ];
  for (const [what, shown, fresh] of odd)
    test(`comes out right with ${what}`, async () => {
      await using dom = new DomPage("");
      const [old, wanted] = pair(dom, shown, fresh);
      const expected = wanted.outerHTML;
      dom.page.getSelection()?.selectAllChildren(old);
      morph(old, wanted);
      expect(dom.page.body.innerHTML).toBe(expected);
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
