import { stageBackup } from "../../../server/engine/backup/read_backup.ts";
import { finishRestore, restore } from "../../../server/store/config/restore_journal.ts";

// Restores a backup and is killed before one of its changes: FILE CONFIG STEP. Prints the number of steps when it ends.
const [file = "", configDir = "", at = "0"] = process.argv.slice(2);
let done = 0;
if (await finishRestore(configDir)) throw new Error("there is a restore already");
const staged = await stageBackup(file, configDir, 0);
await restore(configDir, staged.journal, () => {
  if (++done === Number(at)) process.kill(process.pid, "SIGKILL");
});
process.stdout.write(String(done));
