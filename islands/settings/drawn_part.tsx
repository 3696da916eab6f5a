/** @jsxImportSource preact */
import { AddressCheck } from "./address_check.tsx";
import { Browsers } from "./browsers.tsx";
import { Cameras } from "./cameras/cameras.tsx";
import { OwnOtherCamera } from "./cameras/other_camera.tsx";
import { FromCard } from "./card/from_card.tsx";
import { CodeControl } from "./codes.tsx";
import { FolderChoice } from "./folder.tsx";
import { KeepDialogs } from "./keep/keep_dialogs.tsx";
import { RetentionSection } from "./keep/retention_section.tsx";
import { Kinds } from "./kinds.tsx";
import type { LaterProps } from "./later_place.tsx";
import { ProgramKeys } from "./program_keys.tsx";
import { MqttSection } from "./mqtt/mqtt_section.tsx";
import { NotifySection } from "./notify/notify_section.tsx";
import { OffsiteSection } from "./offsite/offsite_section.tsx";
import { SaveBar } from "./save_bar.tsx";
import { Schedule } from "./schedule.tsx";
import { ViewerAccount } from "./viewer_account.tsx";
import { Zone } from "./zone.tsx";

/** A part as the server draws it: no page loads this. */
export function DrawnPart({ part, ...props }: LaterProps) {
  const Part = PARTS[part];
  return <Part {...props} />;
}

const PARTS = {
  address: AddressCheck,
  sessions: Browsers,
  cameras: Cameras,
  card: FromCard,
  codes: CodeControl,
  dialogs: KeepDialogs,
  folder: FolderChoice,
  keys: ProgramKeys,
  kinds: Kinds,
  mqtt: MqttSection,
  notify: NotifySection,
  offsite: OffsiteSection,
  other: OwnOtherCamera,
  retention: RetentionSection,
  savebar: SaveBar,
  schedule: Schedule,
  viewer: ViewerAccount,
  zone: Zone,
} as const;
