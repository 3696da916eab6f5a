import type { ComponentType } from "preact";
import type { LaterPart } from "./later_part.ts";
import type { PartProps } from "./later_place.tsx";

/** The script of each part, loaded when a hand comes near it. */
export const SCRIPTS: Readonly<Record<LaterPart, () => Promise<ComponentType<PartProps>>>> = {
  address: async () => (await import("./address_check.tsx")).AddressCheck,
  sessions: async () => (await import("./browsers.tsx")).Browsers,
  cameras: async () => (await import("./cameras/cameras.tsx")).Cameras,
  card: async () => (await import("./card/from_card.tsx")).FromCard,
  codes: async () => (await import("./codes.tsx")).CodeControl,
  dialogs: async () => (await import("./keep/keep_dialogs.tsx")).KeepDialogs,
  folder: async () => (await import("./folder.tsx")).FolderChoice,
  keys: async () => (await import("./program_keys.tsx")).ProgramKeys,
  kinds: async () => (await import("./kinds.tsx")).Kinds,
  mqtt: async () => (await import("./mqtt/mqtt_section.tsx")).MqttSection,
  notify: async () => (await import("./notify/notify_section.tsx")).NotifySection,
  offsite: async () => (await import("./offsite/offsite_section.tsx")).OffsiteSection,
  other: async () => (await import("./cameras/other_camera.tsx")).OwnOtherCamera,
  retention: async () => (await import("./keep/retention_section.tsx")).RetentionSection,
  savebar: async () => (await import("./save_bar.tsx")).SaveBar,
  schedule: async () => (await import("./schedule.tsx")).Schedule,
  viewer: async () => (await import("./viewer_account.tsx")).ViewerAccount,
  zone: async () => (await import("./zone.tsx")).Zone,
};
