/** @jsxImportSource preact */
import { type ComponentType, hydrate } from "preact";
import type { KeepDrawnProps } from "./keep/shared.ts";
import type { LaterPart } from "./later_part.ts";
import type { PartProps } from "./later_place.tsx";
import { adoptTyped } from "./typing.ts";

/** The script of each part, loaded when a hand comes near it. */
const SCRIPTS: Readonly<Record<LaterPart, () => Promise<ComponentType<PartProps>>>> = {
  address: async () => (await import("./address_check.tsx")).AddressCheck,
  sessions: async () => (await import("./browsers.tsx")).Browsers,
  cameras: async () => (await import("./cameras/cameras.tsx")).Cameras,
  card: async () => (await import("./card/from_card.tsx")).FromCard,
  codes: async () => (await import("./codes.tsx")).CodeControl,
  dialogs: async () => (await import("./keep/keep_dialogs.tsx")).KeepDialogs,
  folder: async () => (await import("./folder.tsx")).FolderChoice,
  keys: async () => (await import("./program_keys.tsx")).ProgramKeys,
  kinds: async () => (await import("./kinds.tsx")).Kinds,
  notify: async () => (await import("./notify/notify_section.tsx")).NotifySection,
  other: async () => (await import("./cameras/other_camera.tsx")).OwnOtherCamera,
  retention: async () => (await import("./keep/retention_section.tsx")).RetentionSection,
  savebar: async () => (await import("./save_bar.tsx")).SaveBar,
  schedule: async () => (await import("./schedule.tsx")).Schedule,
  viewer: async () => (await import("./viewer_account.tsx")).ViewerAccount,
  zone: async () => (await import("./zone.tsx")).Zone,
};

const ASLEEP = "[data-later]:not([data-awake])";
/** Elements that react to a press. Fields and menus keep what is entered until their part is awake. */
const PRESSED = "button, [type=checkbox], [type=radio]";

export interface Waking {
  /** Loads and hydrates all places of a part, or of every part. @throws when a script cannot be loaded */
  readonly wake: (part?: LaterPart) => Promise<void>;
  /** Resolves when what is on its way is awake. */
  readonly settled: () => Promise<unknown>;
  readonly stop: () => void;
}

/**
 * Wakes each part of the page when a hand, the focus or a link comes near it; the search wakes all of them. A press that
 * comes sooner is repeated once its part is awake.
 */
export function startWaking(root: HTMLElement, props: KeepDrawnProps): Waking {
  const onWay = new Map<HTMLElement, Promise<void>>();
  const wakeOne = async (place: HTMLElement) => {
    const { later, path } = place.dataset;
    const Part = await SCRIPTS[later as LaterPart]();
    hydrate(<Part {...props} path={path} />, place);
    adoptTyped(place);
    place.dataset["awake"] = "";
  };
  const wakePlace = (place: HTMLElement) => {
    const begun = onWay.get(place) ?? wakeOne(place);
    onWay.set(place, begun);
    // After a failure the next touch tries again.
    begun.catch(() => onWay.delete(place));
    return begun;
  };
  const wake = async (part?: LaterPart) => {
    const places = [...root.querySelectorAll<HTMLElement>(ASLEEP)];
    await Promise.all(places.filter(({ dataset }) => part === undefined || dataset["later"] === part).map(wakePlace));
  };
  const near = ({ target }: Event) => {
    if (!(target instanceof Element)) return;
    if (target.id === "find") return void wake().catch(() => {});
    // Also what belongs to the setting that is touched.
    const field = target.closest<HTMLElement>(".field");
    const places = [target.closest<HTMLElement>(ASLEEP), ...(field?.querySelectorAll<HTMLElement>(ASLEEP) ?? [])];
    for (const place of places) if (place) wakePlace(place).catch(() => {});
  };
  const press = (event: Event) => {
    const pressed = event.target instanceof Element ? event.target.closest<HTMLElement>(PRESSED) : null;
    const place = pressed?.closest<HTMLElement>(ASLEEP);
    if (!pressed || !place) return;
    event.preventDefault();
    event.stopPropagation();
    wakePlace(place).then(
      () => pressed.click(),
      () => {},
    );
  };
  const ended = new AbortController();
  const { signal } = ended;
  for (const kind of ["pointerover", "pointerdown", "focusin", "input"])
    root.addEventListener(kind, near, { signal, passive: true });
  root.addEventListener("click", press, { signal, capture: true });
  return { wake, settled: () => Promise.allSettled(onWay.values()), stop: () => ended.abort() };
}
