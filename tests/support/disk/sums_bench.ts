import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Checksums, type ChecksumsParts } from "../../../server/engine/checksums/checksums.ts";
import { LimitedPace, NO_LIMITS } from "../../../server/engine/checksums/reading_pace.ts";
import { Log } from "../../../server/log.ts";
import { DestinationPlace } from "../../../server/store/destination/destination_place.ts";
import { SumsFile } from "../../../server/store/destination/sums.ts";
import { Library } from "../../../server/store/library/library.ts";
import { FakeClock } from "../app/clock.ts";

/** Time at which files of the bench were written. */
export const WRITTEN = Date.UTC(2026, 5, 1) / 1000;

/** A folder of recordings, and their checksums. */
export class SumsBench implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "sums-"));
  readonly root: string;
  readonly clock = new FakeClock();
  readonly lines: string[] = [];
  readonly log: Log;
  readonly library: Library;
  readonly place: DestinationPlace;
  isHere = true;
  isBusy = false;

  constructor(root = "recordings") {
    this.root = join(this.folder, root);
    mkdirSync(this.root, { recursive: true });
    this.log = new Log(this.clock, [({ level, message }) => this.lines.push(`${level} ${message}`)]);
    this.library = new Library({ root: this.root, clock: this.clock, log: this.log });
    this.place = new DestinationPlace(this.root);
  }

  file(): SumsFile {
    const { root, clock, log, place } = this;
    return new SumsFile({ root, clock, log, place });
  }

  checksums(parts: Partial<ChecksumsParts> = {}): Checksums {
    const { root, clock, log, library } = this;
    const asked = { isHere: () => this.isHere, isBusy: () => this.isBusy };
    return new Checksums({ clock, log, root, library, file: this.file(), ...asked, ...parts });
  }

  pace(): LimitedPace {
    return new LimitedPace(this.clock, () => NO_LIMITS, new AbortController().signal);
  }

  /** Writes a file, with a time that is always the same. */
  put(path: string, content: string | Uint8Array = path, seconds = WRITTEN): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
    utimesSync(join(this.root, path), seconds, seconds);
  }

  /** Turns a bit of a file over, as a disk does: neither its size nor its time changes. */
  damage(path: string): void {
    const place = join(this.root, path);
    const { atimeMs, mtimeMs } = statSync(place);
    const bytes = readFileSync(place);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(place, bytes);
    utimesSync(place, atimeMs / 1000, mtimeMs / 1000);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A whole video of so many bytes. */
export function video(bytes: number, fill = 7): Buffer {
  const box = (type: string, size: number) => {
    const content = Buffer.alloc(size, fill);
    content.writeUInt32BE(size);
    content.write(type, 4);
    return content;
  };
  return Buffer.concat([box("ftyp", 16), box("moov", 64), box("mdat", bytes - 80)]);
}

/** Lets the clock go on until the work has ended. */
export async function untilSettled(bench: SumsBench, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const ending = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await bench.clock.advance(1000);
    await new Promise(setImmediate);
  }
  await ending;
}
