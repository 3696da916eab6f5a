import { addressProblem } from "../address.ts";
import { field, section } from "../field.ts";
import { number, text } from "../field_kinds.ts";

/**
 * Address of the camera. The API keeps the tier this section always had, though the next request uses a new address.
 */
export const CONNECTION = section("restart", "Connection", {
  address: field(text(addressProblem, "address"), "", {
    label: "Camera address",
    help: "Host name or IP address of the camera in your network. Add :port when it is not 80.",
    empty: "no camera",
    own: true,
    applies: "next_tick",
    env: { name: "ADDRESS", read: "text" },
  }),
  timeout_seconds: field(number({ whole: false, min: 0, max: 300, above: true }), 10, {
    label: "Timeout",
    help: "How long Dashdock waits for a connection and for the first byte.",
    unit: "s",
    applies: "next_tick",
    env: { name: "TIMEOUT", read: "number" },
  }),
});
