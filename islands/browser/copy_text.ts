/** Copies a text to the clipboard, also on plain HTTP, where scripts are given none. @returns whether it worked */
export async function copyText(page: Document, text: string): Promise<boolean> {
  const { clipboard } = page.defaultView?.navigator ?? {};
  try {
    if (clipboard) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // Not allowed; `execCommand` may be.
  }
  return copySelected(page, text);
}

function copySelected(page: Document, text: string): boolean {
  const focused = page.activeElement as HTMLElement | null;
  const field = page.createElement("textarea");
  field.className = "sr";
  field.value = text;
  page.body.append(field);
  field.select();
  try {
    return page.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    focused?.focus({ preventScroll: true });
  }
}
