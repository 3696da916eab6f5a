import type { SignedIn } from "../../domain/settings/settings_schema.ts";
import type { KnownSession } from "../../store/config/known_sessions.ts";

/** The browsers that are signed in, as answers carry them. @param own the caller's session */
export function signedIn(sessions: readonly KnownSession[], own: string | undefined): SignedIn[] {
  return sessions.map(({ id, browser, is_phone, address, issued, seen }) => ({
    id,
    browser,
    is_phone,
    address,
    signed_in_at: new Date(issued).toISOString(),
    last_seen_at: new Date(seen).toISOString(),
    current: id === own,
  }));
}
