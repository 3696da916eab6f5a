/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import * as v from "valibot";
import GuideCopies from "../../islands/guide_copies.tsx";
import { Icon } from "../../islands/parts/icon.tsx";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import {
  anchorOf,
  CHAPTER_GROUPS,
  CHAPTER_NAMES,
  type Chapter,
  type ChapterName,
  headingsOf,
  isChapterName,
  OPEN_CHAPTERS,
  wordsOf,
} from "../domain/guide/chapters.ts";
import { boxOfBoth } from "../domain/places/map_box.ts";
import { hasBoxToFill, withOwnBox } from "../domain/places/own_box.ts";
import { maySeePlaces } from "../http/auth/may_see_places.ts";
import { type Piece, searchGuide } from "../domain/guide/search.ts";
import { fieldsOf, isSectionName } from "../domain/settings/settings.ts";
import { authenticate } from "../http/auth/access.ts";
import { readQuery, TYPED } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html, redirect } from "../http/request/respond.ts";
import { Document, PageFoot, page } from "./document.tsx";
import { Markdown } from "./guide_markdown.tsx";
import { Island } from "./island.tsx";
import { PlainDocument } from "./plain_document.tsx";

type Answering = (context: RequestContext, app: App) => Promise<Response>;

const FIRST: ChapterName = "first-steps";
const LONGEST_QUERY = 200;
const ASKED = v.object({
  q: v.pipe(
    TYPED,
    v.transform((text) => text.trim().slice(0, LONGEST_QUERY)),
  ),
  /** The setting that sent the reader. */
  from: TYPED,
});

/** The pages of the guide. @param load the chapters, with what is made from the code in its place */
export function guidePages(load: () => Promise<readonly Chapter[]>) {
  const show = async (context: RequestContext, app: App, name: ChapterName) => {
    const chapters = await load();
    const own = await withOwnDrives(context, app, chapterNamed(chapters, name));
    const shown = own === null ? chapters : chapters.map((one) => (one.name === name ? own : one));
    return html(page(<ChapterPage context={context} app={app} chapters={shown} name={name} />));
  };
  const showToAll =
    (name: ChapterName): Answering =>
    async (context, app) => {
      const admission = authenticate(context, app);
      if (admission === null) return html(page(<OpenChapter context={context} chapters={await load()} name={name} />));
      context.admit(admission, () => authenticate(context, app) !== null);
      return await show(context, app, name);
    };
  return {
    /** `GET /help`: the first chapter, or with `q` what the guide has about it. */
    guide: (async (context, app) => {
      const { q: query } = readQuery(context, ASKED);
      if (query === "") return redirect(`/help/${FIRST}`);
      return html(page(<Found context={context} app={app} chapters={await load()} query={query} />));
    }) satisfies Answering,
    firstSteps: showToAll("first-steps"),
    signIn: showToAll("sign-in"),
    /** `GET /help/:chapter`. */
    chapter: (async (context, app) => {
      const name = context.params["chapter"] ?? "";
      if (!isChapterName(name)) throw new AppError("NOT_FOUND", "The guide has no such chapter.");
      return await show(context, app, name);
    }) satisfies Answering,
  };
}

/** The chapter with the box of one's own drives where a command takes one; null when it has none, or none is known. */
async function withOwnDrives(context: RequestContext, app: App, chapter: Chapter): Promise<Chapter | null> {
  if (!hasBoxToFill(chapter.text) || !maySeePlaces(context)) return null;
  const boxes = await Promise.all(app.cameras.all.map(async (one) => (await one.places()).places.drivenBox()));
  const known = boxes.filter((box) => box !== null);
  const [first] = known;
  return first ? { ...chapter, text: withOwnBox(chapter.text, known.reduce(boxOfBoth, first)) } : null;
}

interface GuideProps {
  readonly context: RequestContext;
  readonly app: App;
  readonly chapters: readonly Chapter[];
}

function ChapterPage({ context, app, chapters, name }: GuideProps & { readonly name: ChapterName }) {
  const chapter = chapterNamed(chapters, name);
  const parts = headingsOf(chapter).filter(({ level }) => level === 2);
  return (
    <Guide context={context} app={app} chapters={chapters} name={name} title={chapter.title}>
      <article class="prose" aria-labelledby="chapter">
        <BackToSetting path={readQuery(context, ASKED).from} />
        <h2 id="chapter">{chapter.title}</h2>
        <Markdown text={chapter.text} />
        <Neighbours chapters={chapters} name={name} />
      </article>
      {parts.length > 1 && (
        <aside class="help-on" aria-label="On this page">
          <h2>On this page</h2>
          <ul>
            {parts.map(({ title }) => (
              <li key={title}>
                <a href={`#${anchorOf(title)}`}>{wordsOf(title)}</a>
              </li>
            ))}
          </ul>
        </aside>
      )}
    </Guide>
  );
}

/** The way back to the setting that sent the reader. */
function BackToSetting({ path }: { readonly path: string }) {
  const [section = "", key = ""] = path.split(".");
  const [, field] = (isSectionName(section) && fieldsOf(section).find(([name]) => name === key)) || [];
  if (!field) return null;
  return (
    <a class="back" href={`/settings#${section}-${key}`}>
      <Icon name="i-left" />
      Settings, {field.label}
    </a>
  );
}

function Neighbours({ chapters, name }: { readonly chapters: readonly Chapter[]; readonly name: ChapterName }) {
  const at = CHAPTER_NAMES.indexOf(name);
  const before = chapters[at - 1];
  const after = chapters[at + 1];
  return (
    <nav class="help-next" aria-label="Next and previous">
      {before ? (
        <a href={`/help/${before.name}`}>
          <small>Before</small>
          {before.title}
        </a>
      ) : (
        <span />
      )}
      {after && (
        <a href={`/help/${after.name}`}>
          <small>Next</small>
          {after.title}
        </a>
      )}
    </nav>
  );
}

function Found({ context, app, chapters, query }: GuideProps & { readonly query: string }) {
  const hits = searchGuide(chapters, query);
  const count = hits.length === 1 ? "1 paragraph" : `${hits.length} paragraphs`;
  return (
    <Guide context={context} app={app} chapters={chapters} query={query} title="Search">
      <section class="prose" aria-labelledby="chapter">
        <h2 id="chapter">
          {hits.length === 0 ? "No paragraph" : count} about “{query}”
        </h2>
        <p class="lead" role="status">
          {hits.length === 0
            ? "Try another word, or one word only."
            : "Best first. The whole guide is searched on this machine."}
        </p>
        <div class="hits">
          {hits.map(({ href, heading, chapter, text }) => (
            <a class="hit" href={href} key={href + text.map((piece) => piece.text).join("")}>
              <b>
                <Marked pieces={heading} />
              </b>
              <span class="small">{chapter}</span>
              <span>
                <Marked pieces={text} />
              </span>
            </a>
          ))}
        </div>
        <p>
          Nothing fits? <a href={`/help/${FIRST}`}>All chapters</a>
        </p>
      </section>
    </Guide>
  );
}

function Marked({ pieces }: { readonly pieces: readonly Piece[] }) {
  return <>{pieces.map(({ text, isFound }, at) => (isFound ? <mark key={`${at}${text}`}>{text}</mark> : text))}</>;
}

interface FrameProps extends GuideProps {
  readonly name?: ChapterName;
  readonly query?: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** The guide's page: search and chapters beside what was asked for. */
function Guide({ context, app, chapters, name, query = "", title, children }: FrameProps) {
  const list = <ChapterList chapters={chapters} name={name} />;
  const count = `${chapters.length} chapters`;
  return (
    <Document
      context={context}
      app={app}
      title="Help"
      tab={`${title} · Help`}
      path="/help"
      islands={["guide_copies"]}
      sheet="help.css"
    >
      <div class="help">
        <div class="help-nav">
          <form method="get" action="/help" role="search">
            <label class="sr" for="help-search">
              Search the guide
            </label>
            <div class="in-wrap">
              <Icon name="i-search" />
              <input
                class="in"
                id="help-search"
                name="q"
                type="search"
                value={query}
                placeholder="Search the guide"
                maxlength={LONGEST_QUERY}
                autocomplete="off"
              />
            </div>
          </form>
          <details class="help-fold fold">
            <summary>
              <b>{name ? title : "Chapters"}</b>{" "}
              <span>{name ? `${CHAPTER_NAMES.indexOf(name) + 1} of ${chapters.length}` : count}</span>
            </summary>
            {list}
          </details>
          <nav aria-label="Chapters">{list}</nav>
        </div>
        {children}
      </div>
      <Island name="guide_copies" of={GuideCopies} props={{}} />
      <PageFoot app={app} />
    </Document>
  );
}

interface ListProps {
  readonly chapters: readonly Chapter[];
  readonly name: ChapterName | undefined;
}

function ChapterList({ chapters, name }: ListProps) {
  return (
    <>
      {CHAPTER_GROUPS.map(({ title, names }) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {names.map((one) => (
              <li key={one}>
                <a href={`/help/${one}`} aria-current={one === name ? "page" : undefined}>
                  {chapterNamed(chapters, one).title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

/** A chapter for people who cannot sign in yet: without the navigation, and without links to what they may not open. */
function OpenChapter({ context, chapters, name }: Pick<GuideProps, "context" | "chapters"> & { name: ChapterName }) {
  const { title, text } = chapterNamed(chapters, name);
  return (
    <PlainDocument context={context} token={null} title={title} class="is-wide is-guide" sheet="help.css">
      <article class="prose" aria-labelledby="chapter">
        <a class="back" href="/">
          <Icon name="i-left" />
          Dashdock
        </a>
        <h1 id="chapter">{title}</h1>
        <Markdown text={text} open={OPEN_CHAPTERS} />
      </article>
    </PlainDocument>
  );
}

function chapterNamed(chapters: readonly Chapter[], name: ChapterName): Chapter {
  const found = chapters.find((chapter) => chapter.name === name);
  if (!found) throw new Error(`The guide has no chapter ${name}`);
  return found;
}
