import { anchorOf, type Chapter, wordsOf } from "./chapters.ts";

/** One paragraph, row or item of the guide, and where it stands. */
interface Paragraph {
  readonly chapter: Chapter;
  /** Empty before the first heading. */
  readonly heading: string;
  readonly text: string;
  readonly isCode: boolean;
}

/** A piece of a text, and true when it was searched for. */
export interface Piece {
  readonly text: string;
  readonly isFound: boolean;
}

export interface Hit {
  readonly href: string;
  /** The heading it stands under, or the title of the chapter. */
  readonly heading: readonly Piece[];
  readonly chapter: string;
  readonly text: readonly Piece[];
}

/** Words of a question that say nothing about the answer. */
const USUAL: ReadonlySet<string> = new Set(
  "a an and are at be can could do does for from have how i if in is it me my not of on or should that the there this to was what when where which who why will with you your".split(
    " ",
  ),
);
const MOST_HITS = 12;
const EXCERPT = 200;

/** The paragraphs of the guide that answer best, the best first. */
export function searchGuide(chapters: readonly Chapter[], query: string): Hit[] {
  const words = searchedWords(query);
  if (words.length === 0) return [];
  const paragraphs = chapters.flatMap(paragraphsOf).map((paragraph) => ({ paragraph, ...placesOf(paragraph) }));
  const sought = weighed(words, paragraphs);
  const phrase = query.trim().toLowerCase();
  const judged = paragraphs
    .map((one) => ({ paragraph: one.paragraph, ...judge(one, sought, phrase) }))
    .filter(({ found }) => found > 0);
  const most = Math.max(0, ...judged.map(({ found }) => found));
  // When one paragraph has all words, those with fewer say something else.
  return (
    judged
      .filter(({ found }) => found === most)
      .sort((a, b) => b.points - a.points)
      // One hit a heading: they lead to the same place.
      .filter(({ paragraph }, at, all) => all.findIndex((one) => isSamePlace(one.paragraph, paragraph)) === at)
      .slice(0, MOST_HITS)
      .map(({ paragraph: { chapter, heading, text } }) => ({
        href: `/help/${chapter.name}${heading === "" ? "" : `#${anchorOf(heading)}`}`,
        heading: piecesOf(wordsOf(heading || chapter.title), words),
        chapter: chapter.title,
        text: piecesOf(excerptOf(text, words), words),
      }))
  );
}

function isSamePlace(one: Paragraph, other: Paragraph): boolean {
  return one.chapter === other.chapter && one.heading === other.heading;
}

function searchedWords(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_.]+/gu) ?? [];
  const telling = words.filter((word) => !USUAL.has(word));
  return [...new Set(telling.length > 0 ? telling : words)];
}

/** A paragraph, with the texts that are searched. */
interface Places {
  readonly paragraph: Paragraph;
  /** Text before the first heading stands under the title. */
  readonly heading: string;
  readonly title: string;
  readonly text: string;
}

function placesOf({ chapter, heading, text }: Paragraph): Omit<Places, "paragraph"> {
  const title = chapter.title.toLowerCase();
  return { heading: heading.toLowerCase() || title, title, text: text.toLowerCase() };
}

/** A word, and how much it tells: 1 for the rarest of the searched ones, less for a word of many paragraphs. */
interface Weighed {
  readonly word: string;
  readonly weight: number;
}

function weighed(words: readonly string[], paragraphs: readonly Places[]): Weighed[] {
  const rare = words.map((word) => {
    const count = paragraphs.filter(({ heading, text }) => begins(heading, word) || begins(text, word)).length;
    return { word, rarity: Math.log(1 + paragraphs.length / (1 + count)) };
  });
  const most = Math.max(...rare.map(({ rarity }) => rarity));
  return rare.map(({ word, rarity }) => ({ word, weight: rarity / most }));
}

function judge({ paragraph, heading, title, text }: Places, words: readonly Weighed[], phrase: string) {
  const found = words.filter(({ word }) => [heading, title, text].some((place) => begins(place, word))).length;
  const points = words.reduce(
    (sum, { word, weight }) =>
      sum + weight * (4 * +begins(heading, word) + 3 * +begins(title, word) + 2 * +begins(text, word)),
    // Sentences come before commands that say the same.
    12 * +heading.includes(phrase) + 6 * +text.includes(phrase) - 3 * +paragraph.isCode,
  );
  return { found, points };
}

/** True when a word of the text begins so. An ending of the searched word may differ: "passwords" finds "password". */
function begins(text: string, word: string): boolean {
  return pattern([word]).test(text);
}

function pattern(words: readonly string[]): RegExp {
  const begun = words.map((word) => {
    const stem = word.replace(/(?<=\p{L}{4})(s|ed|ing)$/u, "").replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    // A short word is not the beginning of another one: "no" is not "not".
    return stem.length < 4 ? `${stem}(?![\\p{L}\\p{N}])` : `${stem}[\\p{L}\\p{N}]*`;
  });
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${begun.join("|")})`, "iu");
}

/** The text in pieces, of which those are told apart that were searched for. */
function piecesOf(text: string, words: readonly string[]): Piece[] {
  const found = new RegExp(pattern(words).source, "giu");
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: match, index } of text.matchAll(found)) {
    if (index > from) pieces.push({ text: text.slice(from, index), isFound: false });
    pieces.push({ text: match, isFound: true });
    from = index + match.length;
  }
  return from < text.length ? [...pieces, { text: text.slice(from), isFound: false }] : pieces;
}

/** Cuts a piece out of a paragraph, with the first of the words in it. */
function excerptOf(text: string, words: readonly string[]): string {
  if (text.length <= EXCERPT) return text;
  const at = text.search(pattern(words));
  const from = at < EXCERPT / 2 ? 0 : text.indexOf(" ", at - EXCERPT / 2) + 1;
  const cut = text.slice(from, from + EXCERPT).replace(/\s\S*$/, "");
  return `${from > 0 ? "… " : ""}${cut} …`;
}

/** Every paragraph, item and row of a chapter. */
function paragraphsOf(chapter: Chapter): Paragraph[] {
  const found: Paragraph[] = [{ chapter, heading: "", text: "", isCode: false }];
  let heading = "";
  let isCode = false;
  let isNew = true;
  for (const line of chapter.text.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const [, title] = (!isCode && /^#{2,3} (.*)$/.exec(line)) || [];
    if (title !== undefined) {
      heading = title;
      found.push({ chapter, heading, text: "", isCode });
      isNew = true;
    } else if (line.trim() === "" || line.startsWith("```") || /^\|[-|]+\|$/.test(line)) isNew ||= !isCode;
    else {
      const text = line
        .replace(/^\s*([-*>]|\d+\.)\s+/, "")
        .replaceAll(/^\| ?| ?\|$/g, "")
        .replaceAll(" | ", ": ");
      const last = found.at(-1);
      // The first words under a heading are told with it.
      const goesOn = last && (last.text === "" || (!isNew && !/^([-|]|\d+\. )/.test(line)));
      if (goesOn) found[found.length - 1] = { ...last, text: `${last.text} ${text}`.trim(), isCode };
      else found.push({ chapter, heading, text, isCode });
      isNew = false;
    }
  }
  return found.map((paragraph) => ({ ...paragraph, text: wordsOf(paragraph.text) }));
}
