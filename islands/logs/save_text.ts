/** Downloads a text as a file of that name. */
export function saveText(page: Document, name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = page.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the bytes once the click is through.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
