/**
 * Makes `shown` look like `fresh` with as few changes as possible: texts and attributes change where they are, so focus,
 * selection, scroll and loaded pictures stay. Only where the structure differs a part is replaced.
 */
export function morph(shown: Element, fresh: Element): void {
  // What somebody has opened stays open.
  for (const { name } of [...shown.attributes])
    if (!fresh.hasAttribute(name) && name !== "open") shown.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  const [old, wanted] = [[...shown.childNodes], [...fresh.childNodes]];
  for (const [at, node] of wanted.entries()) {
    const there = old[at];
    if (!there) shown.append(node);
    else if (isElement(there) && isElement(node) && there.localName === node.localName) morph(there, node);
    else if (there.nodeType !== node.nodeType || isElement(node)) there.replaceWith(node);
    else if (there.nodeValue !== node.nodeValue) there.nodeValue = node.nodeValue;
  }
  for (const extra of old.slice(wanted.length)) extra.remove();
}

/** Not by its class: nodes of another window are elements, too. */
function isElement(node: Node): node is Element {
  return node.nodeType === node.ELEMENT_NODE;
}
