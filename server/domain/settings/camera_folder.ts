/** True when a path is a folder or lies below it. Paths are compared as they are written. */
export function isInFolder(path: string, folder: string): boolean {
  const [inner, outer] = [tidyPath(path), tidyPath(folder)];
  return inner === outer || inner.startsWith(outer === "/" ? "/" : `${outer}/`);
}

/** The folder of a further camera for which none is set: beside that of the first. */
export function folderBeside(destination: string, id: string): string {
  const path = tidyPath(destination);
  const cut = path.lastIndexOf("/");
  return cut < 0 ? id : `${path.slice(0, cut)}/${id}`;
}

/** Returns a path without empty parts, `.` and `..`. */
export function tidyPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `${path.startsWith("/") ? "/" : ""}${parts.join("/")}`;
}
