import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "./load.ts";
import { type Figures, inTurn, measure, median } from "./measure.ts";
import { openService } from "./service.ts";
import { MEMORY, openStage } from "./stage.ts";

const VIDEO = "20260607_101500_NF.mp4";
const SIZE = 1_000_000_000;

/** Ours against nginx with sendfile serving the same file; above 1 ours is faster. */
export interface MediaFigures {
  /** The whole gigabyte, by one curl. */
  whole: number;
  /** Ranges of 64 KiB and of 1 MiB, over four connections: requests a second. */
  small: number;
  large: number;
}

/** @returns null when there is no nginx on this machine */
export async function benchMedia(rounds: number): Promise<MediaFigures | null> {
  const nginx = Bun.which("nginx", { PATH: `${process.env["PATH"]}:/usr/sbin` });
  if (nginx === null) return null;
  await using stage = await openStage({ moments: 1, directions: ["F"], videoBytes: 10, companionBytes: 10 });
  await using service = await openService(stage, "media");
  const folder = join(stage.folder, "media", "recordings");
  mkdirSync(folder, { recursive: true });
  await Bun.write(join(folder, VIDEO), new Uint8Array(SIZE).fill(7));
  await using other = await startNginx(nginx, folder);
  const addresses = { ours: `${service.url}/media/${VIDEO}`, theirs: `${other.url}/${VIDEO}` };
  const whole = await inTurn(
    rounds,
    () => curl(wholeOf(addresses.ours)),
    () => curl(wholeOf(addresses.theirs)),
  );
  return {
    whole: 1 / whole.wall,
    small: await rangesAgainst(addresses, 65_536, rounds),
    large: await rangesAgainst(addresses, 1_048_576, rounds),
  };
}

/** Configuration that curl reads from its standard input. */
function wholeOf(url: string): string {
  return `url = "${url}"\noutput = "/dev/null"\n`;
}

/** Our requests a second for one range over nginx's, the median of pairs taken in turn. */
async function rangesAgainst(addresses: { ours: string; theirs: string }, bytes: number, rounds: number) {
  const ratios: number[] = [];
  const options = {
    connections: 4,
    requests: bytes < 100_000 ? 8000 : 2000,
    headers: { Range: `bytes=${SIZE / 2}-${SIZE / 2 + bytes - 1}` },
  };
  for (let round = 0; round < rounds; round++) {
    const ours = await load(addresses.ours, options);
    ratios.push(ours.perSecond / (await load(addresses.theirs, options)).perSecond);
  }
  return median(ratios);
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
     http { access_log off; sendfile on; keepalive_requests 100000; types { video/mp4 mp4; }
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

/** Started by root, its worker would otherwise run as a user who may not read our folder. */
function userOf(): string {
  return process.getuid?.() === 0 ? "user root;" : "";
}

if (import.meta.main) {
  const figures = await benchMedia(Number(process.argv[2] ?? 5));
  console.log(figures ?? "not measured: there is no nginx on this machine (Debian: apt-get install nginx-light)");
}
