import { field, section } from "../field.ts";
import { number } from "../field_kinds.ts";

export const CAMERA = section("immediate", "Camera", {
  read_timeout_seconds: field(number({ whole: false, min: 0.5, max: 30 }), 3, {
    label: "Timeout for its settings",
    help: "After this time the page “On the camera” shows the last known settings.",
    unit: "s",
    rare: true,
  }),
});
