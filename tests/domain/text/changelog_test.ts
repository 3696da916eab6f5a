import { describe, expect, test } from "bun:test";
import { newsOf } from "../../../server/domain/text/changelog.ts";

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Not yet.

## [1.1.0] - 2026-12-01

### Added

- \`sync\` does more, such as
  two lines of it. And this is too much.
- **Trips** play through

### Fixed

- A fault.

## [1.0.0] - 2026-11-23

- All of it.
`;

describe("what is new in a version", () => {
  test("is the first sentence of each item, since the version before it", () => {
    expect(newsOf(CHANGELOG, "1.1.0", 2)).toEqual({
      since: "1.0.0",
      lines: ["sync does more, such as two lines of it.", "Trips play through"],
    });
    expect(newsOf(CHANGELOG, "1.0.0", 5)).toEqual({ since: null, lines: ["All of it."] });
  });

  test("is nothing for a version that the changelog does not have", () => {
    expect(newsOf(CHANGELOG, "9.9.9", 5)).toEqual({ since: null, lines: [] });
  });
});
