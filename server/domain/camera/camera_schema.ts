import * as v from "valibot";
import { orNull, text, whole } from "../answers/answer_fields.ts";
import { CAMERA_TABS } from "./config_catalogue.ts";

export const CAMERA_FIELD = v.object({
  key: text("`<Section>.<key>`"),
  label: v.string(),
  value: text("As people read it; eight bullets for a password that is stored"),
  raw: orNull(v.string(), "As the camera stores it; null for passwords"),
  secret: v.pipe(v.boolean(), v.description("A password: GET /api/camera/secret tells it")),
  has_value: v.boolean(),
  formats_card: v.pipe(v.boolean(), v.description("A change of it makes the camera format its card")),
  help: v.string(),
});

export const CAMERA_TAB = v.object({
  name: v.picklist(CAMERA_TABS.map(({ name }) => name)),
  label: v.string(),
  section: text("In the camera's file"),
  fields: v.array(CAMERA_FIELD),
  other: v.pipe(
    v.array(CAMERA_FIELD),
    v.description("Settings that are not known; of unknown sections in the system group"),
  ),
  not_fitted: v.pipe(v.array(CAMERA_FIELD), v.description("Settings of parts that are sold separately")),
});

export const CONFIG_CHANGE = v.object({
  key: v.string(),
  label: v.string(),
  from: text("As the camera stored it, empty for none; `changed` for passwords"),
  to: v.string(),
});

export const CAMERA_CONFIG = v.union([
  v.object({ available: v.literal(false), online: v.literal(false) }),
  v.object({
    available: v.literal(true),
    online: v.pipe(v.boolean(), v.description("Read right now; else as it was read last, at `read_at`")),
    read_at: text("ISO 8601 with offset"),
    model: orNull(v.string(), "Null when the camera does not tell it"),
    firmware: orNull(v.string(), "Null when the camera does not tell it"),
    tabs: v.array(CAMERA_TAB),
    changed: v.pipe(
      v.array(CONFIG_CHANGE),
      v.description("What is other than at an earlier visit, until it is dismissed"),
    ),
  }),
]);

export const CAMERA_SECRET = v.object({ key: v.string(), value: text("As people type it; empty when none is stored") });

/** The changes of one visit of the camera. */
export const CONFIG_VISIT = v.object({
  id: whole("For POST /api/camera/changes/dismiss"),
  at: text("When the change was seen, ISO 8601 UTC"),
  changes: v.array(CONFIG_CHANGE),
  dismissed: v.boolean(),
});

export const CAMERA_CHANGES = v.object({
  visits: v.pipe(v.array(CONFIG_VISIT), v.description("The newest first")),
});

export const DASHCAM_INFO = v.union([
  v.object({
    available: v.literal(true),
    address: v.string(),
    firmware: orNull(v.string(), "`<model> · fw <version>`; null when the camera does not tell it"),
    config: v.pipe(
      v.record(v.string(), v.record(v.string(), v.string())),
      v.description("Sections with their settings as the camera stores them; passwords are `***`"),
    ),
    setting_count: whole("Settings in all sections"),
  }),
  v.object({ available: v.literal(false), reason: v.string() }),
]);
