/** The chapters of the guide in the order in which they are read, by the names of their files. */
export const CHAPTER_GROUPS = [
  { title: "Begin", names: ["first-steps", "cameras", "install", "nas", "update", "moving"] },
  { title: "Every day", names: ["pages", "viewer", "syncing", "deleting", "telling", "home-assistant", "offsite"] },
  { title: "Problems", names: ["unreachable", "slow", "missing", "disk", "messages"] },
  {
    title: "More",
    names: [
      "settings",
      "variables",
      "sign-in",
      "security",
      "proxy",
      "commands",
      "api",
      "monitoring",
      "other-tools",
      "transfers",
    ],
  },
] as const;

export type ChapterName = (typeof CHAPTER_GROUPS)[number]["names"][number];

export const CHAPTER_NAMES: readonly ChapterName[] = CHAPTER_GROUPS.flatMap(({ names }) => [...names]);

/** Chapters for people who cannot sign in yet. */
export const OPEN_CHAPTERS: readonly ChapterName[] = ["first-steps", "sign-in"];

/** One chapter, with the parts made from the code already in their place. */
export interface Chapter {
  readonly name: ChapterName;
  readonly title: string;
  /** Markdown without the title. */
  readonly text: string;
}

/** True when a chapter of that name exists. */
export function isChapterName(name: string): name is ChapterName {
  return CHAPTER_NAMES.some((one) => one === name);
}

/** A chapter from the text of its file, whose first line is its title. */
export function chapterOf(name: ChapterName, markdown: string): Chapter {
  const [, title = "", text = ""] = /^# ([^\n]*)\n+(.*)$/s.exec(markdown) ?? [];
  return { name, title: withQuotes(title), text: withQuotes(text) };
}

/** The text with the apostrophes and quotation marks of print, but for code and addresses. */
function withQuotes(markdown: string): string {
  return markdown.replaceAll(
    /^```.*?^```|`[^`\n]*`|\]\([^)]*\)|<!--.*?-->|"([^"`\n]*(?:\n[^"`\n]+)?)"|'/gms,
    (found, quoted) => {
      if (found === "'") return "’";
      return typeof quoted === "string" ? `“${quoted.replaceAll("'", "’")}”` : found;
    },
  );
}

/**
 * Returns the anchor of a heading, made of its words as forges make it. A heading that ends with the path of a setting
 * has the setting's own id, which the settings page has too.
 */
export function anchorOf(heading: string): string {
  const [, section, name] = /`([a-z]+)\.([a-z_]+)`$/.exec(heading) ?? [];
  if (section !== undefined) return `${section}-${name}`;
  return wordsOf(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, "")
    .replaceAll(" ", "-");
}

/** The words of a line of Markdown without its marks. */
export function wordsOf(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\*\*|`/g, "")
    .replaceAll(/(^|[\s(])\*([^*]+)\*/g, "$1$2")
    .replaceAll(/\\([<|*_\\`[\]])/g, "$1");
}

/** The headings of a chapter. */
export function headingsOf({ text }: Chapter): { readonly level: number; readonly title: string }[] {
  const found = text.replaceAll(/^```.*?^```$/gms, "").matchAll(/^(#{2,3}) (.*)$/gm);
  return [...found].map(([, marks = "", title = ""]) => ({ level: marks.length, title }));
}
