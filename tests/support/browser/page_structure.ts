import { join } from "node:path";

/** Folder of the README's pictures, with the structure of their pages when they were taken. */
export const PICTURES = join(import.meta.dir, "../../../assets/pictures");
export const NOTED = join(PICTURES, "structure.json");

/** The pages in the pictures, by the names of the files. */
export const PICTURED = { dashboard: "/", viewer: "/viewer", settings: "/settings" } as const;

/** The landmarks, headings and cards of a page, in order; what only its data says, such as a time, is left out. */
export async function structureOf(html: string): Promise<string[]> {
  const found: string[] = [];
  let heading = "";
  const rewriter = new HTMLRewriter()
    .on("nav, header, main, aside, footer", { element: ({ tagName }) => void found.push(tagName) })
    .on("[id$=-card], section[id], [data-island]", {
      element: (part) => {
        const name = part.getAttribute("id") ?? part.getAttribute("data-island") ?? "";
        found.push(`${part.tagName} ${name}`);
      },
    })
    .on("h1, h2, h3", {
      element: (part) => {
        heading = "";
        part.onEndTag(({ name }) => void found.push(`${name} ${/[0-9]/.test(heading) ? "…" : heading.trim()}`));
      },
      text: ({ text }) => {
        heading += text;
      },
    });
  await rewriter.transform(new Response(html)).text();
  return [...new Set(found)];
}
