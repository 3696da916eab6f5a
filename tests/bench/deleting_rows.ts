import { join } from "node:path";
import { askOften, benchAllDue, benchNoneDue, benchTrash, fillTrash, type PassFigures } from "./deleting.ts";
import type { Part } from "./part.ts";
import { fillLibrary, openService } from "./service.ts";
import { openStage } from "./stage.ts";

const one = (value: number) => value.toFixed(1);
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const gap = ({ gapMs }: PassFigures) => `event loop away ${one(gapMs)} ms`;

/** Costs of deleting. Unlike the others these are the best of their rounds: a gap has no useful median. */
export const DELETING_PARTS: readonly Part[] = [
  {
    name: "deleting",
    async measure(add, rounds) {
      const none = await benchNoneDue(100_000, rounds);
      add("a pass over 100,000 recordings, none due, warm index", `${one(none.ms)} ms, ${gap(none)}`, "< 50 ms");
      const some = await benchAllDue(10_000, { hasCompanions: true, where: "disk", rounds });
      add(
        "10,000 recordings with three companions each to the trash, on a disk",
        `${seconds(some.ms)}, ${gap(some)}`,
        "< 5 s, ≤ 20 ms",
      );
      const all = await benchAllDue(100_000, { hasCompanions: false, where: "memory", rounds });
      const memory = `memory ${all.megabytesBefore.toFixed(0)} → ${all.megabytesMost.toFixed(0)} MB`;
      add("100,000 recordings to the trash in one pass", `${seconds(all.ms)}, ${gap(all)}, ${memory}`, "≤ 20 ms, flat");
    },
  },
  {
    name: "trash",
    async measure(add) {
      const { page, entries } = await benchTrash(20_000);
      const figures = ({ ms, kilobytes }: typeof page) => `${one(ms)} ms, ${one(kilobytes)} kB`;
      add("trash of 20,000: what its page shows first", figures(page), "≤ 20 ms, ≤ 200 kB");
      add("the same: 200 entries of /api/trash", figures(entries), "≤ 20 ms, ≤ 200 kB");
      const html = await askTrashPage(20_000);
      add("the page /trash with 20,000 recordings", figures(html), "≤ 20 ms, ≤ 200 kB");
      await using stage = await openStage({ moments: 1, directions: ["F"], videoBytes: 1000, companionBytes: 10 });
      await using service = await openService(stage, "retention");
      fillLibrary(stage, "retention", 100_000);
      for (const path of ["/api/retention", "/api/overview"]) {
        await (await fetch(service.url + path)).text();
        // The folders were just written: they are looked at once more when their times can be trusted.
        await Bun.sleep(3000);
        await (await fetch(service.url + path)).text();
        add(`${path}, 100,000 recordings, nothing changed`, figures(await askOften(service.url + path)), "≤ 20 ms");
      }
    },
  },
];

async function askTrashPage(recordings: number): Promise<{ ms: number; kilobytes: number }> {
  await using stage = await openStage({ moments: 1, directions: ["F"], videoBytes: 1000, companionBytes: 10 });
  await using service = await openService(stage, "trash");
  fillTrash(join(stage.folder, "trash", "recordings"), recordings);
  await (await fetch(`${service.url}/trash`)).text();
  // The folders were just written: they are looked at once more when their times can be trusted.
  await Bun.sleep(3000);
  await (await fetch(`${service.url}/trash`)).text();
  return await askOften(`${service.url}/trash`);
}
