import { expect, test } from "bun:test";
import { migrate, SETTINGS_VERSION } from "../../../server/domain/settings/settings_migrations.ts";

test("the version of today's settings is 2", () => expect(SETTINGS_VERSION).toBe(2));

const rows: [what: string, stored: Record<string, unknown>, migrated: Record<string, unknown>][] = [
  ["a file without a version counts as version 1", {}, { version: 2 }],
  [
    "version 0 becomes today's",
    { version: 0, sync: { grouping: "daily" } },
    { version: 2, sync: { grouping: "daily" } },
  ],
  [
    "the old fixed state file gives way",
    { version: 1, metrics: { state_file: "/config/metrics-state.json", job: "car" } },
    { version: 2, metrics: { state_file: "", job: "car" } },
  ],
  [
    "a state file somebody chose stays",
    { version: 1, metrics: { state_file: "/data/state.json" } },
    { version: 2, metrics: { state_file: "/data/state.json" } },
  ],
  [
    "a file of today's version stays as it is",
    { version: 2, metrics: { state_file: "/config/metrics-state.json" } },
    { version: 2, metrics: { state_file: "/config/metrics-state.json" } },
  ],
  [
    "a metrics section that is no object is left for the check",
    { version: 1, metrics: null },
    { version: 2, metrics: null },
  ],
  ["what nobody knows stays", { version: 1, extra: [1] }, { version: 2, extra: [1] }],
];
for (const [what, stored, migrated] of rows) {
  test(`migrate(): ${what}, and the input is not changed`, () => {
    const before = structuredClone(stored);
    expect(migrate(stored)).toEqual(migrated);
    expect(stored).toEqual(before);
  });
}

test("migrate() refuses a newer version and says which", () => {
  expect(() => migrate({ version: 3 })).toThrow("version 3, newer than version 2");
});

test("migrate() refuses a version that is no number", () => {
  for (const version of ["2", null, -1, 1.5, true, Number.NaN]) expect(() => migrate({ version })).toThrow(RangeError);
});
