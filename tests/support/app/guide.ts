import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openGuide } from "../../../server/guide.ts";
import { ROUTES } from "../../../server/routes.ts";

const ROOT = join(import.meta.dir, "../../..");
const FOLDER = join(ROOT, "assets/guide");

/** The front of the project. */
export const README = readFileSync(join(ROOT, "README.md"), "utf8");

/** The text of each chapter's file, by its name in the folder. */
export const CHAPTER_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(FOLDER)
    .sort()
    .map((name) => [name, readFileSync(join(FOLDER, name), "utf8")]),
);

/** The front and all chapters in one text, as they are written. */
export const GUIDE = [README, ...Object.values(CHAPTER_FILES)].join("\n");

/** The guide as it is shown, with what is made from the code. */
export const CHAPTERS = await openGuide(ROUTES);

/** Everything that the guide shows. */
export const SHOWN = [README, ...CHAPTERS.map(({ title, text }) => `# ${title}\n\n${text}`)].join("\n");

/** One fenced block. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** The heading it stands under, as the guide writes it. */
  readonly under: string;
}

/** Every fenced block of the front and the chapters, in order. */
export function blocks(guide = GUIDE): Block[] {
  const found: Block[] = [];
  let under = "";
  let open: { language: string; lines: string[] } | null = null;
  for (const line of guide.split("\n")) {
    if (open && line === "```") {
      found.push({ language: open.language, text: open.lines.join("\n"), under });
      open = null;
    } else if (open) open.lines.push(line);
    else if (line.startsWith("```")) open = { language: line.slice(3), lines: [] };
    else if (/^#+ /.test(line)) under = line.replace(/^#+ /, "");
  }
  return found;
}
