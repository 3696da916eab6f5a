import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CameraListBuilder } from "../../../server/domain/sync/camera_list.ts";
import { LatestList, type LatestListParts } from "../../../server/engine/listed/latest_list.ts";
import { Log } from "../../../server/log.ts";
import { CameraListFile } from "../../../server/store/config/camera_list_file.ts";
import { FakeClock } from "../../support/app/clock.ts";

test("a list that the disk refused is written with the next sync, though the camera lists the same", async () => {
  const folder = mkdtempSync(join(tmpdir(), "latest-list-"));
  try {
    const config = join(folder, "config");
    const file = new CameraListFile(join(config, "camera-list.txt"), new Log(new FakeClock()));
    const latest = new LatestList({ file } as LatestListParts);
    const builder = new CameraListBuilder({ address: "cam", destination: "/srv" }, 1);
    builder.add("20260607_101500_NF.mp4", 0);
    latest.take(builder.list());
    await latest.save();
    expect(file.isSaved).toBe(false);
    mkdirSync(config);
    await latest.save();
    expect((await file.read())?.size).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
