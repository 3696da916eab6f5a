/** False on the pages of people who may look and save, and change nothing. */
export function pageMayChange(page: Document): boolean {
  return page.documentElement.dataset["role"] !== "viewer";
}
