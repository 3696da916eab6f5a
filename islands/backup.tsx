/** @jsxImportSource preact */
import type { RestoreOutcome } from "../server/domain/backup/restore_schema.ts";
import { ZoneTime } from "../server/domain/text/zone_time.ts";
import { Restore } from "./backup/restore.tsx";
import { SupportFile } from "./backup/support_file.tsx";
import { Icon } from "./parts/icon.tsx";
import { Note } from "./parts/note.tsx";

export interface BackupProps {
  /** Names of the sections of the settings, as people know them. */
  readonly sections: Readonly<Record<string, string>>;
  /** False where this process cannot open its stores anew. */
  readonly canRestart: boolean;
  /** The restore that the last start has carried out. */
  readonly restored: RestoreOutcome | null;
  readonly now: number;
  readonly zone: ZoneTime;
}

/** Saves a backup, restores one, and makes a file for those who are asked for help. */
export default function Backup(props: BackupProps) {
  const zone = ZoneTime.from(props.zone);
  const { restored, now } = props;
  return (
    <>
      {restored !== null && (
        <Note
          level={restored.problem === null ? "fine" : "failed"}
          title={restored.problem === null ? "The backup is restored" : "The backup was not restored"}
          role="status"
        >
          <p>
            {restored.problem === null ? (
              <>
                Since {zone.moment(restored.at, now)}. The files of before are in <code>{restored.keptIn}</code> in the
                config folder. Delete that folder when you no longer need it.
              </>
            ) : (
              <>All is as it was before. The cause was {restored.problem}. The log says more.</>
            )}
          </p>
        </Note>
      )}
      <div class="field">
        <div class="field-name">
          <span class="lab">Backup</span>
          <p>
            Settings, sign-in, keys, history, and the list of kept recordings with its notes. Passwords are in it: put
            it in a safe place.
          </p>
        </div>
        <div>
          <a class="b" href="/api/backup" download>
            <Icon name="i-download" />
            Save a backup
          </a>
        </div>
      </div>
      <div class="field">
        <div class="field-name">
          <span class="lab" id="restore-label">
            Restore
          </span>
          <p>From a backup of this version or an older one. You see first what it would change.</p>
        </div>
        <div role="group" aria-labelledby="restore-label">
          {props.canRestart ? (
            <Restore sections={props.sections} zone={zone} now={now} />
          ) : (
            <p class="soft">The demo cannot restore a backup.</p>
          )}
        </div>
      </div>
      <div class="field" id="support">
        <div class="field-name">
          <span class="lab" id="support-label">
            Support file
          </span>
          <p>For people you ask for help: version, settings, last runs and the log. Dashdock sends it to no one.</p>
        </div>
        <div role="group" aria-labelledby="support-label">
          <SupportFile />
        </div>
      </div>
    </>
  );
}
