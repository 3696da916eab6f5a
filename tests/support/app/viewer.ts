import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CardFile, syntheticVideo } from "../../../server/dashcam/simulator/simulated_video.ts";
import type { Settings } from "../../../server/domain/settings/settings.ts";
import { ViewedRecordings } from "../../../server/engine/viewer/viewed_recordings.ts";
import type { Route } from "../../../server/http/request/route.ts";
import { Log } from "../../../server/log.ts";
import { MediaFiles } from "../../../server/store/clips/media_files.ts";
import { RecordingIndex } from "../../../server/store/clips/recording_index.ts";
import { KeptRecordings } from "../../../server/store/destination/kept_recordings.ts";
import { Stills } from "../../../server/store/destination/stills.ts";
import { Library } from "../../../server/store/library/library.ts";
import { FakeClock } from "./clock.ts";
import { ListedOnCamera } from "./coming.ts";
import { type Asked, type Browser, HttpStage, type StageApp } from "./http.ts";

/** Names of places where no test is about them. */
export const noNames = async () => ({ ofTrip: async () => null });

/** A destination in a temporary folder, and what the viewer makes of it. */
export class Shelf implements Disposable {
  /** Holds `root` and nothing else that the service should know. */
  readonly place = mkdtempSync(join(tmpdir(), "viewer-"));
  readonly root = join(this.place, "recordings");
  readonly clock = new FakeClock(Date.now());
  readonly library = new Library({ root: this.root, clock: this.clock, log: new Log(this.clock) });
  readonly segments = new RecordingIndex({ library: this.library, clock: this.clock });
  readonly coming = new ListedOnCamera();
  readonly zone = () => null;
  readonly viewed = new ViewedRecordings(this);
  readonly served = new MediaFiles({ root: this.root, clock: this.clock });
  readonly kept = new KeptRecordings(this.root);
  readonly stills = new Stills(this.root);

  constructor() {
    mkdirSync(this.root);
  }

  /** Writes a file of these contents, empty ones without; `at` is its mtime in epoch seconds. */
  put(path: string, content: string | Uint8Array = "", at?: number): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
    if (at !== undefined) utimesSync(join(this.root, path), at, at);
  }

  putAll(...paths: string[]): void {
    for (const path of paths) this.put(path);
  }

  /** Writes a video of so many bytes that says it is so many seconds long. */
  async putVideo(path: string, size: number, seconds: number, at?: number): Promise<void> {
    const file = syntheticVideo(path, size, seconds);
    this.put(path, await file.read(0, size), at);
  }

  /** Lets so much time pass that the viewer looks at the folders again. */
  async later(): Promise<void> {
    await this.clock.advance(2000);
  }

  async putFiles(files: ReadonlyMap<string, CardFile>, folder: (name: string) => string): Promise<void> {
    for (const [name, file] of files) this.put(join(folder(name), name), await file.read(0, file.size));
  }

  [Symbol.dispose](): void {
    rmSync(this.place, { recursive: true, force: true });
  }
}

/** The routes over real HTTP, without sign-in unless `mode` says otherwise. */
export async function openStage(
  routes: readonly Route<StageApp>[],
  mode: Settings["auth"]["mode"] = "none",
): Promise<{ stage: HttpStage; browser: Browser }> {
  const stage = await HttpStage.open({ auth: { mode }, routes });
  return { stage, browser: stage.browser() };
}

/** The body of an answer, whatever its status. */
export async function bodyOf(browser: Browser, path: string, asked: Asked = {}): Promise<unknown> {
  return (await browser.ask(path, asked)).json();
}
