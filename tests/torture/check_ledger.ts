import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RECORDING_STATES } from "../../server/domain/coverage/recording_state.ts";
import { nameOfId } from "../../server/engine/coverage/row_judge.ts";

const LOST = RECORDING_STATES.indexOf("lost");
const STATES = RECORDING_STATES.map((_, at) => at).join(", ");

/**
 * Problems of the ledger, by a copy of it, so that nothing is repaired; no program runs meanwhile. What is on the card
 * cannot be lost, whatever lists the camera has sent.
 */
export function checkLedger(config: string, scratch: string, onCard: readonly string[]): string[] {
  if (!existsSync(join(config, "ledger.db"))) return [];
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  for (const name of ["ledger.db", "ledger.db-wal"])
    if (existsSync(join(config, name))) copyFileSync(join(config, name), join(scratch, name));
  try {
    using db = new Database(join(scratch, "ledger.db"));
    const integrity = db.query<{ integrity_check: string }, []>("pragma integrity_check").all();
    if (integrity[0]?.integrity_check !== "ok") return [`ledger.db is damaged: ${JSON.stringify(integrity[0])}`];
    if (db.query("select 1 from sqlite_master where name = 'recordings'").get() === null) return [];
    const there = new Set(onCard);
    const lost = db.query<{ moment: number; ending: number }, [number]>(
      "select moment, ending from recordings where state = ?",
    );
    const names = lost.all(LOST).map(nameOfId);
    const strange = db.query(`select 1 from recordings where state not in (${STATES}) limit 1`).get();
    return [
      ...names.filter((name) => there.has(name)).map((name) => `ledger.db calls ${name} lost, which is on the card`),
      ...(strange === null ? [] : ["ledger.db has a state that there is not"]),
    ];
  } catch (error) {
    return [`ledger.db cannot be read: ${error}`];
  }
}
