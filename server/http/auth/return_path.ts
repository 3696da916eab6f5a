import { withoutBase } from "../../domain/settings/base_address.ts";

/** Only parsed against, never sent. */
const OURS = "http://dashdock.invalid";
/** Nothing longer is printed back before sign-in. */
const LONGEST_ECHO = 256;

/** Returns the page that a person may be sent to after signing in: a page of this service, else the dashboard. */
export function nextPage(wanted: string | null): string {
  if (!wanted || wanted.length > LONGEST_ECHO || !wanted.startsWith("/")) return "/";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them, so `/<tab>/evil` is `//evil`
  if (/[\\\u0000-\u0020\u007f]/.test(wanted) || !URL.canParse(wanted, OURS)) return "/";
  const url = new URL(wanted, OURS);
  // `/.//evil` is ours as it stands, but not once its dots are resolved.
  if (url.origin !== OURS || url.pathname.startsWith("//")) return "/";
  if (/^\/(login|logout|first-run|api|hx)(\/|$)/.test(url.pathname)) return "/";
  return url.pathname + url.search + url.hash;
}

/** The sign-in page that leads back to `wanted`. */
export function signInPath(wanted: string): string {
  return `/login?next=${encodeURIComponent(nextPage(wanted)).replaceAll("%2F", "/")}`;
}

/**
 * The page a request came from: for a fragment the one that shows it, with its hash, else the request's own.
 * @param currentUrl as the browser shows it, with the base of the service in it
 */
export function pageOf(
  url: URL,
  currentUrl: string | null,
  { isFragment, base }: { readonly isFragment: boolean; readonly base: string },
): string {
  if (!isFragment) return url.pathname + url.search;
  const page = currentUrl !== null && URL.canParse(currentUrl, OURS) ? new URL(currentUrl, OURS) : null;
  return page === null ? "/" : withoutBase(page.pathname, base) + page.search + page.hash;
}

/** Returns the typed text, as far as it is printed back. */
export function briefly(typed: string | null): string {
  return typed?.slice(0, LONGEST_ECHO) ?? "";
}
