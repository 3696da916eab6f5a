type Node = Readonly<Record<string, unknown>>;

/** Keywords that say nothing about a value. */
const WORDS: ReadonlySet<string> = new Set(["title", "description", "default"]);

/**
 * Differences between `value` and a schema of `root`, as sentences that begin with the place. Stricter than the
 * standard in one point: an object holds nothing but the properties it lists. Throws at keywords it does not know.
 */
export function schemaProblems(root: Node, schema: unknown, value: unknown, at = "$"): string[] {
  const node = nodeOf(schema);
  const inner = (part: unknown, of: unknown, place = at) => schemaProblems(root, part, of, place);
  const found: string[] = [];
  const say = (problem: string) => found.push(`${at} ${problem}, got ${JSON.stringify(value)?.slice(0, 80)}`);
  for (const [keyword, rule] of Object.entries(node)) {
    switch (keyword) {
      case "$ref":
        found.push(...inner(resolve(root, String(rule)), value));
        break;
      case "type":
        if (![rule].flat().some((type) => isOfType(value, String(type)))) say(`must be ${rule}`);
        break;
      case "const":
        if (value !== rule) say(`must be ${rule}`);
        break;
      case "enum":
        if (!listOf(rule).includes(value)) say(`must be one of ${listOf(rule).join(", ")}`);
        break;
      case "anyOf":
        if (!listOf(rule).some((option) => inner(option, value).length === 0)) say("fits no alternative");
        break;
      case "allOf":
        for (const part of listOf(rule)) found.push(...inner(part, value));
        break;
      case "properties":
        for (const [key, of] of Object.entries(objectOf(value)))
          if (key in nodeOf(rule)) found.push(...inner(nodeOf(rule)[key], of, `${at}.${key}`));
          else if (node["type"] === "object") say(`must not have ${key}`);
        break;
      case "required":
        // It says nothing about what is no object.
        if (value === null) break;
        for (const key of listOf(rule)) if (!(String(key) in objectOf(value))) say(`must have ${key}`);
        break;
      case "additionalProperties":
        if (rule === false) break;
        for (const [key, of] of Object.entries(objectOf(value))) found.push(...inner(rule, of, `${at}.${key}`));
        break;
      case "propertyNames":
        for (const key of Object.keys(objectOf(value))) found.push(...inner(rule, key, `${at}.${key}`));
        break;
      case "prefixItems":
        for (const [i, part] of listOf(rule).entries())
          if (Array.isArray(value)) found.push(...inner(part, value[i], `${at}[${i}]`));
        break;
      case "items":
        if (Array.isArray(value)) for (const [i, of] of value.entries()) found.push(...inner(rule, of, `${at}[${i}]`));
        break;
      case "minimum":
        if (typeof value === "number" && !(value >= Number(rule))) say(`must be at least ${rule}`);
        break;
      case "maximum":
        if (typeof value === "number" && !(value <= Number(rule))) say(`must be at most ${rule}`);
        break;
      case "exclusiveMinimum":
        if (typeof value === "number" && !(value > Number(rule))) say(`must be above ${rule}`);
        break;
      case "minLength":
        if (typeof value === "string" && [...value].length < Number(rule)) say(`must be at least ${rule} long`);
        break;
      case "maxLength":
        if (typeof value === "string" && [...value].length > Number(rule)) say(`must be at most ${rule} long`);
        break;
      case "minItems":
        if (Array.isArray(value) && value.length < Number(rule)) say(`must have at least ${rule} items`);
        break;
      case "maxItems":
        if (Array.isArray(value) && value.length > Number(rule)) say(`must have at most ${rule} items`);
        break;
      case "pattern":
        if (typeof value === "string" && !new RegExp(String(rule), "u").test(value)) say(`must match ${rule}`);
        break;
      default:
        if (!WORDS.has(keyword)) throw new Error(`${at}: the keyword "${keyword}" is not known here`);
    }
  }
  return found;
}

/** Target of a `$ref`. */
export function resolve(root: Node, ref: string): Node {
  let node: Node = root;
  for (const part of ref.replace(/^#\//, "").split("/")) {
    if (!(part in node)) throw new Error(`${ref} leads nowhere`);
    node = nodeOf(node[part]);
  }
  return node;
}

/** Every `$ref` inside, however deep. */
export function refsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => (key === "$ref" ? [String(part)] : refsIn(part)));
}

export function nodeOf(value: unknown): Node {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Node;
  throw new Error(`no object: ${JSON.stringify(value)}`);
}

function objectOf(value: unknown): Node {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Node) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "string":
    case "boolean":
      return typeof value === type;
  }
  throw new Error(`no type of JSON Schema: ${type}`);
}
