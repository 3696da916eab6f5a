/** The kinds of changes, by Keep a Changelog, in their order. */
export const KINDS: readonly string[] = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];

/** Changes of one version. */
export interface Release {
  /** `Unreleased`, or a version without the `v` of its tag. */
  readonly version: string;
  /** `2026-11-23`; null while it is not released. */
  readonly date: string | null;
  /** Text below the heading. */
  readonly text: string;
}

const HEADING = /^## \[(Unreleased|[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?)\](?: - ([0-9]{4}-[0-9]{2}-[0-9]{2}))?$/;

/** The versions of a changelog, the latest first. @throws Error a sentence about a heading that is none of a version */
export function releasesIn(changelog: string): Release[] {
  const [, ...sections] = changelog.split(/^(?=## )/m);
  return sections.map((section) => {
    const end = section.indexOf("\n");
    const heading = section.slice(0, end < 0 ? section.length : end);
    const [, version, date = null] = HEADING.exec(heading) ?? [];
    if (version === undefined || (version === "Unreleased") !== (date === null))
      throw new Error(`"${heading}" is neither "## [Unreleased]" nor like "## [1.2.3] - 2026-11-23"`);
    return { version, date, text: section.slice(heading.length).trim() };
  });
}

/**
 * The notes of the release that a tag stands for.
 * @param version that of the package
 * @throws Error a sentence that says what is missing
 */
export function notesOf(changelog: string, tag: string, version: string): string {
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, but package.json has the version ${version}.`);
  const release = releasesIn(changelog).find((one) => one.version === version);
  if (release === undefined) throw new Error(`CHANGELOG.md has no section "## [${version}] - <date>".`);
  if (release.text === "") throw new Error(`CHANGELOG.md says nothing about ${version}.`);
  return release.text;
}

/** The tags of a version's image: of `1.2.3` also `1.2`, `1` and `latest`; of one that comes before it only its own. */
export function imageTagsOf(version: string): string[] {
  if (version.includes("-")) return [version];
  const [major, minor] = version.split(".");
  return [version, `${major}.${minor}`, `${major}`, "latest"];
}
