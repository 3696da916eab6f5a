import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installationId } from "../../../server/store/config/installation_id.ts";

test("the id is made once, stays, is its owner's only, and is made anew where it is damaged", async () => {
  const folder = mkdtempSync(join(tmpdir(), "installation-"));
  try {
    const path = join(folder, "installation-id");
    const [id, ...others] = await Promise.all([1, 2, 3].map(() => installationId(folder)));
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect([...others, await installationId(folder), readFileSync(path, "utf8").trim()]).toEqual(Array(4).fill(id));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const damaged of ["", "../../x", `${id}${id}`]) {
      writeFileSync(path, damaged);
      const next = await installationId(folder);
      expect(next).toMatch(/^[0-9a-f]{16}$/);
      expect(await installationId(folder)).toBe(next);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
