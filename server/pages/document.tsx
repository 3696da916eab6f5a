/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import sprite from "../../assets/icons.svg" with { type: "text" };
import { Icon, type IconName } from "../../islands/parts/icon.tsx";
import { PageFor } from "../../islands/parts/may_change.tsx";
import type { IslandName } from "../../islands/registry.ts";
import type { App } from "../app.ts";
import { linksOf } from "../domain/settings/camera_address.ts";
import { ALL_CAMERAS } from "../domain/settings/camera_key.ts";
import { stateOfCamera } from "../domain/status/camera_state.ts";
import { camerasInShort } from "../domain/status/cameras_summary.ts";
import type { Summary } from "../domain/status/overview.ts";
import { summaryNow } from "../domain/status/status_summary.ts";
import { themeColors } from "../domain/text/theme_color.ts";
import type { ZoneTime } from "../domain/text/zone_time.ts";
import { refusedCameraState } from "../engine/status/camera_state.ts";
import { overviewFacts } from "../engine/status/overview.ts";
import { assetPath, islandScripts } from "../http/assets/assets.ts";
import { csrfToken } from "../http/auth/csrf.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { themeOf } from "../http/request/theme.ts";
import { VERSION } from "../version.ts";
import { KeyList, type PageKeys } from "./key_list.tsx";

/** The icons all pages share; without comments, line breaks and the outer element. */
const SYMBOLS = sprite
  .replace(/<!--.*?-->/gs, "")
  .replace(/<\/?svg[^>]*>/g, "")
  .replace(/\n\s*/g, "");

const PAGES: readonly { readonly path: string; readonly name: string; readonly icon: IconName }[] = [
  { path: "/", name: "Dashboard", icon: "i-dashboard" },
  { path: "/viewer", name: "Viewer", icon: "i-viewer" },
  { path: "/stats", name: "Stats", icon: "i-stats" },
  { path: "/logs", name: "Logs", icon: "i-logs" },
  { path: "/settings", name: "Settings", icon: "i-settings" },
];

/** Pages that people do not get who may look and save only. */
const FOR_CHANGE: readonly string[] = ["/logs", "/settings"];

interface HeadProps {
  /** Without the product's name. */
  readonly title: string;
  /** Null on a page without a script, and on one for people without a sign-in. */
  readonly token: string | null;
  /** As it was chosen in this browser. */
  readonly theme: "light" | "dark" | undefined;
  readonly islands?: readonly IslandName[];
  /** A style sheet beside that of all pages. */
  readonly sheet?: string | undefined;
  /** True where links lead elsewhere than they are written: to pages of one camera of several, or below a path. */
  readonly hasOwnLinks: boolean;
  /** Id of an element without which nothing is painted, for pages whose layout depends on it. */
  readonly paintsWith?: string;
}

/** Files that every page loads: one style sheet, the icon of its tab, and its scripts. */
export function Head({ title, token, theme, islands = [], sheet, hasOwnLinks, paintsWith }: HeadProps) {
  const scripts = new Set(islands.flatMap(islandScripts));
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <meta name="color-scheme" content={theme ?? "light dark"} />
      {themeColors(theme).map(({ content, media }) => (
        <meta key={content} name="theme-color" content={content} media={media ?? undefined} />
      ))}
      <title>{`${title} · Dashdock`}</title>
      {paintsWith !== undefined && <link rel="expect" href={`#${paintsWith}`} {...{ blocking: "render" }} />}
      <link rel="stylesheet" href={assetPath("app.css")} />
      {sheet !== undefined && <link rel="stylesheet" href={assetPath(sheet)} />}
      <link rel="icon" href={assetPath("favicon.svg")} type="image/svg+xml" />
      {token !== null && (
        <>
          <meta name="csrf-token" content={token} />
          <link rel="apple-touch-icon" href={assetPath("icon-apple.png")} />
          <link rel="manifest" href="/manifest.webmanifest" />
        </>
      )}
      {(token !== null || islands.length > 0) && (
        <>
          {[...scripts].map((script) => (
            <link key={script} rel="modulepreload" href={script} />
          ))}
          {hasOwnLinks && <script type="module" src={assetPath("page_links.js")} />}
          <script type="module" src={assetPath("boot.js")} />
        </>
      )}
    </head>
  );
}

/** The symbols that `Icon` draws. */
export function Sprite() {
  // Our own file, put in as it is.
  return <svg hidden dangerouslySetInnerHTML={{ __html: SYMBOLS }} />;
}

interface DocumentProps {
  readonly context: RequestContext;
  readonly app: App;
  readonly title: string;
  /** Title of the browser's tab; the page's title when left out. */
  readonly tab?: string;
  /** The address of the page in the navigation. */
  readonly path: string;
  readonly islands?: readonly IslandName[];
  /** A style sheet beside that of all pages. */
  readonly sheet?: string;
  /** Keys of this page, for the list that `?` opens. */
  readonly keys?: PageKeys;
  /** For pages about all cameras at once, where there are several. */
  readonly isAboutAll?: boolean;
  /** Instead of the usual frame around the content. */
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** The shell of every page behind the sign-in. */
export function Document({
  context,
  app,
  title,
  tab = title,
  path,
  islands = [],
  keys = [],
  children,
  ...rest
}: DocumentProps) {
  const token = csrfToken(context, app);
  const theme = themeOf(context);
  const isViewer = context.user?.role === "viewer";
  const camera = cameraOfPage(app, rest.isAboutAll);
  const hasOwnLinks = camera !== undefined || context.base !== "";
  return (
    <html lang="en" data-theme={theme} data-camera={camera} data-role={isViewer ? "viewer" : undefined}>
      <Head title={tab} token={token} theme={theme} islands={islands} sheet={rest.sheet} hasOwnLinks={hasOwnLinks} />
      <body class={`app ${rest.class ?? ""}`.trim()} data-state={app.job.snapshot.state}>
        <Sprite />
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Navigation path={path} isViewer={isViewer} />
        <header class="bar">
          <Home />
          <h1>{title}</h1>
          {path !== "/" && <BarState app={app} />}
          <div class="bar-end">
            <Now app={app} />
            <button
              class="b b-icon only-wide"
              type="button"
              data-open-keys
              title="Keys (?)"
              aria-label="Keyboard shortcuts"
            >
              <Icon name="i-keys" />
            </button>
            <ThemeSwitch theme={theme ?? "system"} />
            <button
              class="b b-icon"
              type="button"
              popovertarget="account"
              title={context.user?.name}
              aria-label={`Account: ${context.user?.name}`}
            >
              <Icon name="i-user" />
            </button>
          </div>
        </header>
        <p class="note is-attention connection" id="no-connection" role="status" hidden>
          <Icon name="s-attention" />
          <b class="strong">No connection to Dashdock</b>
          <span>This page shows the last known state. Trying again.</span>
        </p>
        <main class="main" id="main" tabindex={-1}>
          <PageFor mayChange={!isViewer}>{children}</PageFor>
        </main>
        <Account context={context} token={token} />
        <KeyList keys={keys} />
        <div class="toasts" id="toasts" role="status" />
      </body>
    </html>
  );
}

function Home() {
  return (
    <a class="home" href="/" aria-label="Dashdock, dashboard">
      <Icon name="logo" class="logo" />
    </a>
  );
}

function Navigation({ path, isViewer }: { readonly path: string; readonly isViewer: boolean }) {
  const places = isViewer ? PAGES.filter((place) => !FOR_CHANGE.includes(place.path)) : PAGES;
  return (
    <nav class="nav" aria-label="Main">
      <Home />
      <ul>
        {places.map((place) => (
          <li key={place.path}>
            <a href={place.path} aria-current={place.path === path ? "page" : undefined}>
              <Icon name={place.icon} />
              <span>{place.name}</span>
            </a>
          </li>
        ))}
      </ul>
      <div class="nav-foot">
        <a href="/help" aria-current={path === "/help" ? "page" : undefined}>
          <Icon name="i-help" />
          Help
        </a>
        <span>Version {VERSION}</span>
      </div>
    </nav>
  );
}

/** The state of everything in the bar of every page but the dashboard, which has it larger. */
export function BarState({ app }: { readonly app: App }) {
  const { all, refused } = app.cameras;
  const briefs = [
    ...all.map(briefOf),
    ...refused.map(({ configured, problem }) => refusedCameraState(configured, problem)),
  ];
  const { mood: level, sentence } = briefs.length > 1 ? camerasInShort(briefs) : summaryOf(app);
  // With it a page learns within seconds that recordings came or went, here or on a camera, without asking for more
  // than this sentence.
  const version = (all.length > 1 ? all : [app])
    .map(({ library, coming }) => `${library.version} ${coming.version}`)
    .join(" ");
  return (
    <a class={`bar-state is-${level}`} id="state" href="/" data-poll="/hx/state" data-every={5} data-library={version}>
      <Icon name={`s-${level}`} />
      <span>{sentence.replace(/\.$/, "")}</span>
    </a>
  );
}

function summaryOf(app: App): Summary {
  return summaryNow(app.job.snapshot, overviewFacts(app));
}

/** One of several cameras, as far as the sentence over all needs it. */
function briefOf(app: App) {
  const facts = overviewFacts(app);
  const { mood, sentence } = summaryNow(app.job.snapshot, facts);
  const { address, paused, counts, other_camera } = facts;
  const waiting = counts?.waiting ?? null;
  const now = { isRunning: app.job.snapshot.state === "running", isOther: other_camera !== null };
  const state = stateOfCamera({ address, mood, paused, waiting }, now);
  return { name: app.camera.name, state, sentence, waiting };
}

/** When the page was made, in the zone of all its times. */
function Now({ app: { clock, zone } }: { readonly app: App }) {
  const now = clock.now();
  return (
    <span class="small quiet bar-clock nowrap">
      <time datetime={new Date(now).toISOString()} title={zone.whole(now)} data-clock={zone.toJSON()}>
        {zone.day(now, now)}, {zone.clock(now)} {zone.name(now)}
      </time>
    </span>
  );
}

/** Goes round system, light and dark. */
export function ThemeSwitch({ theme }: { readonly theme: "system" | "light" | "dark" }) {
  const name = `Theme: ${theme}`;
  return (
    <button class="b b-icon" type="button" data-theme-switch title={name} aria-label={name}>
      <Icon name="i-theme" />
    </button>
  );
}

function Account({ context, token }: { readonly context: RequestContext; readonly token: string }) {
  const { name = "", mode = "none", role = "admin" } = context.user ?? {};
  return (
    <div class="menu" id="account" popover="auto" role="group" aria-label="Account">
      <p>
        <b class="strong">{name}</b>
      </p>
      <p class="small soft">{ACCESS[mode]}</p>
      {role === "viewer" && <p class="small soft">You may look and save, and change nothing.</p>}
      {mode === "login" && (
        <>
          {role !== "viewer" && (
            <a class="b" href="/settings#auth">
              Change password
            </a>
          )}
          <form method="post" action="/logout">
            <input type="hidden" name="csrf_token" value={token} />
            <button class="b" type="submit">
              Sign out
            </button>
          </form>
        </>
      )}
    </div>
  );
}
const ACCESS = {
  login: "Signed in on this browser.",
  none: "This service asks for no sign-in.",
  proxy: "Signed in by the proxy in front of this service.",
} as const;

interface PageFootProps {
  readonly app: App;
  /** Zone of the times on the page; the service's own when left out. */
  readonly zone?: ZoneTime;
  readonly children?: ComponentChildren;
}

/** The last line of a page: the version, and how its figures are to be read. */
export function PageFoot({ app, zone = app.zone, children }: PageFootProps) {
  const name = zone.name(app.clock.now());
  return (
    <footer class="page-foot">
      <span>Dashdock ver: {VERSION}</span>
      {children}
      <span>Sizes in decimal MB and GB</span>
      <span>
        Times in {zone.id}
        {name !== zone.id && ` (${name})`}
      </span>
      <a class="foot-help" href="/help">
        Help
      </a>
    </footer>
  );
}

/** The camera that a page is about; nothing where there is one camera. */
function cameraOfPage({ camera, cameras }: Pick<App, "camera" | "cameras">, isAboutAll = false): string | undefined {
  if (cameras.all.length < 2) return undefined;
  return isAboutAll ? ALL_CAMERAS : camera.id;
}

/** The text of a whole document. Where there are several cameras, its links lead to pages of its own camera. */
export function page(document: VNode<unknown>): string {
  const markup = `<!doctype html>${renderToString(document)}`;
  const { app, isAboutAll } = document.props as Partial<DocumentProps>;
  const camera = app && cameraOfPage(app, isAboutAll);
  if (camera === undefined || camera === ALL_CAMERAS) return markup;
  // The frame around leads to pages about all.
  const begin = markup.indexOf("<main");
  const end = markup.indexOf("</main>");
  return markup.slice(0, begin) + linksOf(camera, markup.slice(begin, end)) + markup.slice(end);
}

/** Parts that only the admin may ask for. */
const ADMIN = { user: null } as const;

/** A part of a page as it is for the user who asks. */
export function partOf({ user }: Pick<RequestContext, "user">, drawn: VNode): string {
  return renderToString(<PageFor mayChange={user?.role !== "viewer"}>{drawn}</PageFor>);
}

/** A part of a page that is read by itself, with links to pages of its own camera. */
export function part(app: App, drawn: VNode, context: Pick<RequestContext, "user"> = ADMIN): string {
  const markup = partOf(context, drawn);
  const camera = cameraOfPage(app);
  return camera === undefined ? markup : linksOf(camera, markup);
}
