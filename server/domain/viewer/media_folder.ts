/**
 * Returns the part of an address before the name. A folder may have been given any name by hand; a recording's is
 * plain.
 */
export function mediaFolder(folder: string): string {
  return folder === "" ? "/media/" : `/media/${folder.split("/").map(encodeURIComponent).join("/")}/`;
}
