import { FileInMemory, FileOnDisk, type MadeFile } from "./made_file.ts";
import { makeVideo } from "./maker.ts";
import type { FromWorker, Order, ToWorker } from "./messages.ts";
import { CannotMake, sentenceOf } from "./refusals.ts";

/** Progress is told so often. */
const TELL_MS = 200;

const tell = (words: FromWorker) => postMessage(words);

async function make(order: Order, signal: AbortSignal): Promise<FromWorker> {
  let file: MadeFile | null = null;
  try {
    file = order.file === null ? new FileInMemory() : await FileOnDisk.open(order.file);
    let told = Number.NEGATIVE_INFINITY;
    const notes = await makeVideo(order, file, signal, (progress) => {
      const now = performance.now();
      if (now - told < TELL_MS) return;
      told = now;
      tell({ kind: "progress", ...progress });
    });
    const video = await file.finish();
    return { kind: "made", bytes: file.size, video, notes };
  } catch (error) {
    await file?.discard();
    if (signal.aborted) return { kind: "cancelled" };
    if (!(error instanceof CannotMake)) console.warn(error);
    return { kind: "failed", sentence: sentenceOf(error) };
  }
}

function listen(): void {
  const ends = new AbortController();
  addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
    if (data.kind === "cancel") ends.abort();
    else void make(data.order, ends.signal).then(tell);
  });
}

listen();
