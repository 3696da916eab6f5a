/** Puts a text where it can be pasted. @returns whether the browser let us */
export async function copyText(page: Document, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without HTTPS browsers have no clipboard; the old way still works.
    return copyBySelection(page, text);
  }
}

function copyBySelection(page: Document, text: string): boolean {
  const had = page.activeElement;
  const field = page.createElement("textarea");
  field.className = "sr";
  field.value = text;
  page.body.append(field);
  field.select();
  const isCopied = page.execCommand("copy");
  field.remove();
  if (had instanceof HTMLElement) had.focus({ preventScroll: true });
  return isCopied;
}
