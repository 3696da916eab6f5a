import type { ArtifactKind } from "../domain/recordings/recording_name.ts";
import { Turns } from "../turns.ts";
import { whenAsked } from "../when_asked.ts";
import type { CameraTalk, DashcamOptions } from "./camera_talk.ts";
import { type GenerationName, hasFilesOf } from "./generation.ts";

export interface Dashcam extends CameraTalk {
  readonly address: string;
  /**
   * True when this interface has such files at all: the newer one has no .3gf. All true before the camera was asked.
   */
  offers(kind: ArtifactKind): boolean;
  /** True when something takes a connection there, which is closed again: nothing is asked. @throws the signal's reason */
  isThere(answerMs: number, signal: AbortSignal): Promise<boolean>;
  /** True while a request is under way: anything that can wait should not ask the camera now. */
  readonly isBusy: boolean;
}

/**
 * A client for one camera. Requests go one at a time through one queue; nothing is contacted yet.
 * @param spoken which interface it spoke last, where that is known
 */
export function openCamera(options: DashcamOptions, spoken: GenerationName | null = null): Dashcam {
  const { address } = options;
  const queue = new Turns(1);
  // Loaded with the first question: a camera that is away is only looked for.
  let isLoading = false;
  const talk = whenAsked(async () => {
    isLoading = true;
    const { openTalk } = await import("./camera_talk.ts");
    isLoading = false;
    return openTalk(options, spoken, queue);
  });
  /** Asks at once where that is loaded: requests keep their order. */
  const asking = async <T>(ask: (opened: CameraTalk) => Promise<T>): Promise<T> =>
    await ask(talk.opened ?? (await talk()));
  const generation = () => (talk.opened === null ? spoken : talk.opened.generation);
  return {
    address,
    get generation() {
      return generation();
    },
    offers: (kind) => hasFilesOf(kind, generation()),
    get isBusy() {
      return isLoading || queue.isBusy;
    },
    async isThere(answerMs, signal) {
      if (isLoading) await talk();
      const leave = await queue.enter(signal);
      try {
        const { accepts } = await import("./look.ts");
        return await accepts(`http://${address}`, answerMs, signal);
      } finally {
        leave();
      }
    },
    list: (...asked) => asking((opened) => opened.list(...asked)),
    probe: (...asked) => asking((opened) => opened.probe(...asked)),
    open: (...asked) => asking((opened) => opened.open(...asked)),
    openCompanion: (...asked) => asking((opened) => opened.openCompanion(...asked)),
    configFile: (...asked) => asking((opened) => opened.configFile(...asked)),
    knock: (...asked) => asking((opened) => opened.knock(...asked)),
    look: (...asked) => asking((opened) => opened.look(...asked)),
  };
}

/** The camera by the options in force: the same client for as long as they stay the same. */
export function cameraInForce(options: () => DashcamOptions): () => Dashcam {
  let [key, client]: [string, Dashcam | null] = ["", null];
  return () => {
    const wanted = options();
    if (client !== null && key === JSON.stringify(wanted)) return client;
    const spoken = client?.address === wanted.address ? client.generation : null;
    [key, client] = [JSON.stringify(wanted), openCamera(wanted, spoken)];
    return client;
  };
}
