import { describe, expect, test } from "bun:test";
import { CHAPTER_FILES } from "./support/app/guide.ts";

/** Many readers are not native speakers: a sentence has one thought, and as a rule at most 20 words. */
const MOST_WORDS = 25;

/** The sentences of a chapter's paragraphs and items. Code counts as one word, and an address as none. */
function sentencesOf(markdown: string): string[] {
  const paragraphs = markdown
    .replaceAll(/^ *```.*?^ *```$/gms, "\n")
    .replaceAll(/<!--.*?-->/gs, "\n")
    .replaceAll(/^(#|\|).*$/gm, "\n")
    .replaceAll(/^ *([-*]|\d+\.) /gm, "\n")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/`[^`]*`/g, "`code`")
    .split(/\n\s*\n/);
  return paragraphs
    .flatMap((text) =>
      text
        .replaceAll(/\s+/g, " ")
        .trim()
        .split(/(?<=[.!?][")*]*) (?=["(*]*[\p{Lu}\p{N}`])/u),
    )
    .filter((text) => text !== "");
}

function countWords(sentence: string): number {
  return sentence.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

describe("the sentences of the guide", () => {
  test("are told apart as a reader does", () => {
    const chapter = `# A title that is no sentence

Stop the service, then
[start it again](update.md#start) with \`dashdock serve --port 80\`. It says "ready." Then wait.

| a table | has cells |
|---|---|

- One item
- Another: 3 of 4. Version 1.2.3 has it

\`\`\`sh
this is not read. Never
\`\`\`
`;
    expect(sentencesOf(chapter).map((text) => [text, countWords(text)])).toEqual([
      ["Stop the service, then start it again with `code`.", 9],
      ['It says "ready."', 3],
      ["Then wait.", 2],
      ["One item", 2],
      ["Another: 3 of 4.", 4],
      ["Version 1.2.3 has it", 4],
    ]);
  });

  for (const [name, text] of Object.entries(CHAPTER_FILES))
    test(`have at most ${MOST_WORDS} words in ${name}`, () =>
      expect(sentencesOf(text).filter((sentence) => countWords(sentence) > MOST_WORDS)).toEqual([]));
});
