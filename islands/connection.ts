/** Says on the page whether the service answers; the words are in the page, hidden while all is well. */
export function noteConnection(page: Document, isThere: boolean): void {
  const note = page.getElementById("no-connection");
  if (note && note.hidden !== isThere) note.hidden = isThere;
}
