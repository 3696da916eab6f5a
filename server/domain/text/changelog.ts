/** Changes of a version, from a changelog in the form of Keep a Changelog. */
export interface News {
  /** The version before it; null for the first one. */
  readonly since: string | null;
  /** Changes in a sentence each, the most important first. */
  readonly lines: readonly string[];
}

/**
 * The news of a version: the first sentences of what it added, else of what it changed or repaired.
 * @param most how many at most
 */
export function newsOf(changelog: string, version: string, most: number): News {
  const sections = changelog.split(/^## /m).slice(1);
  const at = sections.findIndex((section) => section.startsWith(`[${version}]`));
  const [, since = null] = /^\[([0-9][^\]]*)\]/.exec(sections[at + 1] ?? "") ?? [];
  // One item of the list may go over several lines.
  const items = (sections[at] ?? "").match(/^- .*(\n {2}.*)*/gm) ?? [];
  return { since: at < 0 ? null : since, lines: items.slice(0, most).map(firstSentence) };
}

function firstSentence(item: string): string {
  const text = item
    .replace(/^- /, "")
    .replace(/\s+/g, " ")
    .replace(/\*\*|`/g, "");
  const [sentence = text] = /^.*?[.!?](?= [A-Z“"]|$)/.exec(text) ?? [];
  return sentence;
}
