import { describe, expect, test } from "bun:test";
import { chapterOf } from "../../../server/domain/guide/chapters.ts";
import { type Hit, searchGuide } from "../../../server/domain/guide/search.ts";

const CHAPTERS = [
  chapterOf(
    "cameras",
    "# Which cameras\n\nTwo interfaces.\n\n## No answer\n\nThe camera sleeps. It is\nnot here.\n\n- one item\n- another [item](disk.md)\n",
  ),
  chapterOf(
    "disk",
    "# The disk is full\n\nMake room.\n\n| it says | do this |\n|---|---|\n| Refused | Give no reply, then wait |\n\n```sh\ndashdock doctor 192.168.1.20\n```\n",
  ),
];
const found = (query: string) => searchGuide(CHAPTERS, query);
const textOf = (pieces: Hit["text"]) => pieces.map(({ text, isFound }) => (isFound ? `[${text}]` : text)).join("");
const told = (query: string) => found(query).map(({ href, text }) => `${href}: ${textOf(text)}`);

describe("searchGuide", () => {
  test.each([
    ["no answer", ["/help/cameras#no-answer: The camera sleeps. It is not here."]],
    ["sleeping", ["/help/cameras#no-answer: The camera [sleeps]. It is not here."]],
    ["items", ["/help/cameras#no-answer: one [item]"]],
    ["refused", ["/help/disk: [Refused]: Give no reply, then wait"]],
    ["doctor", ["/help/disk: dashdock [doctor] 192.168.1.20"]],
    ["How do I make room?", ["/help/disk: [Make] [room]."]],
    ["", []],
    ["  ?! ", []],
    ["xyzzy", []],
  ])("finds for %p what says it", (query, lines) => expect(told(query)).toEqual([...lines]));

  test("marks the words in the heading too, and names the chapter", () => {
    const [hit] = found("answer");
    expect([textOf(hit?.heading ?? []), hit?.chapter]).toEqual(["No [answer]", "Which cameras"]);
  });

  test("counts a rare word for more than one that stands everywhere", () => {
    const text = "# Pages\n\n## One\n\nThe first mode.\n\n## Two\n\nThe other mode.\n\n## Look\n\nIt is dark.\n";
    const pages = chapterOf("pages", text);
    expect(searchGuide([pages], "dark mode").map(({ href }) => href)[0]).toBe("/help/pages#look");
  });

  test("takes what is typed for words, whatever marks it has", () => {
    for (const query of [".*", "(", "[a-z]+", "\\", "a".repeat(200)]) expect(found(query)).toEqual([]);
  });

  test("cuts long paragraphs around the first word that was found", () => {
    const long = chapterOf("slow", `# Slow\n\n${"many words ".repeat(60)}needle ${"and more ".repeat(60)}\n`);
    const [hit] = searchGuide([long], "needle");
    expect(textOf(hit?.text ?? [])).toMatch(/^… many words .*\[needle\] and more .* …$/);
    expect(textOf(hit?.text ?? []).length).toBeLessThan(230);
  });
});
