import sprite from "../../../assets/icons.svg" with { type: "text" };
import type { AppError } from "../../domain/api/errors.ts";
import type { StatusLevel } from "../../domain/status/status_level.ts";
import { type ThemeColor, themeColors } from "../../domain/text/theme_color.ts";
import { assetPath } from "../assets/assets.ts";
import type { RequestContext } from "./request_context.ts";
import { themeOf } from "./theme.ts";

/** What a status looks like: title, shape, and the words of the way back. */
interface Look {
  readonly title: string;
  readonly mood: StatusLevel;
  readonly back: string;
}

const HOME = "Go to the dashboard";
const LOOKS: Readonly<Record<number, Look>> = {
  401: { title: "Not signed in", mood: "attention", back: "Try again" },
  403: { title: "Not accepted", mood: "attention", back: HOME },
  404: { title: "Not found", mood: "attention", back: HOME },
  405: { title: "Not possible here", mood: "attention", back: HOME },
  413: { title: "Too large", mood: "attention", back: HOME },
  429: { title: "Too many attempts", mood: "waiting", back: HOME },
  500: { title: "Something went wrong", mood: "failed", back: HOME },
  503: { title: "Not right now", mood: "waiting", back: "Try again" },
};
const OTHER: Look = { title: "Not possible", mood: "attention", back: HOME };
const STARTING: Look = { title: "Dashdock is starting", mood: "busy", back: "Try again now" };
const STARTING_WORDS = "It will be here in a moment. This page tries again by itself.";
const NOT_TAKEN = "What you sent was not taken. Go back, and send it again in a moment.";
/** Long enough to read the page, and to have it read out. */
const REFRESH_SECONDS = 5;

/**
 * A refusal as a page of its own. It asks nothing of any store and needs no script and nobody signed in, so it can be
 * shown whatever is broken.
 */
export function errorPage({ code, message, details }: AppError, status: number, context: RequestContext): string {
  // Under that name the style sheet and the drawings are refused as well.
  if (code === "HOST_NOT_ALLOWED") return bareErrorPage(asSentence(message));
  const isStarting = code === "STARTING";
  const { title, mood: level, back } = isStarting ? STARTING : (LOOKS[status] ?? OTHER);
  const waiting = isRepeatable(context) ? STARTING_WORDS : NOT_TAKEN;
  const words = Bun.escapeHTML(isStarting ? waiting : asSentence(message));
  const theme = themeOf(context);
  const again = status === 503 && isRepeatable(context) ? context.url.pathname + context.url.search : "/";
  const reference = details["request_id"];
  const more =
    typeof reference === "string"
      ? `<p class="small quiet">Reference in the log: <code>${Bun.escapeHTML(reference)}</code></p>`
      : "";
  return `<!doctype html>
<html lang="en"${theme === undefined ? "" : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="${theme ?? "light dark"}">
${themeColors(theme).map(themeMeta).join("\n")}
<title>${title} · Dashdock</title>
<link rel="stylesheet" href="${assetPath("app.css")}">
<link rel="icon" href="${assetPath("favicon.svg")}" type="image/svg+xml">
</head>
<body class="gate">
<svg hidden>${symbol("logo")}${symbol(`s-${level}`)}</svg>
<main class="gate-card refused is-${level}">
<p class="gate-head"><svg class="logo" aria-hidden="true"><use href="#logo"/></svg>Dashdock</p>
<svg class="i" aria-hidden="true"><use href="#s-${level}"/></svg>
<h1>${title}</h1>
<p>${words}</p>
${more}<p class="refused-back"><a class="b" href="${Bun.escapeHTML(again)}">${back}</a></p>
</main>
<footer class="page-foot"><span>Your recordings stay on this machine.</span></footer>
</body>
</html>
`;
}

function bareErrorPage(words: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not under this name · Dashdock</title>
</head>
<body>
<main>
<h1>Not under this name</h1>
<p>${Bun.escapeHTML(words)}</p>
</main>
</body>
</html>
`;
}

/** Lets the browser ask again by itself while the service starts: there is nothing on that page to stay for. */
export function refreshHeader({ code }: AppError, context: RequestContext): Record<string, string> {
  return code === "STARTING" && isRepeatable(context) ? { refresh: String(REFRESH_SECONDS) } : {};
}

/** Only what can be asked for again without doing anything. */
function isRepeatable({ request }: RequestContext): boolean {
  return request.method === "GET";
}

function themeMeta({ content, media }: ThemeColor): string {
  return `<meta name="theme-color" content="${content}"${media === null ? "" : ` media="${media}"`}>`;
}

/** Messages for programs may lack the full stop. */
function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** One drawing of the sprite: the page carries only what it shows. */
function symbol(id: string): string {
  return new RegExp(`<symbol id="${id}".*?</symbol>`, "s").exec(sprite)?.[0] ?? "";
}
