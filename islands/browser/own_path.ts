import { baseOf } from "./address.ts";

/** The path within the service at which this page is, or to which one of its links to the service leads. */
export function ownPath({ pathname }: { readonly pathname: string }, page: Document = document): string {
  return pathname.slice(baseOf(page).length);
}
