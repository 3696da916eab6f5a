/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import * as v from "valibot";
import { Icon } from "../../islands/parts/icon.tsx";
import type { SharedFilmProps } from "../../islands/shared/shared_props.ts";
import SharedFilmPlayer from "../../islands/shared_film.tsx";
import type { App } from "../app.ts";
import { type AppError, ERRORS } from "../domain/answers/errors.ts";
import { secondsBetween } from "../domain/recordings/clock_change.ts";
import { secondsOf } from "../domain/recordings/recording_name.ts";
import type { SharedFilm } from "../domain/shares/film_clock.ts";
import { endOf, type Share } from "../domain/shares/share.ts";
import { leftOut, sharedCameras, sharedTimes } from "../domain/shares/share_text.ts";
import { clipsOfFilms, type NamedFilm } from "../domain/shares/shared_clips.ts";
import { skipOf } from "../domain/shares/span_clock.ts";
import { counted, formatSeconds } from "../domain/text/format.ts";
import { nameOfFormat } from "../domain/text/time_format.ts";
import { ZoneTime } from "../domain/text/zone_time.ts";
import { cameraName, camerasInOrder } from "../domain/viewer/viewer_address.ts";
import { filmOfShare, shownClips } from "../engine/shares/shared_clips.ts";
import { isUnlocked, linkOf, linkPath, noSuchLink, unlock } from "../http/auth/link_access.ts";
import { readForm, TYPED } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { type Extras, html, redirect, refusalHeaders } from "../http/request/respond.ts";
import { themeOf } from "../http/request/theme.ts";
import { Head, page, Sprite } from "./document.tsx";
import { Island } from "./island.tsx";

const LOGGER = "http";
const SENT = v.object({ password: TYPED });
const WRONG = "This password is wrong.";

/** `GET /s/:token`: the films of a link, or the form for its password. @throws AppError SHARE_NOT_FOUND */
export async function shared(context: RequestContext, app: App): Promise<Response> {
  const { token = "" } = context.params;
  const share = linkOf(token, app);
  if (!isUnlocked(context, share, app)) return passwordForm(context, null, { status: 401 });
  const { request } = context;
  // A browser that looks ahead shows nothing to anyone.
  if (request.method === "GET" && !/prefetch|prerender/.test(request.headers.get("sec-purpose") ?? ""))
    app.shares.countView(share.id);
  return await filmPage(context, app, share, linkPath(token), null);
}

/** `GET /links/:id`: the same as its owner sees it. @throws AppError SHARE_NOT_FOUND */
export async function ownShared(context: RequestContext, app: App): Promise<Response> {
  const share = app.shares.get(context.params["id"] ?? "");
  if (share === null) throw noSuchLink();
  const isOver = endOf(share, app.clock.now()) !== null;
  const words = isOver
    ? "This link has ended. Nobody else can see this."
    : app.settings.current.share.enabled
      ? "This is what people with the link see."
      : "Links are switched off. Nobody else can see this.";
  return await filmPage(context, app, share, `/links/${share.id}`, words);
}

/** `POST /s/:token`: the password. @throws AppError SHARE_NOT_FOUND, RATE_LIMITED */
export async function unlockShared(context: RequestContext, app: App): Promise<Response> {
  const { token = "" } = context.params;
  const share = linkOf(token, app);
  const { password } = await readForm(context, SENT);
  const guess = { link: share.id, address: context.address, password, hash: share.password ?? "" };
  if (share.password !== null && !(await app.linkGuesses.isRight(guess))) {
    app.log.warning(LOGGER, `A wrong password for a link came from ${context.address}`);
    linkOf(token, app);
    return passwordForm(context, WRONG, { status: 401 });
  }
  // It may have ended while the password was looked at.
  unlock(context, token, app);
  return redirect(context.url.pathname, { status: 303 });
}

/** The form again after too many guesses. */
export function refuseShared(error: AppError, context: RequestContext): Response | null {
  if (error.code !== "RATE_LIMITED") return null;
  const extras = { status: ERRORS[error.code].status, headers: refusalHeaders(error) };
  return passwordForm(context, error.message, extras);
}

async function filmPage(
  context: RequestContext,
  all: App,
  share: Share,
  base: string,
  own: string | null,
): Promise<Response> {
  const app = all.cameras.of(share.camera);
  const clips = app === null ? [] : await shownClips(share, app);
  const films: SharedFilm[] = [];
  const named: NamedFilm[] = [];
  /** From times of the camera's clock, as `secondsOf`. */
  const spanTime = (wall: number) => secondsBetween(share.starts, wall, app?.zone ?? null);
  const gone: string[] = [];
  let endsEarly = false;
  for (const direction of camerasInOrder([...share.directions])) {
    const film = app && (await filmOfShare(share, direction, clips, app));
    if (film === null) gone.push(cameraName(direction));
    else {
      const { seconds, places, cannot } = film.facts;
      endsEarly ||= cannot !== null;
      const timed = places.map(({ key, at, from }) => ({ key, at, time: spanTime(secondsOf(key) + from) }));
      named.push({ seconds, places: timed });
      films.push({
        direction,
        name: cameraName(direction),
        address: `${base}/${direction}.mp4`,
        bytes: film.length,
        seconds,
        // Keys stay here.
        places: timed.map(({ at, time }) => ({ at, time })),
      });
    }
  }
  const missing = share.keys.length - clips.length;
  const { timeFormat } = context;
  const format = nameOfFormat(timeFormat);
  const seconds = spanTime(share.ends);
  const props: SharedFilmProps = {
    films,
    seconds,
    starts: share.starts,
    skip:
      app &&
      skipOf(
        share.starts,
        clips.map(({ key }) => secondsOf(key)),
        app.zone,
      ),
    clips: clipsOfFilms(named, seconds),
    track: share.place && films.length > 0 ? `${base}/track.json` : null,
    speedUnit: all.settings.current.viewer.speed_unit,
    hasSound: share.sound,
    canDownload: share.download,
    format,
  };
  const utc = new ZoneTime("UTC", timeFormat);
  const facts = [formatSeconds(seconds), sharedCameras(share.directions), leftOut(share)].filter(Boolean).join(" · ");
  return html(
    page(
      <SharedDocument
        context={context}
        title={own === null ? "Shared with you" : "What they see"}
        hasPlayer={films.length > 0}
      >
        <header class="sh-bar">
          {own === null ? (
            <Icon name="logo" class="logo" />
          ) : (
            <a class="b b-icon" href="/links" aria-label="Links" title="Links">
              <Icon name="i-left" />
            </a>
          )}
          <p>
            <b>{own === null ? "Shared with you" : "What they see"}</b>
            <span>{own ?? "from a private Dashdock"}</span>
          </p>
          <span class="badge is-waiting push">
            <Icon name="s-waiting" />
            <span>
              Ends{" "}
              <time datetime={new Date(share.expires).toISOString()} data-own-zone="day">
                {utc.day(share.expires, share.expires)}
              </time>
            </span>
          </span>
        </header>
        <main class="sh-main force-dark" id="main">
          <div class="sh-head">
            <h1>{sharedTimes(share, null, timeFormat)}</h1>
            <p>{facts}</p>
          </div>
          {films.length > 0 && <Island name="shared_film" of={SharedFilmPlayer} props={props} />}
          {films.length === 0 && (
            <p class="sh-none">
              {app?.recordings.isThere()
                ? "The recordings of this link were deleted. There is nothing left to play."
                : "The recordings of this link cannot be read just now. Try again later."}
            </p>
          )}
          {films.length > 0 && missing > 0 && (
            <p class="sh-says">
              {counted(missing, "recording")} of this link {missing === 1 ? "was" : "were"} deleted.
              {!endsEarly && " The rest is here."}
            </p>
          )}
          {films.length > 0 && gone.length > 0 && (
            <p class="sh-says">The recordings of these cameras were deleted or cannot be played: {gone.join(", ")}.</p>
          )}
          {endsEarly && <p class="sh-says">Not everything could be put into one video.</p>}
        </main>
        <footer class="page-foot sh-foot">
          <span>
            This link ends on{" "}
            <time datetime={new Date(share.expires).toISOString()} data-own-zone="whole">
              {utc.day(share.expires, 0)}, {utc.clock(share.expires)} UTC
            </time>
            .
          </span>
          <span>Times above are those of the camera’s own clock.</span>
          <span>
            About you, Dashdock keeps only that the link was opened
            {share.password !== null && ", and the addresses from which wrong passwords came"}.
          </span>
        </footer>
      </SharedDocument>,
    ),
    { headers: { "cache-control": "no-store" } },
  );
}

function passwordForm(context: RequestContext, problem: string | null, extras: Extras): Response {
  return html(
    page(
      <SharedDocument context={context} title="Shared with you" hasPlayer={false}>
        <header class="sh-bar">
          <Icon name="logo" class="logo" />
          <p>
            <b>Shared with you</b>
            <span>from a private Dashdock</span>
          </p>
        </header>
        <main class="sh-ask" id="main">
          <h1>Password</h1>
          <p>The person who sent you this link has set a password.</p>
          <form method="post" action={context.url.pathname}>
            <label for="password">Password</label>
            <input
              class="in"
              id="password"
              name="password"
              type="password"
              autocomplete="off"
              required
              autofocus
              aria-invalid={problem === null ? undefined : "true"}
              aria-describedby={problem === null ? undefined : "problem"}
            />
            {problem !== null && (
              <p class="error" id="problem" role="alert">
                <Icon name="s-failed" />
                {problem}
              </p>
            )}
            <button class="b b-primary" type="submit">
              Watch
            </button>
          </form>
        </main>
      </SharedDocument>,
    ),
    extras,
  );
}

interface SharedDocumentProps {
  readonly context: RequestContext;
  readonly title: string;
  readonly hasPlayer: boolean;
  readonly children: ComponentChildren;
}

/** The shell of pages for people who have nothing but a link: no navigation, and no word of what else there is. */
function SharedDocument({ context, title, hasPlayer, children }: SharedDocumentProps) {
  const theme = themeOf(context);
  return (
    <html lang="en" data-theme={theme}>
      <Head
        title={title}
        token={null}
        theme={theme}
        sheet="shared.css"
        islands={hasPlayer ? ["shared_film"] : []}
        hasOwnLinks={context.base !== ""}
      />
      <body class="shared">
        <Sprite />
        <a class="skip" href="#main">
          Skip to the video
        </a>
        {children}
      </body>
    </html>
  );
}
