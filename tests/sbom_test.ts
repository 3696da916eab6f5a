import { describe, expect, test } from "bun:test";
import { sbomOfThis } from "../assets/ship/release_files.ts";

/** A list of parts, as far as ours go. */
interface Bom {
  [key: string]: unknown;
  metadata: { component: Part };
  components: Part[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}
interface Part {
  [key: string]: unknown;
  licenses?: object[];
  hashes?: { alg: string; content: string }[];
}

const TYPES = [
  ...["application", "framework", "library", "container", "platform", "operating-system", "device", "device-driver"],
  ...["firmware", "file", "machine-learning-model", "data", "cryptographic-asset"],
];
/** Characters of a hash, by its kind. */
const DIGITS: Readonly<Record<string, number>> = { "SHA-256": 64, "SHA-384": 96, "SHA-512": 128 };
/** Names of licences by SPDX that parts of ours have. */
const LICENCES = ["MIT", "MIT-0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "MPL-2.0", "Apache-2.0", "CC-BY-4.0"];
const PART_KEYS = ["bom-ref", "type", "group", "name", "version", "purl", "hashes", "licenses"];
const BOM_KEYS = ["$schema", "bomFormat", "specVersion", "version", "metadata", "components", "dependencies"];

/** Rules of CycloneDX 1.6 that a list breaks, each as a sentence; nothing else may stand in it. */
function problemsOf(bom: Bom): string[] {
  const problems: string[] = [];
  const must = (holds: boolean, sentence: string) => holds || problems.push(sentence);
  must(bom["$schema"] === "http://cyclonedx.org/schema/bom-1.6.schema.json", "its schema is that of 1.6");
  must(bom["bomFormat"] === "CycloneDX" && bom["specVersion"] === "1.6", "its format is CycloneDX 1.6");
  must(Number.isInteger(bom["version"]) && Number(bom["version"]) >= 1, "its version counts from 1");
  const unknown = (given: object, known: string[]) => Object.keys(given).filter((key) => !known.includes(key));
  must(unknown(bom, BOM_KEYS).length === 0, `the list has no ${unknown(bom, BOM_KEYS)}`);
  const parts = [bom.metadata.component, ...bom.components];
  for (const part of parts) {
    const name = String(part["name"]);
    must(unknown(part, PART_KEYS).length === 0, `a part has no ${unknown(part, PART_KEYS)}`);
    must(TYPES.includes(String(part["type"])), `${name} has a type`);
    must(typeof part["name"] === "string" && name !== "", "a part has a name");
    must(/^pkg:(npm|github|generic)\/[^\s@]+@[^\s@]+$/.test(String(part["purl"])), `${name} has an address`);
    for (const { alg, content } of part.hashes ?? [])
      must(new RegExp(`^[0-9a-fA-F]{${DIGITS[alg] ?? 0}}$`).test(content) && alg in DIGITS, `${name} has a whole hash`);
    for (const one of part.licenses ?? []) {
      const { license } = one as { license?: { id?: string } };
      const isKnown = license !== undefined && Object.keys(one).length === 1 && Object.keys(license).join() === "id";
      must(isKnown && LICENCES.includes(license.id ?? ""), `${name} has a licence of SPDX`);
    }
  }
  const refs = parts.map((part) => part["bom-ref"]);
  must(new Set(refs).size === refs.length, "each part has a name of its own in the list");
  const told = bom.dependencies.map(({ ref }) => ref);
  must(new Set(told).size === told.length, "what a part needs is told once");
  must(
    [...told, ...bom.dependencies.flatMap((one) => one.dependsOn ?? [])].every((ref) => refs.includes(ref)),
    "what is needed is a part",
  );
  for (const { ref, dependsOn = [] } of bom.dependencies)
    must(new Set(dependsOn).size === dependsOn.length, `${ref} needs each part once`);
  return problems;
}

const parsed = (): Bom => JSON.parse(sbomOfThis());

describe("the list of all that is inside", () => {
  test("keeps the rules of CycloneDX 1.6", () => {
    expect(problemsOf(parsed())).toEqual([]);
  });

  test("names no registry, no folder of this machine, no date and no random number", () => {
    const text = sbomOfThis();
    expect(text.match(/https?:\/\/[^"]+/g)).toEqual(["http://cyclonedx.org/schema/bom-1.6.schema.json"]);
    expect(text.match(/\/home\/|\/tmp\/|\d{4}-\d\d-\d\dT|urn:uuid/g)).toBeNull();
  });

  const partly = (change: (part: Part, bom: Bom) => void) => (bom: Bom) => {
    const part = bom.components.find(({ hashes }) => hashes !== undefined);
    if (part) change(part, bom);
  };
  test.each<[string, (bom: Bom) => void]>([
    ["its format is CycloneDX 1.6", (bom) => Object.assign(bom, { specVersion: "1.4" })],
    ["its schema is that of 1.6", (bom) => Object.assign(bom, { $schema: "x" })],
    ["its version counts from 1", (bom) => Object.assign(bom, { version: 0 })],
    ["the list has no author", (bom) => Object.assign(bom, { author: "x" })],
    ["a part has no licence", partly((part) => Object.assign(part, { licence: "MIT" }))],
    ["has a type", partly((part) => Object.assign(part, { type: "package" }))],
    ["a part has a name", partly((part) => Object.assign(part, { name: "" }))],
    ["has an address", partly((part) => Object.assign(part, { purl: "npm:x" }))],
    ["has a whole hash", partly((part) => part.hashes?.push({ alg: "SHA-512", content: "abc" }))],
    ["has a whole hash", partly((part) => part.hashes?.push({ alg: "sha512", content: "a".repeat(128) }))],
    ["has a licence of SPDX", partly((part) => Object.assign(part, { licenses: [{ license: { id: "Free" } }] }))],
    [
      "has a licence of SPDX",
      partly((part) => Object.assign(part, { licenses: [{ license: { id: "MIT", name: "x" } }] })),
    ],
    ["each part has a name of its own in the list", partly((part, bom) => bom.components.push({ ...part }))],
    ["what a part needs is told once", (bom) => bom.dependencies.push(...bom.dependencies.slice(0, 1))],
    ["what is needed is a part", (bom) => bom.dependencies[0]?.dependsOn?.push("pkg:npm/none@1.0.0")],
    [
      "needs each part once",
      (bom) => bom.dependencies[0]?.dependsOn?.push(...bom.dependencies[0].dependsOn.slice(0, 1)),
    ],
  ])("would be found wrong where it is not so that %s", (sentence, spoil) => {
    const bom = parsed();
    spoil(bom);
    expect(problemsOf(bom)).toContainEqual(expect.stringContaining(sentence));
  });
});
