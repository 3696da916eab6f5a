/** An element of XML: its own text is that between its tags, without that of elements in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

type Open = { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string };

const TOKEN =
  /<!--(?:(?!--)[\s\S])*-->|<\?xml [^<>]*\?>|<\/(?<end>[A-Za-z][\w.-]*)\s*>|<(?<start>[A-Za-z][\w.-]*)(?<given>(?:\s+[A-Za-z][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)/y;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Reads a document of elements, attributes, text and comments.
 * @throws Error where it is not well-formed: a parser of XML would refuse it, too
 */
export function readXml(document: string): XmlElement {
  const outside: Open = { name: "", attributes: {}, children: [], text: "" };
  const open = [outside];
  const token = new RegExp(TOKEN);
  while (token.lastIndex < document.length) {
    const at = token.lastIndex;
    const fail = (why: string) => new Error(`${why} at ${JSON.stringify(document.slice(at, at + 40))}`);
    const found = token.exec(document);
    if (found === null) throw fail("No markup");
    const { end, start, given = "", empty, text } = found.groups ?? {};
    const [parent = outside] = open.slice(-1);
    if (found[0].startsWith("<?") && at > 0) throw fail("A declaration that is not first");
    if (text !== undefined) parent.text += decoded(text, fail);
    if (start !== undefined) {
      const attributes: Record<string, string> = {};
      for (const [, name = "", quoted = ""] of given.matchAll(/([\w.:-]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
        if (name in attributes) throw fail(`Two attributes ${name}`);
        attributes[name] = decoded(quoted.slice(1, -1), fail);
      }
      const element: Open = { name: start, attributes, children: [], text: "" };
      parent.children.push(element);
      if (empty === "") open.push(element);
    }
    if (end !== undefined && (open.length === 1 || open.pop()?.name !== end)) throw fail("An end without its start");
  }
  const [root, ...more] = outside.children;
  if (open.length > 1) throw new Error(`${open.at(-1)?.name} has no end`);
  if (!root || more.length > 0 || outside.text.trim() !== "") throw new Error("A document is one element");
  return root;
}

function decoded(text: string, fail: (why: string) => Error): string {
  return text.replaceAll(/&(?:#([0-9]+)|#x([0-9A-Fa-f]+)|(\w+));|&/g, (entity, decimal, hexadecimal, name) => {
    if (decimal || hexadecimal)
      return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16));
    const character = ENTITIES[name];
    if (character === undefined) throw fail(`An unknown entity ${entity}`);
    return character;
  });
}
