import { TYPES } from "../recordings/recording_codes.ts";
import { dateOf, secondsOf, timeOf, typeOf } from "../recordings/recording_name.ts";
import { keyIn } from "../settings/camera_key.ts";
import { asSentence, counted, formatCount } from "../text/format.ts";
import { forceText } from "../viewer/distance_text.ts";
import { clockOf, dayOf, wallOf, type ZoneTime } from "../text/zone_time.ts";
import type { IncidentCode } from "./incidents.ts";
import type { Message, MessageCode, MessageLevel } from "./message.ts";
import type { CameraFacts, EventRef } from "./run_facts.ts";

/** The content of a message, before it has an id. */
export type Draft = Omit<Message, "id">;

/** Events that a message names one by one. */
const NAMED_EVENTS = 5;
const DAY_MS = 86_400_000;

interface Words {
  readonly title: string;
  readonly text: string;
  readonly level: MessageLevel;
  readonly path?: string;
}

type Known = Omit<CameraFacts, "run"> & Pick<CameraFacts, "run">;

/** Words of each incident; the facts that it is made of are known when it is told. */
const INCIDENTS: Readonly<Record<IncidentCode, (facts: Known) => Words>> = {
  overwritten({ overwritten }) {
    const count = overwritten?.recordings ?? 0;
    const are = count === 1 ? "comes" : "come";
    return {
      title: `${counted(count, "recording")} will be overwritten before ${count === 1 ? "it" : "they"} ${are} home`,
      text: overwritten?.sentence ?? "",
      level: "error",
      path: "/",
    };
  },
  sync_failed({ run }) {
    return { title: "A sync failed", text: run?.sentence ?? "", level: "error", path: run?.path ?? "/" };
  },
  camera_missing({ now, lastContact = now, zone }) {
    const days = Math.max(1, Math.floor((now - lastContact) / DAY_MS));
    return {
      title: `The camera has been away for ${counted(days, "day")}`,
      text: `Last contact: ${zone.moment(lastContact, now)}.`,
      level: "warning",
      path: "/",
    };
  },
  disk_nearly_full({ run, disk }) {
    if (run?.isDiskFull === true)
      return {
        title: "The disk is full",
        text: "No more recordings come home. Free some space, or keep recordings for a shorter time.",
        level: "error",
        path: "/settings#retention",
      };
    const percent = Math.floor(disk?.usedPercent ?? 0);
    return {
      title: `The disk is nearly full: ${percent} %`,
      text: `Dashdock stops downloading at ${disk?.stopsAt ?? 0} %. Free some space, or keep recordings for a shorter time.`,
      level: "warning",
      path: "/settings#retention",
    };
  },
  held({ held = 0 }) {
    return {
      title: "Deletion waits for your approval",
      text: `${counted(held, "recording")} would be deleted. Open Dashdock to decide.`,
      level: "warning",
      path: "/",
    };
  },
  damaged({ damaged = 0 }) {
    return {
      title: `${counted(damaged, "file")} at home ${damaged === 1 ? "is" : "are"} damaged`,
      text: `Dashdock downloads ${damaged === 1 ? "it" : "them"} again while the camera has ${damaged === 1 ? "it" : "them"}.`,
      level: "error",
      path: "/settings#retention",
    };
  },
  offsite_failed({ now, offsite }) {
    const days = Math.max(1, Math.floor((now - (offsite?.since ?? now)) / DAY_MS));
    return {
      title: `Nothing could be sent off-site for ${counted(days, "day")}`,
      text: offsite?.sentence ?? "",
      level: "error",
      path: "/settings#offsite",
    };
  },
};

export function incidentMessage(code: IncidentCode, facts: CameraFacts): Draft {
  return draft(code, facts, INCIDENTS[code](facts));
}

/** Everything that waited has come home. */
export function allSafeMessage(facts: CameraFacts): Draft {
  const count = facts.run?.recordings ?? 0;
  return draft("all_safe", facts, {
    title: "All recordings are safe",
    text: `${counted(count, "recording")} came home. Nothing waits on the camera.`,
    level: "info",
    path: "/",
  });
}

/** The camera's own settings are others than at its last visit; their values are not told. */
export function settingsMessage(facts: CameraFacts): Draft {
  const changes = facts.settings?.changes ?? 0;
  return draft("settings_changed", facts, {
    title: "Settings on the camera changed",
    text: `${counted(changes, "setting")} ${changes === 1 ? "is" : "are"} not as at the last visit.`,
    level: "info",
    path: "/camera",
  });
}

export interface EventWords extends Pick<CameraFacts, "now" | "camera" | "name"> {
  readonly zone: Pick<ZoneTime, "format">;
  /** The oldest first. */
  readonly events: readonly EventRef[];
  /** Further events that are too old to name. */
  readonly older: number;
}

/** Events that came home together. */
export function eventMessage({ now, camera, name, ...about }: EventWords): Draft {
  const newest = about.events.at(-1);
  const key = newest ? keyIn(camera, newest.key) : null;
  const { title, text } =
    about.events.length === 1 && newest && about.older === 0 ? oneEvent(newest, about.zone) : several(about);
  return {
    code: "event",
    at: now,
    title: withName(name, title),
    text,
    level: "warning",
    key,
    path: key === null ? "/viewer" : `/viewer?key=${encodeURIComponent(key)}`,
    camera: name,
  };
}

type Said = Pick<Draft, "title" | "text">;

function oneEvent(event: EventRef, zone: EventWords["zone"]): Said {
  return {
    title: `${kindOf(event)}, ${timeInWords(event, zone)}`,
    text: `The recording is home.${event.place === undefined ? "" : ` Place: ${event.place}.`}${forceOf(event, " Strongest force: ", ".")}`,
  };
}

function several({ events, older, zone }: Pick<EventWords, "events" | "older" | "zone">): Said {
  const all = events.length + older;
  const title = `${counted(all, "event")} came home`;
  if (events.length === 0) return { title, text: `${formatCount(older)} are older than a week.` };
  const said = events.slice(-NAMED_EVENTS);
  const rest = all - said.length;
  const named = said.map(
    (event) => `${kindOf(event)} ${timeInWords(event, zone)}${placeOf(event)}${forceOf(event, ", ")}`,
  );
  return { title, text: `${named.join("; ")}.${rest > 0 ? ` And ${formatCount(rest)} more.` : ""}` };
}

/** Its force, as the viewer shows it, with what stands around it; empty where it is not known. */
function forceOf({ g }: EventRef, before: string, after = ""): string {
  return g === undefined ? "" : `${before}${forceText(g)}\u00a0g${after}`;
}

function placeOf({ place }: EventRef): string {
  return place === undefined ? "" : `, ${place}`;
}

function kindOf({ key }: EventRef): string {
  const type = typeOf(key);
  return type in TYPES ? TYPES[type as keyof typeof TYPES] : "Event";
}

/** Time of an event by the camera's clock. */
function timeInWords({ key }: EventRef, { format }: Pick<ZoneTime, "format">): string {
  const wall = wallOf(secondsOf(key) * 1000);
  const isReal = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(dateOf(key)) && timeOf(key).length === 8;
  return isReal ? `${dayOf(wall, wall.year, format)}, ${clockOf(wall, format)}` : key;
}

/** Things that happened in the quiet hours, with how often each did. */
export function summaryMessage(
  now: number,
  told: ReadonlyMap<MessageCode, { readonly words: string; readonly count: number }>,
  level: MessageLevel,
): Draft {
  const lines = [...told].map(([code, { words, count }]) => `${words} (${code}): ${count}`);
  return {
    code: "summary",
    at: now,
    title: "During the quiet hours",
    text: `${lines.join("\n")}`,
    level,
    key: null,
    path: "/",
    camera: null,
  };
}

/** Dashdock was updated. */
export function versionMessage(now: number, before: string, version: string): Draft {
  return {
    code: "new_version",
    at: now,
    title: `Dashdock was updated to ${version}`,
    text: `Before it was ${before}.`,
    level: "info",
    key: null,
    path: "/help",
    camera: null,
  };
}

/** The message that the button of a service sends. */
export function testMessage(now: number): Draft {
  return {
    code: "test",
    at: now,
    title: "Dashdock can reach you",
    text: "This is a test. Messages will come this way.",
    level: "info",
    key: null,
    path: "/settings#notify",
    camera: null,
  };
}

function draft(code: MessageCode, { now, name }: CameraFacts, { title, text, level, path = "/" }: Words): Draft {
  return {
    code,
    at: now,
    title: withName(name, title),
    text: text === "" ? "" : asSentence(text),
    level,
    key: null,
    path,
    camera: name,
  };
}

function withName(name: string | null, title: string): string {
  return name === null ? title : `${name}: ${title}`;
}
