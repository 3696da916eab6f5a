import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import type { CardFile } from "../../server/dashcam/simulator/simulated_video.ts";
import { openSimulator, type Simulator, type Traffic } from "../../server/dashcam/simulator/simulator.ts";
import { otherContent } from "../../server/dashcam/simulator/simulator_contents.ts";
import { parseArtifact, parseRecording } from "../../server/domain/recordings/recording_name.ts";
import { COMPARED_BYTES, type RoundPlan } from "./plan.ts";
import type { CardChange, PlannedVideo } from "./plan_card.ts";
import type { PlannedForeign } from "./plan_foreign.ts";
import { type Found, look, lookAt, sizeOf } from "./tree.ts";

/** Parts of a plan that a round begins with. */
export type ScenePlan = Pick<RoundPlan, "camera" | "card" | "foreign">;

/** A round's folders, its camera, and the truth about what the camera ever had. */
export class Scene implements AsyncDisposable {
  readonly plan: ScenePlan;
  readonly folder: string;
  readonly destination: string;
  readonly config: string;
  readonly card: SimulatedCard;
  /** Everything that was ever on the card under a name: any of it may be at home. */
  readonly had = new Map<string, CardFile[]>();
  /** Other files in the destination, from before the first visit and from later, by path. */
  readonly foreign = new Map<string, Found>();
  /**
   * Names of which a partial may hold bytes that it has to give up: they came again with others, or were zeros for a
   * while. It is known by its end and by what the camera tells, so only what becomes of it counts.
   */
  readonly doubtful = new Set<string>();
  /** Scenes of further cameras, whose folders lie in the destination: each looks at its own. */
  readonly further: Scene[] = [];
  readonly simulator: Simulator;
  readonly #sizes: Map<string, number>;

  private constructor(
    plan: ScenePlan,
    folder: string,
    parts: { card: SimulatedCard; simulator: Simulator; sizes: Map<string, number> },
  ) {
    this.plan = plan;
    this.folder = folder;
    this.destination = join(folder, "recordings");
    this.config = join(folder, "config");
    this.card = parts.card;
    this.simulator = parts.simulator;
    this.#sizes = parts.sizes;
  }

  /** Makes it all below a new folder in `parent`. */
  static async open(
    plan: ScenePlan,
    parent: string,
    options: { port: number; onTraffic: (traffic: Traffic) => void },
  ): Promise<Scene> {
    const sizes = new Map<string, number>();
    const card = new SimulatedCard(syntheticFootage((name) => sizes.get(name) ?? 0));
    const simulator = await openSimulator({ card, ...options, ...plan.camera });
    const scene = new Scene(plan, mkdtempSync(join(parent, "round-")), { card, simulator, sizes });
    scene.change({ does: "record", videos: plan.card });
    mkdirSync(scene.destination);
    mkdirSync(scene.config);
    for (const planned of plan.foreign) await scene.#plant(planned);
    for (const [path, found] of look(scene.folder)) if (!isOurs(path)) scene.foreign.set(path, found);
    return scene;
  }

  /** Changes the card; no program runs meanwhile. */
  change(change: CardChange): void {
    switch (change.does) {
      case "record":
        for (const video of change.videos) this.#record(video);
        return;
      case "overwrite":
        for (const name of this.card.videos().slice(0, change.count)) this.card.overwrite(name);
        return;
      case "replace":
        for (const name of change.names) this.#replace(name, change.sameLength);
    }
  }

  /** Puts another file on the card under a name that it has; no program runs meanwhile. */
  put(name: string, file: CardFile): void {
    if (name.endsWith(".mp4")) this.doubtful.add(name);
    this.card.add(name, file);
    this.#remember();
  }

  /** Says that what lies at this path below the round's folder is the user's own. */
  own(path: string): void {
    this.foreign.set(path, lookAt(join(this.folder, path)));
  }

  /** Gives the camera other firmware, which speaks the other interface. */
  update(): void {
    this.simulator.generation = this.simulator.generation === "legacy" ? "v1009" : "legacy";
  }

  /** True when a path below the round's folder is a further camera's. */
  isFurther(path: string): boolean {
    const at = join(this.folder, path);
    return this.further.some(({ folder }) => at === `${folder}/` || at.startsWith(`${folder}/`));
  }

  /** A path in the destination, for a file of the user's. */
  at(path: string): string {
    return join(this.destination, path);
  }

  /** True when a failure of an earlier run keeps a file from being tried. */
  hasMarkers(): boolean {
    return [...look(this.destination).keys()].some((path) => path.endsWith(".failed"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const scene of this.further) await scene[Symbol.asyncDispose]();
    await this.simulator.close();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #record({ name, bytes, keepsFlag, without }: PlannedVideo): void {
    const recording = parseRecording(name);
    if (!recording) throw new Error(`${name} is no recording's name`);
    this.#sizes.set(name, Math.max(bytes, 1000));
    const before = new Set(this.card.names());
    this.card.record(name, null, keepsFlag);
    if (bytes === 0) this.card.add(name, new Uint8Array(0));
    for (const kind of without)
      for (const companion of recording.namesOf(kind)) if (!before.has(companion)) this.card.remove(companion);
    this.#remember();
  }

  /**
   * Other bytes under the names of a moment. A small partial is continued on trust as long as the camera tells nothing
   * by which it could be known, so a video of which one is at home stays as it is then.
   */
  #replace(name: string, sameLength: boolean): void {
    const video = this.card.files.get(name);
    const partial = sizeOf(this.at(`.${name}`));
    if (!video || video.size === 0) return;
    if (partial !== null && partial < COMPARED_BYTES && !this.plan.camera.validators) return;
    this.doubtful.add(name);
    this.card.add(name, otherContent(name, video, sameLength ? video.size : Math.ceil(video.size * 0.7)));
    this.#remember();
  }

  #remember(): void {
    for (const [name, file] of this.card.files) {
      for (const home of homeNamesOf(name)) {
        const had = this.had.get(home) ?? [];
        if (!had.includes(file)) this.had.set(home, [...had, file]);
      }
    }
  }

  async #plant(planned: PlannedForeign): Promise<void> {
    const path = this.at(planned.path);
    mkdirSync(dirname(path), { recursive: true });
    switch (planned.kind) {
      case "file":
        return writeFileSync(path, foreignBytes(planned.path, planned.bytes));
      case "copy":
        return writeFileSync(path, await this.card.bytes(planned.of));
      case "folder":
        mkdirSync(path, { recursive: true });
        return;
      case "link": {
        const outside = join(this.folder, "outside");
        mkdirSync(outside, { recursive: true });
        writeFileSync(join(outside, "20110203_040506_NF.mp4"), foreignBytes("outside", 1000));
        symlinkSync(outside, path);
      }
    }
  }
}

/** Names that a file of the card may have at home: a newer camera does not tell the names of companions. */
export function homeNamesOf(name: string): readonly string[] {
  const file = parseArtifact(name);
  return file === null ? [name] : file.namesOf(file.kind);
}

/** Bytes of a file of the user's: not those of any camera, and the same for the same name. */
export function foreignBytes(name: string, bytes: number): Uint8Array {
  const line = new TextEncoder().encode(`${name}: not a camera's\n`);
  return Uint8Array.from({ length: bytes }, (_, index) => line[index % line.length] ?? 0);
}

/** Folders that the program changes, and what everything lies in. */
function isOurs(path: string): boolean {
  return path === "recordings/" || path.startsWith("config/");
}
