import { AppError } from "../../domain/answers/errors.ts";
import type { Scope } from "../../domain/keys/access_key.ts";
import type { User } from "../request/admitted_user.ts";
import type { Access } from "../request/route.ts";

interface Permission {
  /** True when people may call it who may look and save, and change nothing. */
  readonly viewer: boolean;
  /** Scopes of the keys that may call it. */
  readonly scopes: readonly Scope[];
}

/** Who may call a route beside the admin. Keys reach nothing that stands here without their scope. */
const PERMISSIONS: Readonly<Record<Exclude<Access, "open">, Permission>> = {
  link: { viewer: true, scopes: [] },
  "sign-in-page": { viewer: true, scopes: [] },
  "signed-in": { viewer: false, scopes: [] },
  look: { viewer: true, scopes: [] },
  read: { viewer: true, scopes: ["read", "recordings", "sync"] },
  recordings: { viewer: true, scopes: ["recordings"] },
  sync: { viewer: false, scopes: ["sync"] },
};

/** The scopes of keys that may call a route of this access. */
export function scopesOf(access: Access): readonly Scope[] {
  return access === "open" ? [] : PERMISSIONS[access].scopes;
}

/** True when a user may call a route of this access. */
export function mayCall(user: User, access: Exclude<Access, "open">): boolean {
  const { viewer, scopes } = PERMISSIONS[access];
  switch (user.role) {
    case "admin":
      return true;
    case "viewer":
      return viewer;
    case "key":
      return user.scope !== null && scopes.includes(user.scope);
  }
}

/** @throws AppError SCOPE, READ_ONLY when a user may not call a route of this access */
export function checkPermission(user: User, access: Exclude<Access, "open">): void {
  if (mayCall(user, access)) return;
  if (user.role === "key") {
    const { scopes } = PERMISSIONS[access];
    const needed =
      scopes.length === 0
        ? "No key may do this. Sign in on the page instead."
        : `It needs a key with the scope ${scopes.map((scope) => `“${scope}”`).join(" or ")}.`;
    const message = `The key “${user.name}” has the scope “${user.scope}”. ${needed}`;
    throw new AppError("SCOPE", message, { scope: user.scope, needed: scopes });
  }
  throw new AppError("READ_ONLY", "You may look and save here, and change nothing. Ask the owner of this service.");
}
