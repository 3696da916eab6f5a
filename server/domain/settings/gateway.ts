import { shown } from "../text/shown.ts";

/** Stands for a user and a password wherever the address of a push gateway is shown. */
const HIDDEN = "***";
const ADDRESS = /^(https?:\/\/)([^/\\?#]*@)?([^/\\?#@]+(?:\/[^\\?#]*)?)$/i;

/**
 * Returns a sentence about the fault of a push gateway's address, or null. Figures go to a path below it, so it ends
 * before `?` and `#`.
 */
export function gatewayProblem(text: string): string | null {
  if (text === "") return null;
  const [, , credentials] = ADDRESS.exec(text) ?? [];
  if (!ADDRESS.test(text) || /[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) {
    const end = /^https?:\/\/[^?#]+[?#]/i.test(text) ? ", without ? and #" : "";
    return `${shown(text)} is not the address of a push gateway: expected http:// or https:// and a host, such as http://pushgateway:9091${end}`;
  }
  if (credentials === `${HIDDEN}@`) return `${shown(text)} has ${HIDDEN} for its user and password: type both anew`;
  return null;
}

/** The address of a push gateway without the user and password it may carry. */
export function withoutCredentials(address: string): string {
  return address.replace(ADDRESS, (_, scheme: string, credentials: string | undefined, rest: string) =>
    credentials === undefined ? address : `${scheme}${HIDDEN}@${rest}`,
  );
}

/** The user and password in the address of a push gateway, as they are written there; null without. */
export function credentialsIn(address: string): string | null {
  const [, , credentials] = ADDRESS.exec(address) ?? [];
  return credentials === undefined ? null : credentials.slice(0, -1);
}
