import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stageBackup } from "../../../server/engine/backup/read_backup.ts";
import { goOn, restore } from "../../../server/store/config/restore_journal.ts";
import { RESTORE_JOURNAL } from "../../../server/store/file_versions.ts";

// Restores a backup and is killed before one of its changes: FILE CONFIG STEP. Prints the number of steps when it ends.
// Without a file it goes on with a restore that was decided.
const [file = "", configDir = "", at = "0"] = process.argv.slice(2);
let done = 0;
const step = () => {
  if (++done === Number(at)) process.kill(process.pid, "SIGKILL");
};
const journal = join(configDir, RESTORE_JOURNAL);
if (file === "") await goOn(configDir, JSON.parse(readFileSync(journal, "utf8")), step);
else if (existsSync(journal)) throw new Error("there is a restore already");
else await restore(configDir, (await stageBackup(file, configDir, 0)).journal, step);
process.stdout.write(String(done));
