/** @jsxImportSource preact */
import type { IconName } from "../../islands/parts/icon.tsx";
import { anchorOf, type ChapterName, isChapterName } from "../domain/guide/chapters.ts";

interface MarkdownProps {
  /** A text of our own, since its HTML goes through. */
  readonly text: string;
  /** The chapters that a reader may open; a link to another one is shown as its words. All when left out. */
  readonly open?: readonly ChapterName[];
}

/** A text of our own as HTML, with its headings a level below those of the page. */
export function Markdown({ text, open }: MarkdownProps) {
  return <div class="prose-text" dangerouslySetInnerHTML={{ __html: htmlOf(text, open) }} />;
}

/** The HTML of a text of our own. Its pictures and the files it leads to are not part of the service. */
export function htmlOf(text: string, open?: readonly ChapterName[]): string {
  const lower = text
    .replaceAll(/^!\[[^\n]*\]\([^\n]*\)$/gm, "")
    .replaceAll(/^```.*?^```$|^(?=#{1,3} )/gms, (found) => found || "#");
  const anchors = [...lower.replaceAll(/^```.*?^```$/gms, "").matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    anchorOf(title),
  );
  return Bun.markdown
    .html(lower, { headings: { ids: true } })
    .replaceAll(/<h([2-6]) id="[^"]*">/g, (_, level: string) => `<h${level} id="${anchors.shift()}">`)
    .replaceAll(/<table>.*?<\/table>/gs, tableOf)
    .replaceAll(/<blockquote>\s*<p><strong>(.*?)<\/strong>\s*(.*?)<\/p>\s*<\/blockquote>/gs, noteOf)
    .replaceAll(/<ol>\s*<li><strong>.*?<\/ol>/gs, stepsOf)
    .replaceAll(/<a href="([^"]*)">(.*?)<\/a>/gs, (_, href: string, words: string) => linkOf(href, words, open))
    .replaceAll(/<p>((?:<a href="\/[^"]*">[^<]*<\/a>\s*)+)<\/p>/g, goOf)
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll(/<pre tabindex="0"><code class=.*?<\/pre>/gs, '<div class="code-block">$&</div>');
}

/** Each cell with the name of its column, which stands above it on a phone. */
function tableOf(table: string): string {
  const names = [...table.matchAll(/<th(?: [^>]*)?>(.*?)<\/th>/gs)].map(([, name = ""]) =>
    name.replaceAll(/<[^>]*>/g, "").replace(/^./, (letter) => letter.toUpperCase()),
  );
  const body = table.slice(table.indexOf("<tbody>")).replaceAll(/<tr>(.*?)<\/tr>/gs, (_, cells: string) => {
    let at = 0;
    return `<tr>${cells.replaceAll(/<td[^>]*>(.*?)<\/td>/gs, (_, cell: string) => {
      const name = names[at] ?? "";
      at += 1;
      return at === 1 ? `<th scope="row">${cell}</th>` : `<td data-l="${name}">${cell}</td>`;
    })}</tr>`;
  });
  const head = names.map((name) => `<th scope="col">${name}</th>`).join("");
  return `<div class="table-wrap" tabindex="0"><table class="table"><thead><tr>${head}</tr></thead>${body}</div>`;
}

function noteOf(_: string, title: string, text: string): string {
  return `<div class="note is-waiting"><svg class="i" aria-hidden="true"><use href="#s-waiting"/></svg><b class="strong">${title}</b><p>${text}</p></div>`;
}

/** Numbered steps, each of which begins with its title. */
function stepsOf(list: string): string {
  return list
    .replace("<ol>", '<ol class="steps-n">')
    .replaceAll(/<li><strong>(.*?)<\/strong>(.*?)<\/li>/gs, (_, title: string, text: string) => {
      const more = text.trim() === "" ? "" : `<p>${text.trim()}</p>`;
      return `<li><div><b>${title}</b>${more}</div></li>`;
    });
}

/** A paragraph of nothing but links into the product: buttons. */
function goOf(_: string, links: string): string {
  const buttons = links.replaceAll(/<a href="\/(\w*)([^"]*)">/g, (_link, page: string, rest: string) => {
    const icon = iconOf(page);
    return `<a class="go" href="/${page}${rest}"><svg class="i" aria-hidden="true"><use href="#${icon}"/></svg>`;
  });
  return `<p class="row">${buttons}</p>`;
}

/** The icon of a page, as the navigation has it. */
function iconOf(page: string): IconName {
  switch (page) {
    case "":
      return "i-dashboard";
    case "logs":
      return "i-logs";
    case "stats":
      return "i-stats";
    case "trash":
      return "i-trash";
    default:
      return "i-settings";
  }
}

function linkOf(href: string, words: string, open: readonly ChapterName[] | undefined): string {
  const [, name = "", anchor = ""] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (isChapterName(name))
    return open && !open.includes(name) ? words : `<a href="/help/${name}${anchor}">${words}</a>`;
  if (!/^(#|\/|https?:)/.test(href)) return words;
  return href.startsWith("/") && open ? words : `<a href="${href}">${words}</a>`;
}
