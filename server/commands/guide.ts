import { CHAPTER_GROUPS, type Chapter, isChapterName } from "../domain/guide/chapters.ts";
import { openGuide } from "../guide.ts";
import { ROUTES } from "../routes.ts";
import type { CommandIO } from "./command_io.ts";
import { UsageProblem } from "./usage.ts";

/** Wider lines are hard to read. */
const WIDEST = 100;
const NARROW = 80;

/** `help guide [CHAPTER]`: the chapters of the guide, or one of them. */
export async function printGuide(
  name: string | undefined,
  { out, env }: Pick<CommandIO, "out" | "env">,
): Promise<number> {
  const chapters = await openGuide(ROUTES);
  const chapter = chapters.find((one) => one.name === name);
  if (name !== undefined && !chapter)
    throw new UsageProblem(`The guide has no chapter "${name}". See "dashdock help guide"`);
  const text = chapter ? `# ${chapter.title}\n\n${withoutAddresses(chapter.text)}` : listOf(chapters);
  const isTerminal = out.isTTY === true;
  const shown = Bun.markdown.ansi(text, {
    colors: isTerminal && !env["NO_COLOR"],
    hyperlinks: false,
    columns: isTerminal ? Math.min(out.columns || NARROW, WIDEST) : NARROW,
  });
  // The process ends with the command: what a slow reader has not taken by then would be lost.
  await new Promise<void>((done) => out.write(`${shown.trim()}\n`, () => done()));
  return 0;
}

function listOf(chapters: readonly Chapter[]): string {
  const groups = CHAPTER_GROUPS.map(({ title, names }) => {
    const rows = names.map((name) => `- ${name}: ${chapters.find((one) => one.name === name)?.title}`);
    return `## ${title}\n\n${rows.join("\n")}`;
  });
  return ["# The guide", "`dashdock help guide CHAPTER` prints one of these:", ...groups].join("\n\n");
}

/** Links as words, with the chapter that they lead to: a terminal follows none. */
function withoutAddresses(text: string): string {
  // A line of nothing but links into the pages is no use there.
  const lines = text.replaceAll(/^(\[[^\]]+\]\(\/[^)]*\) ?)+$\n/gm, "");
  return lines.replaceAll(/^```.*?^```$|\[([^\]]+)\]\(([^)\s]+)\)/gms, (found, words?: string, to = "") => {
    if (words === undefined) return found;
    const [, name = ""] = /^([\w-]+)\.md/.exec(to) ?? [];
    if (isChapterName(name)) return words.startsWith("`") ? words : `${words} (${name})`;
    return /^https?:/.test(to) ? `${words} (${to})` : words;
  });
}
