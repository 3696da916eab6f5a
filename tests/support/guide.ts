import { readFileSync } from "node:fs";
import { join } from "node:path";

export const GUIDE = readFileSync(join(import.meta.dir, "../../README.md"), "utf8");

/** One fenced block of the README. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** The heading it stands under, as the guide writes it. */
  readonly under: string;
}

/** Every fenced block, in order. */
export function blocks(): Block[] {
  const found: Block[] = [];
  let under = "";
  let open: { language: string; lines: string[] } | null = null;
  for (const line of GUIDE.split("\n")) {
    if (open && line === "```") {
      found.push({ language: open.language, text: open.lines.join("\n"), under });
      open = null;
    } else if (open) open.lines.push(line);
    else if (line.startsWith("```")) open = { language: line.slice(3), lines: [] };
    else if (/^#+ /.test(line)) under = line.replace(/^#+ /, "");
  }
  return found;
}

/** The headings of a level that are no part of a block. */
export function headings(level: number): string[] {
  const text = GUIDE.replaceAll(/^```.*?^```$/gms, "");
  return [...text.matchAll(/^(#+) (.*)$/gm)].flatMap(([, marks = "", title = ""]) =>
    marks.length === level ? [title] : [],
  );
}
