type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Sends `input` for each control that was typed into, or filled in by the browser, before the script came. */
export function adoptTyped(form: HTMLElement): void {
  for (const control of form.querySelectorAll<Control>("[data-section] [name]"))
    if (hasChanged(control)) control.dispatchEvent(new Event("input", { bubbles: true }));
}

function hasChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some((option) => option.selected !== option.defaultSelected);
  if (control instanceof HTMLInputElement && control.type === "checkbox")
    return control.checked !== control.defaultChecked;
  return control.type !== "hidden" && control.value !== control.defaultValue;
}

/** Brings the focus to a control once the page has been drawn anew. */
export function focusControl(id: string): void {
  requestAnimationFrame(() => {
    const control = document.getElementById(id);
    unfold(control);
    control?.focus();
  });
}

/** Opens what an element is folded away in. @returns whether anything was closed */
export function unfold(element: Element | null): boolean {
  const closed = element?.closest<HTMLDetailsElement>("details:not([open])");
  if (!closed) return false;
  closed.open = true;
  unfold(closed);
  return true;
}
