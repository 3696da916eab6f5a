import * as v from "valibot";
import type { IncidentCode } from "../../domain/notify/incidents.ts";
import { MESSAGE_LEVELS, type MessageCode } from "../../domain/notify/message.ts";
import { NOTIFY_CODES } from "../../domain/settings/sections/notify.ts";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

const CODE = v.picklist([...NOTIFY_CODES, "summary", "test"] as const satisfies readonly MessageCode[]);
const LEVEL = v.picklist(MESSAGE_LEVELS);
const STATUS = v.nullable(v.number());

const MESSAGE = v.object({
  id: v.string(),
  code: CODE,
  at: v.number(),
  title: v.string(),
  text: v.string(),
  level: LEVEL,
  key: v.nullable(v.string()),
  path: v.string(),
  camera: v.nullable(v.string()),
});

const INCIDENT = v.exactOptional(v.object({ toldAt: v.number(), weight: v.number() }));
const INCIDENTS = v.object({
  overwritten: INCIDENT,
  sync_failed: INCIDENT,
  camera_missing: INCIDENT,
  disk_nearly_full: INCIDENT,
  held: INCIDENT,
  damaged: INCIDENT,
  offsite_failed: INCIDENT,
} satisfies Record<IncidentCode, typeof INCIDENT>);

const EVENT = v.object({ key: v.string(), g: v.exactOptional(v.number()) });

const CAMERA = v.object({
  incidents: INCIDENTS,
  visit: v.nullable(v.number()),
  safeVisit: v.optional(v.nullable(v.number()), null),
  burst: v.nullable(v.object({ until: v.number(), events: v.pipe(v.array(EVENT), v.readonly()) })),
});

const MEMORY = v.object({
  version: v.nullable(v.string()),
  cameras: v.record(v.string(), CAMERA),
  quiet: v.array(v.object({ code: CODE, level: LEVEL })),
  queue: v.array(v.object({ target: v.string(), message: MESSAGE, tries: v.number(), due: v.number() })),
  last: v.record(
    v.string(),
    v.object({ at: v.number(), ok: v.boolean(), status: STATUS, answer: v.string(), lost: v.optional(v.number(), 0) }),
  ),
  ping: v.nullable(v.object({ at: v.number(), ok: v.boolean(), status: STATUS, milliseconds: v.number() })),
});

/** Keeps what was told, and what is to be told. No address is in it. */
export type NotifyMemory = v.InferOutput<typeof MEMORY>;

export const NOTHING_TOLD: NotifyMemory = { version: null, cameras: {}, quiet: [], queue: [], last: {}, ping: null };

/** `notify.json` in the config folder. Without it incidents that go on are told again. */
export class NotifyFile extends RememberedFile<NotifyMemory> {
  constructor(path: string, log: Log) {
    const loss = "messages that waited are lost, and incidents that go on are told again";
    super({ path, log, logger: "notify", format: jsonFormat(MEMORY), loss });
  }
}
