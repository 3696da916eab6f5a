/** True for names that are hidden or a system's own, of files and folders: `.snapshot`, `@eaDir` and `#recycle` of a NAS. */
export function isHiddenName(name: string): boolean {
  return ".@#".includes(name.charAt(0));
}

/** True for folders that hold no recordings of ours: hidden ones, and what a check of the disk puts into `lost+found`. */
export function isSystemFolder(name: string): boolean {
  return isHiddenName(name) || name === "lost+found";
}
