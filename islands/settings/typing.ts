type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Sends `input` for each control that was typed into, or filled in by the browser, before the script came. */
export function adoptTyped(form: HTMLElement): void {
  for (const control of form.querySelectorAll<Control>(
    "[data-section] [name], [data-adopt] input, select[id$=-choice]",
  )) {
    if (!hasChanged(control)) continue;
    control.dispatchEvent(new Event("input", { bubbles: true }));
    if (control instanceof HTMLSelectElement) control.dispatchEvent(new Event("change", { bubbles: true }));
  }
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
    focusable(control)?.focus();
  });
}

/** A control, or the menu beside it while the control itself is hidden. */
export function focusable(control: HTMLElement | null): HTMLElement | null {
  return control?.offsetParent === null ? document.getElementById(`${control.id}-choice`) : control;
}

/** Opens what an element is folded away in. @returns whether anything was closed */
export function unfold(element: Element | null): boolean {
  const closed = element?.closest<HTMLDetailsElement>("details:not([open])");
  if (!closed) return false;
  closed.open = true;
  unfold(closed);
  return true;
}
