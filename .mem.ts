import { mkdirSync, mkdtempSync, writeFileSync, chmodSync } from "node:fs";
import { join } from "node:path";
import { heapStats } from "bun:jsc";
import { openApp } from "./server/app.ts";
import { cardNames } from "./tests/bench/stage.ts";
import { SETTINGS_VERSION } from "./server/domain/settings/settings_migrations.ts";
const n = Number(process.argv[2]), rec = Number(process.argv[3]);
const folder = mkdtempSync("/dev/shm/mem-");
const { videos } = cardNames(rec / 2, ["F", "R"]);
const more = [];
for (let i = 0; i < n; i++) { const p = join(folder, i === 0 ? "recordings" : `van-${i}`); mkdirSync(p); for (const v of videos) writeFileSync(join(p, v), ""); if (i) more.push({ id: `van-${i}`, destination: p, schedule: { paused: true }, retention: { keep: "" } }); }
mkdirSync(join(folder, "config"));
writeFileSync(join(folder, "config/settings.json"), JSON.stringify({ version: SETTINGS_VERSION, auth: { mode: "none" }, schedule: { paused: true }, retention: { keep: "" }, more_cameras: more })); chmodSync(join(folder, "config/settings.json"), 0o600);
const app = await (await openApp({ configDir: join(folder, "config"), destination: join(folder, "recordings"), env: {} })).openStores();
const say = (w: string) => { const h = heapStats(); console.log(w, "rss", (process.memoryUsage.rss() / 1e6).toFixed(1), "heap", (h.heapSize / 1e6).toFixed(1), "cap", (h.heapCapacity / 1e6).toFixed(1), "extra", (h.extraMemorySize / 1e6).toFixed(1)); };
say("open"); app.start(); await Bun.sleep(3000); say("3s"); await Bun.sleep(25000); say("28s"); await Bun.sleep(15000); say("43s"); Bun.gc(true); say("gc"); await Bun.sleep(15000); say("58"); await Bun.sleep(60000); say("120s"); Bun.shrink(); await Bun.sleep(2000); say("shrunk"); Bun.gc(true); say("gc");
const t = heapStats().objectTypeCounts; console.log(Object.entries(t).sort((a, b) => b[1] - a[1]).slice(0, 12));
await app.close(); process.exit(0);
