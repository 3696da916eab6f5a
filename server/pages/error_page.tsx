/** @jsxImportSource preact */
import { Icon } from "../../islands/parts/icon.tsx";
import type { AppError } from "../domain/answers/errors.ts";
import type { StatusLevel } from "../domain/answers/status_level.ts";
import { GUIDE_PLACES } from "../domain/guide/places.ts";
import { asSentence } from "../domain/text/format.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { page } from "./document.tsx";
import { PlainDocument } from "./plain_document.tsx";

/** The page of a status: title, icon, and the text of the link back. */
interface StatusPage {
  readonly title: string;
  readonly level: StatusLevel;
  readonly back: string;
}

const HOME = "Go to the dashboard";
const STATUS_PAGES: Readonly<Record<number, StatusPage>> = {
  401: { title: "Not signed in", level: "attention", back: "Try again" },
  403: { title: "Not accepted", level: "attention", back: HOME },
  404: { title: "Not found", level: "attention", back: HOME },
  405: { title: "Not possible here", level: "attention", back: HOME },
  413: { title: "Too large", level: "attention", back: HOME },
  429: { title: "Too many attempts", level: "waiting", back: HOME },
  500: { title: "Something went wrong", level: "failed", back: HOME },
  503: { title: "Not right now", level: "waiting", back: "Try again" },
};
const OTHER: StatusPage = { title: "Not possible", level: "attention", back: HOME };
/** Refusals that the guide's chapter about signing in explains. Behind a proxy it is refused as the page itself. */
const HELPED: ReadonlySet<string> = new Set(["AUTH_REQUIRED", "CSRF_FAILED", "RATE_LIMITED"]);
const STARTING: StatusPage = { title: "Dashdock is starting", level: "busy", back: "Try again now" };
const STARTING_WORDS = "It will be here in a moment. This page tries again by itself.";
const NOT_TAKEN = "Dashdock did not accept your entry. Go back, and send it again in a moment.";

/**
 * A refusal as a page of its own. It asks nothing of any store and needs no script and no session, so it can be
 * shown whatever is broken.
 */
export function errorPage({ code, message, details }: AppError, status: number, context: RequestContext): string {
  // Under that name the style sheet is refused as well.
  if (code === "HOST_NOT_ALLOWED") return bareErrorPage(asSentence(message));
  if (code === "SHARE_NOT_FOUND" || code === "SHARE_LOCKED") return linkPage(LINK_TITLES[code], message, context);
  const isStarting = code === "STARTING";
  const { title, level, back } = isStarting ? STARTING : (STATUS_PAGES[status] ?? OTHER);
  const isRepeatable = context.request.method === "GET";
  const waiting = isRepeatable ? STARTING_WORDS : NOT_TAKEN;
  const again = status === 503 && isRepeatable ? context.url.pathname + context.url.search : "/";
  const reference = details["request_id"];
  return page(
    <PlainDocument context={context} token={null} title={title} class={`refused is-${level}`}>
      <Icon name={`s-${level}`} />
      <h1>{title}</h1>
      <p>{isStarting ? waiting : asSentence(message)}</p>
      {typeof reference === "string" && (
        <p class="small quiet">
          Reference in the log: <code>{reference}</code>
        </p>
      )}
      <p class="refused-back">
        <a class="b" href={again}>
          {back}
        </a>
        {HELPED.has(code) && details["mode"] !== "proxy" && (
          <a class="b b-quiet" href={GUIDE_PLACES.access}>
            Help
          </a>
        )}
      </p>
    </PlainDocument>,
  );
}

const LINK_TITLES = { SHARE_NOT_FOUND: "This link is not valid", SHARE_LOCKED: "This link has a password" } as const;

/** For people who have nothing of the service but a link: there is no page to go to. */
function linkPage(title: string, message: string, context: RequestContext): string {
  return page(
    <PlainDocument context={context} token={null} title={title} class="refused is-attention" foot="">
      <Icon name="s-attention" />
      <h1>{title}</h1>
      <p>{asSentence(message)}</p>
    </PlainDocument>,
  );
}

function bareErrorPage(words: string): string {
  return page(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Not under this name · Dashdock</title>
      </head>
      <body>
        <main>
          <h1>Not under this name</h1>
          <p>{words}</p>
        </main>
      </body>
    </html>,
  );
}
