import { shown } from "../../text/shown.ts";
import { field, section } from "../field.ts";
import { choice, filledProblem, networks, secretOf, text } from "../field_kinds.ts";

/** The text form of an Argon2 hash, at most 4096 characters: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`; or nothing. */
const PASSWORD_HASH =
  /^(?!.{4097})(\$argon2(id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+={0,2}\$[A-Za-z0-9+/]+={0,2})?$/;

/** No user is ever in a group of this name: commas separate groups. */
const NO_GROUP = ",";

export const AUTH_MODES = ["login", "none", "proxy"] as const;

export const AUTH = section("immediate", "Sign-in", {
  mode: field(
    choice(AUTH_MODES, {
      login: "With user name and password",
      none: "Everyone, without a password",
      proxy: "People whom a proxy in front has signed in",
    }),
    "login",
    {
      label: "Sign-in method",
      help: "How people sign in.",
      env: { name: "SERVICE_AUTH_MODE", read: "text" },
      // A stored password lets `login` ask for it.
      opensFirstRun: (stored) => !stored["password_hash"],
    },
  ),
  username: field(text(filledProblem), "admin", {
    label: "User name",
    help: "The name to sign in with.",
    own: true,
    env: { name: "SERVICE_ADMIN_USERNAME", read: "text" },
  }),
  password_hash: field(secretOf("password", PASSWORD_HASH, "empty or an Argon2 hash"), "", {
    label: "Password",
    help: "At least 12 characters. Changing it signs out all other browsers.",
    secret: { remedy: "change the password on the settings page or with POST /api/auth/password" },
    opensFirstRun: () => true,
  }),
  viewer_username: field(text(viewerNameProblem, "viewer_name"), "", {
    label: "User name to watch only",
    help: "Signs in to look and save, and changes nothing. Empty: there is no such account.",
    own: true,
  }),
  viewer_password_hash: field(secretOf("viewer", PASSWORD_HASH, "empty or an Argon2 hash"), "", {
    label: "Account to watch only",
    help: "For people who may look and save, and change nothing. Changing its password signs out their browsers.",
    secret: { remedy: "set the account on the settings page or with POST /api/auth/viewer" },
  }),
  session_secret: field(secretOf("sessions", /^(.{32,4096})?$/s, "empty or 32 to 4096 characters long"), "", {
    label: "Signed-in browsers",
    help: "Sign out a browser that you do not know, then change the password.",
    secret: { remedy: "end all sessions on the settings page or with DELETE /api/auth/sessions" },
  }),
  trusted_proxies: field(networks(), [], {
    label: "Trusted proxies",
    help: "One IP address or range per line. These proxies may say who is signed in, and below which path Dashdock is.",
    rare: true,
    env: { name: "SERVICE_TRUSTED_PROXIES", read: "list" },
  }),
  proxy_user_header: field(text(headerNameProblem), "X-Remote-User", {
    label: "User header",
    help: "The proxy names the user in this request header.",
    rare: true,
    env: { name: "SERVICE_USER_HEADER", read: "text" },
  }),
  proxy_groups_header: field(text(headerNameProblem), "", {
    label: "Groups header",
    help: "The proxy names the user’s groups in this request header, separated by commas.",
    rare: true,
  }),
  proxy_admin_group: field(text(groupProblem), "", {
    label: "Group that may change things",
    help: "All others may look and save only. Empty: everyone may change things.",
    rare: true,
    safest: { value: NO_GROUP, words: "Until it is set, everyone may look and save only." },
  }),
});

function viewerNameProblem(name: string): string | null {
  return name === "" ? null : filledProblem(name);
}

function groupProblem(group: string): string | null {
  if (group.includes(",")) return "it has commas, which separate groups";
  return group === "" ? null : filledProblem(group);
}

function headerNameProblem(name: string): string | null {
  if (COMMON_HEADERS.test(name)) return `${shown(name)} comes with requests of any kind, so it names no user`;
  if (name === "" || /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return null;
  return `${shown(name)} is not the name of a header: expected letters, digits and dashes`;
}

/**
 * Headers that browsers, other programs and proxies send by themselves. As the user header, one of them would let
 * everyone in.
 */
const COMMON_HEADERS =
  /^(host|cookie|connection|user-agent|origin|referer|via|forwarded|te|dnt|pragma|upgrade(-.*)?|keep-alive|transfer-encoding|cache-control|accept(-.*)?|content-.*|if-.*|range|sec-.*|x-forwarded-(for|proto|host|port|server)|x-real-ip|x-request-id|x-csrftoken|x-api-key|authorization|hx-.*|priority|expect|date)$/i;
