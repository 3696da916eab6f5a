import { withBase } from "../../domain/settings/base_address.ts";
import type { Base } from "../request/base.ts";

/** Headers of an answer that lead to a page of ours. */
const LEADING = ["location", "hx-redirect"] as const;
/** Attributes of our markup that hold an address. A quotation mark in a text is written otherwise there. */
const ADDRESSES = / (href|src|action|formaction|poster)="\/(?!\/)/g;

/**
 * An answer as a client gets it that reaches the service below a path: the addresses in its headers and in its HTML begin
 * with that. Those in JSON have it already, by their schemas, and cookies are given for it.
 */
export async function baseAnswer(response: Response, { path, isFrame }: Base): Promise<Response> {
  const { headers, status } = response;
  for (const name of LEADING) {
    const address = headers.get(name);
    if (address !== null) headers.set(name, withBase(address, path));
  }
  const policy = headers.get("content-security-policy");
  // Home Assistant shows the pages of its apps in a frame of its own page, which is of the same origin.
  if (isFrame && policy !== null)
    headers.set("content-security-policy", policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
  if (response.body === null || !headers.get("content-type")?.startsWith("text/html")) return response;
  return new Response(baseMarkup(await response.text(), path), { status, headers });
}

/** Markup of ours whose links, forms and files lead below a path; a whole page names that to its scripts. */
export function baseMarkup(markup: string, path: string): string {
  return markup.replace(/^<!doctype html><html/, `$& data-base="${path}"`).replace(ADDRESSES, ` $1="${path}/`);
}
