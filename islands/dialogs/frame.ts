/** A dialog that is made when it is opened, and gone when it is closed. */
export interface Frame {
  readonly dialog: HTMLDialogElement;
  readonly body: HTMLElement;
  /** Shows how something went: toasts are covered by the dialog. */
  readonly showStatus: (words: string) => void;
  /** Ends with the dialog. */
  readonly closed: AbortSignal;
}

/** Opens a dialog with a button that closes it; the focus goes back to the link that has opened it. */
export function openFrame(page: Document, link: HTMLAnchorElement, name: string, title: string): Frame {
  page.querySelector(`dialog[data-modal="${name}"]`)?.remove();
  const href = link.getAttribute("href");
  const dialog = page.createElement("dialog");
  dialog.className = "dialog dialog-wide";
  dialog.dataset["modal"] = name;
  dialog.setAttribute("aria-label", title);
  const body = page.createElement("div");
  body.className = "dialog-body";
  const close = page.createElement("form");
  close.method = "dialog";
  close.className = "dialog-close";
  const button = page.createElement("button");
  button.className = "b";
  button.textContent = "Close";
  // The content is not there yet; Enter on this button does no harm.
  button.autofocus = true;
  const status = paragraph(page, "", "small soft");
  status.setAttribute("role", "status");
  close.append(status, button);
  dialog.append(body, close);
  page.body.append(dialog);
  const ended = new AbortController();
  dialog.addEventListener("close", () => {
    ended.abort();
    dialog.remove();
    focusOpener(page, link, href);
  });
  dialog.showModal();
  const showStatus = (words: string) => {
    status.textContent = words;
  };
  return { dialog, body, showStatus, closed: ended.signal };
}

/** Gives the focus back to what has opened a dialog; a refresh may have replaced the link, or used it for other content. */
export function focusOpener(page: Document, opener: HTMLElement, href: string | null): void {
  const isThere = opener.isConnected && opener.getAttribute("href") === href;
  const same = [...page.querySelectorAll<HTMLElement>("a[data-dialog]")].find(
    (other) => other.getAttribute("href") === href,
  );
  (isThere ? opener : (same ?? page.getElementById("main")))?.focus({ preventScroll: true });
}

export function paragraph(page: Document, text: string, className = ""): HTMLParagraphElement {
  const element = page.createElement("p");
  element.className = className;
  element.textContent = text;
  return element;
}
