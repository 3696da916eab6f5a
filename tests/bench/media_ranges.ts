import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { media } from "../../server/api/media.ts";
import { systemClock } from "../../server/clock.ts";
import type { Route } from "../../server/http/route.ts";
import { Log } from "../../server/log.ts";
import { Library } from "../../server/store/library.ts";
import { Segments } from "../../server/store/segments.ts";
import { openStage } from "../support/viewer.ts";
import { type Figures, inTurn, measure } from "./measure.ts";
import { MEMORY } from "./stage.ts";

const VIDEO = "20260607_101500_NF.mp4";
const SIZE = 1_000_000_000;
const SEEKS = 1000;
const PIECE = 262_144;

/** Ours against nginx serving the same file, wall time of the same curl; ratios below 1 mean ours is faster. */
export interface MediaFigures {
  wholeGigabytesPerSecond: number;
  whole: number;
  /** Requests a second for a quarter of a megabyte somewhere in the file, one after the other. */
  seeksPerSecond: number;
  seeks: number;
}

/** @returns null when there is no nginx on this machine */
export async function benchMedia(rounds: number): Promise<MediaFigures | null> {
  const nginx = Bun.which("nginx", { PATH: `${process.env["PATH"]}:/usr/sbin` });
  if (nginx === null) return null;
  const folder = mkdtempSync(join(MEMORY, "dashdock-bench-media-"));
  try {
    await Bun.write(join(folder, VIDEO), new Uint8Array(SIZE).fill(7));
    const library = new Library({ root: folder, clock: systemClock, log: new Log(systemClock) });
    const segments = new Segments({ library, clock: systemClock });
    const handle: Route["handle"] = (visit, app) => media(visit, { ...app, segments });
    const { stage } = await openStage([{ method: "GET", path: "/media/*", access: "signed-in", handle }]);
    await using _ = stage;
    await using other = await startNginx(nginx, folder);
    const addresses = { ours: `${stage.listening.url}/media/${VIDEO}`, theirs: `${other.url}/${VIDEO}` };
    const whole = await inTurn(
      rounds,
      () => curl(wholeOf(addresses.ours)),
      () => curl(wholeOf(addresses.theirs)),
    );
    const seeks = await inTurn(
      rounds,
      () => curl(seeksIn(addresses.ours)),
      () => curl(seeksIn(addresses.theirs)),
    );
    return {
      wholeGigabytesPerSecond: SIZE / 1e9 / whole.a.wallSeconds,
      whole: whole.wall,
      seeksPerSecond: SEEKS / seeks.a.wallSeconds,
      seeks: seeks.wall,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What curl is told on its standard input. */
function wholeOf(url: string): string {
  return `url = "${url}"\noutput = "/dev/null"\n`;
}
function seeksIn(url: string): string {
  return Array.from({ length: SEEKS }, (_, index) => {
    const start = (index * 7_919_000_003) % (SIZE - PIECE);
    return `url = "${url}"\noutput = "/dev/null"\nrange = "${start}-${start + PIECE - 1}"\n`;
  }).join("next\nsilent\nfail\n");
}
function curl(config: string): Promise<Figures> {
  return measure(["curl", "--silent", "--show-error", "--fail", "-K", "-"], { stdin: config });
}

/** One worker with sendfile, as a small NAS would run it, on a free port and with all its files in a folder of ours. */
async function startNginx(program: string, root: string): Promise<{ url: string } & AsyncDisposable> {
  const folder = mkdtempSync(join(MEMORY, "dashdock-bench-nginx-"));
  const probe = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = probe;
  await probe.stop(true);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log; ${userOf()}
     events {}
     http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000; types { video/mp4 mp4; }
       ${temporary.join(" ")}
       server { listen 127.0.0.1:${port}; root ${root}; } }`,
  );
  const child = Bun.spawn([program, "-c", join(folder, "nginx.conf")], { stdout: "ignore", stderr: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  for (let turn = 0; turn < 100; turn++) {
    if (await fetch(url).catch(() => null)) break;
    await Bun.sleep(20);
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Started by root, its worker would otherwise be somebody who may not read our folder. */
function userOf(): string {
  return process.getuid?.() === 0 ? "user root;" : "";
}

if (import.meta.main) {
  const figures = await benchMedia(Number(process.argv[2] ?? 5));
  console.log(figures ?? "not measured: there is no nginx on this machine (Debian: apt-get install nginx-light)");
}
