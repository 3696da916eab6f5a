/** @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import type { StatusLevel } from "../../server/domain/answers/status_level.ts";
import { type CheckVerdict, furtherWarnings } from "../../server/domain/camera/check_report.ts";
import { CAMERA_TABS } from "../../server/domain/camera/config_catalogue.ts";
import { GUIDE_PLACES } from "../../server/domain/guide/places.ts";
import { withCamera } from "../../server/domain/settings/camera_address.ts";
import { sentenceOfError } from "../browser/client.ts";
import { copyText } from "../browser/copy_text.ts";
import { Icon } from "../parts/icon.tsx";
import { Note } from "../parts/note.tsx";
import type { CheckState } from "./check_run.ts";

/** Words for the result of a check, or for its current step. */
export interface CheckWords {
  readonly level: StatusLevel;
  readonly title: string;
  readonly words: string;
}

/** A check as it stands, in a title and a sentence. */
export function checkWords({ how, report: { verdict }, error }: CheckState): CheckWords {
  if (verdict !== null)
    // A sync that comes first is no trouble.
    return { level: SYNC.test(verdict.reason) ? "busy" : verdict.level, title: verdict.cause, words: verdict.remedy };
  switch (how) {
    case "failed":
      return { level: "failed", title: "The check could not go on.", words: sentenceOfError(error) };
    case "stopped":
      return { level: "waiting", title: "Stopped.", words: "The results until then stay." };
    default:
      return {
        level: "busy",
        title: "Asking the camera.",
        words: "It takes 15\u00a0s at most. Nothing on the camera is changed, and nothing is saved.",
      };
  }
}

/** Reasons of verdicts during a sync. */
const SYNC = /^sync-/;

interface CheckVerdictProps {
  readonly state: CheckState;
  /** Id of the sentence. */
  readonly id?: string;
  /** The address is not saved yet: no page has the settings of this camera. */
  readonly isNew?: boolean;
}

/** The verdict: one sentence of cause, one of remedy, and what helps. */
export function CheckVerdictNote({ state, id, isNew = false }: CheckVerdictProps) {
  const { level, title, words } = checkWords(state);
  const { verdict } = state.report;
  return (
    <Note level={level} title={title} class="note-gap">
      {words !== "" && <p id={id}>{words}</p>}
      {verdict?.command && <CommandLine command={verdict.command} />}
      <SettingLink setting={isNew ? null : (verdict?.setting ?? null)} camera={state.camera} />
      {level !== "fine" && level !== "busy" && (
        <div class="row">
          <a class="b b-quiet" href={GUIDE_PLACES.check}>
            Help
          </a>
        </div>
      )}
      {furtherWarnings(state.report).map(({ reason, cause, remedy, setting }) => (
        <div class="warning" key={reason}>
          <b class="strong">{cause}</b>
          <p>{remedy}</p>
          <SettingLink setting={isNew ? null : setting} camera={state.camera} />
        </div>
      ))}
    </Note>
  );
}

/** Leads to the setting of the camera that is meant. */
function SettingLink({ setting, camera }: Pick<CheckVerdict, "setting"> & Pick<CheckState, "camera">) {
  return (
    setting !== null && (
      <div class="row">
        <a class="b" href={withCamera(placeOf(setting), camera)}>
          See the setting
        </a>
      </div>
    )
  );
}

/** Address of the page that shows a setting of the camera. */
function placeOf(setting: NonNullable<CheckVerdict["setting"]>): string {
  const tab = CAMERA_TABS.find(({ section }) => setting.startsWith(`${section}.`));
  return `/settings/camera#camera-${tab?.name ?? "basic"}`;
}

/** A command and a button that copies it. */
function CommandLine({ command }: { readonly command: string }) {
  const copied = useSignal(false);
  return (
    <p class="codeline">
      <code>{command}</code>
      <button
        class="b b-icon"
        type="button"
        title="Copy"
        aria-label="Copy the command"
        onClick={async () => {
          copied.value = await copyText(document, command);
        }}
      >
        <Icon name={copied.value ? "i-check" : "i-copy"} />
      </button>
      <span class="sr" role="status">
        {copied.value ? "Copied." : ""}
      </span>
    </p>
  );
}
