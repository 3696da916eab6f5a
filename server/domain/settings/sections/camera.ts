import { field, section } from "../field.ts";
import { number } from "../field_kinds.ts";

export const CAMERA = section("immediate", "Camera", {
  read_timeout_seconds: field(number({ whole: false, min: 0.5, max: 30 }), 3, {
    label: "Timeout for reading its settings",
    help: "How long to wait for the camera before this page shows what was read last.",
    unit: "s",
  }),
});
