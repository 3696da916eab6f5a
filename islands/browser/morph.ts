/**
 * Makes `shown` look like `fresh` with as few changes as possible: texts and attributes change where they are, so
 * focus, selection, scroll and loaded pictures stay. Focused, selected and unfolded parts stay the same things:
 * elements with an id are then the same wherever they go. Other elements are matched by their place, which moves
 * nothing on the page. A part is replaced only where the structure differs.
 */
export function morph(shown: Element, fresh: Element): void {
  const page = shown.ownerDocument;
  const focused = shown.contains(page.activeElement) ? (page.activeElement as HTMLElement) : null;
  const named = new Map([...shown.querySelectorAll("[id]")].map((element) => [element.id, element]));
  const wanted = new Set([...fresh.querySelectorAll("[id]")].map(({ id }) => id));
  change(shown, fresh, { areUsed: focused !== null || isHeld(shown), named, wanted });
  if (!focused?.isConnected || page.activeElement === focused) return;
  // Moving an element takes its focus away; the element may be folded up by now.
  focused.closest("details")?.setAttribute("open", "");
  focused.focus({ preventScroll: true });
}

/** Something is unfolded or selected in it. */
function isHeld(shown: Element): boolean {
  const selection = shown.ownerDocument.getSelection();
  return (
    shown.querySelector("[open]") !== null || (!selection?.isCollapsed && shown.contains(selection?.anchorNode ?? null))
  );
}

interface Names {
  /** True when ids are used; false when everything is matched by its place. */
  readonly areUsed: boolean;
  /** Elements shown before, by id, until each has its place. */
  readonly named: Map<string, Element>;
  /** The ids of what shall be there. */
  readonly wanted: ReadonlySet<string>;
}

function change(shown: Element, fresh: Element, names: Names): void {
  // Parts that the reader has opened stay open.
  for (const { name } of [...shown.attributes])
    if (!fresh.hasAttribute(name) && name !== "open") shown.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  let last: ChildNode | null = null;
  // Asked anew each time: what stood here may have gone into another part meanwhile.
  const next = (): ChildNode | null => (last ? last.nextSibling : shown.firstChild);
  for (const node of [...fresh.childNodes]) {
    for (let gone = next(); gone && isUnwanted(gone, names); gone = next()) gone.remove();
    const at = next();
    const same = take(node, names);
    if (same && !same.contains(shown)) {
      if (same !== at) shown.insertBefore(same, at);
      last = same;
      change(same, node as Element, names);
    } else if (!at || idOf(at, names) || idOf(node, names)) {
      // At this place stands another thing, which comes later.
      const part = withNamed(node, names);
      last = shown.insertBefore(part, next());
    } else if (isElement(at) && isElement(node) && at.localName === node.localName) {
      last = at;
      change(at, node, names);
    } else if (at.nodeType !== node.nodeType || isElement(node)) {
      last = withNamed(node, names);
      at.replaceWith(last);
    } else {
      last = at;
      if (at.nodeValue !== node.nodeValue) at.nodeValue = node.nodeValue;
    }
  }
  for (let extra = next(); extra; extra = next()) extra.remove();
}

/** The element that was there under a node's id; once, so that a doubled id cannot pull it to and fro. */
function take(node: Node, names: Names): Element | null {
  const { named } = names;
  const same = named.get(idOf(node, names));
  if (!same || !isElement(node) || same.localName !== node.localName) return null;
  named.delete(node.id);
  return same;
}

/** A part that is new, but for what was there before and is in it now. */
function withNamed<N extends Node>(part: N, names: Names): N {
  if (isElement(part))
    for (const node of part.querySelectorAll("[id]")) {
      const same = take(node, names);
      if (!same) continue;
      node.replaceWith(same);
      change(same, node, names);
    }
  return part;
}

function isUnwanted(node: Node, names: Names): boolean {
  const id = idOf(node, names);
  return id !== "" && !names.wanted.has(id);
}

/** Empty where it has none, or ids do not count. */
function idOf(node: Node, { areUsed }: Names): string {
  return areUsed && isElement(node) ? node.id : "";
}

/** Not by its class: nodes of another window are elements, too. */
function isElement(node: Node): node is Element {
  return node.nodeType === node.ELEMENT_NODE;
}
