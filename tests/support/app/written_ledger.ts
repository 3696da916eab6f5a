import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordingState, StateCause } from "../../../server/domain/coverage/recording_state.ts";
import { MAIN_CAMERA } from "../../../server/domain/settings/camera_key.ts";
import { countDays } from "../../../server/engine/coverage/ledger_writing.ts";
import { idOf } from "../../../server/engine/coverage/row_judge.ts";
import { LedgerFile } from "../../../server/store/config/ledger.ts";
import type { LedgerRow } from "../../../server/store/config/ledger_rows.ts";
import type { RunningApp } from "./app.ts";

/** A recording as a test wants the ledger to have it. */
export interface WrittenRecording {
  /** The name of its video. */
  readonly name: string;
  readonly state: Exclude<RecordingState, "damaged" | "trash" | "unknown">;
  readonly cause?: StateCause;
  /** Bytes of its video. */
  readonly size?: number;
  /** Epoch milliseconds at which a list had it first, and at which it came home or a list lacked it; now when left out. */
  readonly from?: number;
  readonly until?: number;
}

interface LedgerFacts {
  /** The first day that is known. */
  readonly since: string;
  /** The likelier answer to the question about the card; without it none is open. */
  readonly asks?: "formatted" | "other_card";
}

const SLICE = 5000;
/** The card that recordings to come are on. */
const CARD = 1;

/** Names of front and rear, a minute apart, from a time of the camera on. */
export function driveNames(from: string, minutes: number, type = "N", directions = "FR"): string[] {
  const start = Date.parse(`${from}Z`);
  return Array.from({ length: minutes }, (_, at) => {
    const [day = "", time = ""] = new Date(start + at * 60_000).toISOString().split(/[T.]/);
    const base = `${day.replaceAll("-", "")}_${time.replaceAll(":", "")}_${type}`;
    return [...directions].map((direction) => `${base}${direction}.mp4`);
  }).flat();
}

/**
 * Writes the ledger of a camera that has not synced yet, as many runs would have left it, and files of what is at home:
 * what the ledger says is compared with the folder.
 */
export async function writeLedger(
  { app, folder }: RunningApp,
  recordings: readonly WrittenRecording[],
  { since, asks }: LedgerFacts,
  camera = MAIN_CAMERA,
): Promise<void> {
  const unit = app.cameras.of(camera) ?? app;
  const { clock, log } = unit;
  const { root } = unit.recordings;
  mkdirSync(root, { recursive: true });
  for (const { name, state } of recordings) if (state === "home") writeFileSync(join(root, name), "");
  await unit.library.refresh();
  const config = camera === MAIN_CAMERA ? "config" : join("config", "cameras", camera);
  const file = new LedgerFile({ path: join(folder, config, "ledger.db"), clock, log });
  const now = clock.now();
  for (let at = 0; at < recordings.length; at += SLICE) {
    const rows = recordings.slice(at, at + SLICE).map((one) => rowOf(one, now));
    file.use((ledger) => ledger.together(() => ledger.save(rows)));
  }
  file.use((ledger) => {
    ledger.setFact("since", since);
    ledger.setFact("card", String(asks === undefined ? CARD : CARD + 1));
    ledger.sawCard(CARD, now, { size: recordings.length, strangeLines: 0 });
    if (asks !== undefined)
      ledger.setFact("question", JSON.stringify({ since: now - 600_000, likely: asks, cards: [CARD] }));
  });
  await countDays(file);
  file.close();
}

function rowOf(one: WrittenRecording, now: number): LedgerRow {
  const { name, state, cause, size, from = now, until = now } = one;
  const isHere = state === "home" || state === "deleted";
  return {
    ...idOf(name),
    state,
    cause: cause ?? null,
    rule: null,
    isListed: state !== "lost" && state !== "deleted",
    card: CARD,
    missing: state === "lost" ? 2 : 0,
    missingSince: state === "lost" ? until : null,
    trouble: null,
    firstSeen: from,
    lastSeen: null,
    at: until,
    homeAt: isHere ? until : null,
    by: null,
    size: size ?? null,
  };
}
