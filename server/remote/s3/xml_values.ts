/** Reads the little of XML that answers of S3 use: elements without attributes that matter, and texts. */

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Texts of all elements of a name, with what is in them, in order. */
export function elements(xml: string, name: string): string[] {
  const found: string[] = [];
  const open = `<${name}`;
  const close = `</${name}>`;
  for (let at = xml.indexOf(open); at >= 0; at = xml.indexOf(open, at)) {
    const next = xml[at + open.length];
    const begin = xml.indexOf(">", at) + 1;
    at += open.length;
    // Part of a longer name, or an element without a content.
    if ((next !== ">" && next !== " ") || begin === 0 || xml[begin - 2] === "/") continue;
    const end = xml.indexOf(close, begin);
    if (end < 0) break;
    found.push(xml.slice(begin, end));
    at = end + close.length;
  }
  return found;
}

/** Text of the first element of a name; null where there is none. */
export function value(xml: string, name: string): string | null {
  const [first] = elements(xml, name);
  return first === undefined ? null : unescaped(first);
}

export function escaped(text: string): string {
  return text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function unescaped(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
