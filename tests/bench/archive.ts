import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measure, median } from "./measure.ts";
import { openService } from "./service.ts";

const FILES = 40;
const PACK_FILES = 20;
const FILE_BYTES = 100_000_000;
/** `cat` writes to the client's own connection, behind the head of an answer. */
const CAT = `import os, socket, sys
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    client, _ = server.accept()
    client.recv(65536)
    size = sum(os.path.getsize(path) for path in sys.argv[1:])
    client.sendall(b"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Length: %d\\r\\n\\r\\n" % size)
    if os.fork() == 0:
        os.dup2(client.fileno(), 1)
        os.execvp("cat", ["cat", *sys.argv[1:]])
    client.close()
    os.wait()
`;

export interface ArchiveFigures {
  /** Ours over `cat`'s: above 1 ours is faster. */
  speed: number;
  megabytesPerSecond: number;
  /** Most memory that the service holds on top of its memory before. */
  megabytesOnTop: number;
}

export interface PackFigures extends ArchiveFigures {
  /** Until the first byte came, checksums being known. */
  firstByteMs: number;
}

/** Four gigabytes as an archive, against `cat` of the same files to a socket; null without Python. */
export async function benchArchive(rounds: number): Promise<ArchiveFigures | null> {
  return await againstCat(FILES, "zip", rounds);
}

/** Two gigabytes as a pack, its checksums being known, against the same; null without Python. */
export async function benchPack(rounds: number): Promise<PackFigures | null> {
  return await againstCat(PACK_FILES, "pack", rounds);
}

async function againstCat(count: number, what: "zip" | "pack", rounds: number): Promise<PackFigures | null> {
  const python = Bun.which("python3");
  if (python === null) return null;
  // On a disk: what the other benchmarks use is memory, in which gigabytes may not have room.
  const folder = mkdtempSync(join(tmpdir(), "dashdock-bench-archive-"));
  try {
    await using service = await openService({ folder }, "archive");
    const recordings = join(folder, "archive", "recordings");
    mkdirSync(recordings, { recursive: true });
    const video = crypto.getRandomValues(new Uint8Array(65_536));
    const bytes = new Uint8Array(FILE_BYTES);
    for (let at = 0; at < FILE_BYTES; at += video.length) bytes.set(video.subarray(0, FILE_BYTES - at), at);
    const name = (at: number) => `20261120_08${String(at).padStart(2, "0")}00_NF.mp4`;
    const files = Array.from({ length: count }, (_, at) => join(recordings, name(at)));
    for (const file of files) await Bun.write(file, bytes);
    const other = Bun.spawn([python, "-c", CAT, ...files], { stdout: "pipe" });
    try {
      const { value } = await other.stdout.getReader().read();
      const cat = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}/`;
      const ours = `${service.url}/api/viewer/export/${what}?trip=${name(0).slice(0, 17)}`;
      await (await fetch(ours, { method: "HEAD" })).text();
      const before = service.megabytes();
      const pairs: [ours: number, theirs: number][] = [];
      const firstBytes: number[] = [];
      for (let round = 0; round < rounds; round++) {
        pairs.push([await seconds(ours), await seconds(cat)]);
        firstBytes.push(await firstByte(ours));
      }
      return {
        speed: median(pairs.map(([mine, theirs]) => theirs / mine)),
        megabytesPerSecond: (count * FILE_BYTES) / 1e6 / median(pairs.map(([mine]) => mine)),
        megabytesOnTop: service.peakMegabytes() - before,
        firstByteMs: median(firstBytes),
      };
    } finally {
      other.kill();
      await other.exited;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function seconds(url: string): Promise<number> {
  return (await measure(["curl", "--silent", "--show-error", "--fail", "--output", "/dev/null", url])).wallSeconds;
}

async function firstByte(url: string): Promise<number> {
  const begun = performance.now();
  const reader = (await fetch(url)).body?.getReader();
  await reader?.read();
  const ms = performance.now() - begun;
  await reader?.cancel();
  return ms;
}

if (import.meta.main)
  console.log((await benchArchive(Number(process.argv[2] ?? 3))) ?? "not measured: no python3 here");
