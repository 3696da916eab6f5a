/**
 * Calls back when recordings came or went, which the sentence in the page's bar tells every few seconds while the page is
 * visible: while nothing changes the viewer asks for nothing of its own.
 * @returns what ends it
 */
export function followLibrary(page: Document, changed: () => void): () => void {
  const bar = page.querySelector<HTMLElement>("[data-library]");
  const { defaultView } = page;
  if (!bar || !defaultView) return () => {};
  const observer = new defaultView.MutationObserver(changed);
  observer.observe(bar, { attributeFilter: ["data-library"] });
  return () => observer.disconnect();
}
