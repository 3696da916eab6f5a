import { basePathProblem } from "../base_path.ts";
import { field, section } from "../field.ts";
import { hostNames, nullableText, text, whole } from "../field_kinds.ts";
import { publicAddressProblem } from "../public_address.ts";

/** Ways to reach the service. */
export const WEB = section("restart", "Web", {
  port: field(whole(1, 65_535), 8080, {
    label: "Port",
    help: "The port this service listens on.",
    env: { name: "SERVICE_PORT", read: "number" },
  }),
  session_lifetime_hours: field(whole(1, 8760), 24, {
    label: "Stay signed in for",
    help: "After this time Dashdock asks for the password again.",
    unit: "h",
    meaning: { larger: [{ from: 24, per: 24, unit: "day" }] },
  }),
  allowed_hosts: field(hostNames(), [], {
    label: "Names of this service",
    help: "One host name per line. Without a sign-in, Dashdock answers only to its address, to names of your own network, and to these.",
    empty: "no further names",
    rare: true,
    applies: "immediate",
  }),
  public_url: field(nullableText(publicAddressProblem), null, {
    label: "Address from outside",
    help: "The address under which others reach this service, such as https://dashcam.example.org. Links begin with it.",
    empty: "the address in use when a link is made",
    rare: true,
    applies: "immediate",
  }),
  base_path: field(text(basePathProblem), "", {
    label: "Sub-path",
    help: "The path below which a proxy shows Dashdock, such as /dashcam. The proxy passes it on.",
    empty: "Dashdock has a host name of its own",
    rare: true,
  }),
});
