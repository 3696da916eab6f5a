/**
 * An address as people paste it, without blanks, `http://`, the last `/` and the page where cameras show their list;
 * another scheme and another path stay, and are refused.
 */
export function tidyAddress(typed: string): string {
  return typed
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/^([^/]*[^/:])\/(?:blackvue_vod\.cgi(?:\?.*)?)?$/s, "$1");
}
