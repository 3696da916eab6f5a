import type { Rank } from "../../domain/offsite/what_goes.ts";
import type { OffsiteChoices } from "../../domain/offsite/offsite_schema.ts";
import { type SentCamera, type WaitingFile, waitingFiles } from "./waiting_files.ts";

/** Counts what each choice of what goes would send, of all that is at home. */
export async function choiceAmounts(cameras: readonly SentCamera[], signal: AbortSignal): Promise<OffsiteChoices> {
  const ofRank = ([0, 1, 2] as const).map(() => ({ recordings: 0, bytes: 0 }));
  const note = ({ rank, isVideo, size }: WaitingFile) => {
    const { [rank]: amount } = ofRank;
    if (amount === undefined) return;
    amount.bytes += size;
    if (isVideo) amount.recordings += 1;
  };
  for (const { library } of cameras) await library.refresh();
  await waitingFiles(cameras, { what: "all", prefix: "", passphrase: null }, () => false, signal, note);
  const upTo = (last: Rank) => ({
    recordings: ofRank.slice(0, last + 1).reduce((sum, { recordings }) => sum + recordings, 0),
    bytes: ofRank.slice(0, last + 1).reduce((sum, { bytes }) => sum + bytes, 0),
  });
  return { kept: upTo(0), events: upTo(1), all: upTo(2) };
}
