import type { App } from "../app.ts";
import { AppError } from "../domain/errors.ts";
import { isSectionName, MASK, mask, SECTIONS } from "../domain/settings.ts";
import { applyPatch } from "../domain/settings_patch.ts";
import { proxyUser } from "../http/gate.ts";
import { json } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";

/** `GET /api/settings`: everything, with tiers, secrets masked. */
export function allSettings(_visit: Visit, { settings }: Pick<App, "settings">): Response {
  return json(mask(settings.current));
}

/** `PATCH /api/settings/:section`: changes the fields that are sent. */
export async function patchSettings(
  visit: Visit,
  { settings, log, retention, deletions }: Pick<App, "settings" | "log" | "retention" | "deletions">,
): Promise<Response> {
  const section = visit.params["section"] ?? "";
  if (!isSectionName(section))
    throw new AppError("SECTION_NOT_FOUND", "There is no such settings section", { section });
  const body = await visit.json();
  refuseLockOut(visit, applyPatch(settings.current, section, body).auth);
  try {
    await settings.patch(section, body);
    if (section === "retention") await agree(body, retention.consent);
  } catch (error) {
    // It is in force all the same, and somebody's word.
    const isInForce = section === "retention" && error instanceof AppError && error.code === "STORAGE_FULL";
    if (isInForce) await agree(body, retention.consent);
    throw error;
  }
  log.info("settings", `The ${section} settings were changed from ${visit.address}`);
  const answer = { section, tier: SECTIONS[section].tier, applied: true };
  return json(section === "retention" ? { ...answer, would_delete: await deletions.wouldDelete() } : answer);
}

/** Who sets how long recordings are kept has said what may be deleted. */
async function agree(body: Readonly<Record<string, unknown>>, consent: App["retention"]["consent"]): Promise<void> {
  const set = Object.keys(body).filter((key) => key !== "_tier" && body[key] !== MASK);
  if (set.includes("keep")) consent.noteChoice();
  if (set.length > 0) await consent.release();
}

/** Proxy mode that would refuse this very request would shut the person out who just turned it on. */
function refuseLockOut(visit: Visit, auth: App["boot"]["auth"]): void {
  if (auth.mode !== "proxy" || proxyUser(visit, auth) !== null) return;
  const message =
    "auth.mode cannot be proxy yet: this request did not come through a trusted proxy with the user header, so it would lock you out";
  throw new AppError("SETTINGS_INVALID", "The settings were not changed", {
    field_errors: [{ path: "auth.mode", message }],
  });
}
