import { field, section } from "../field.ts";
import { nullableText, whole } from "../field_kinds.ts";
import { webAddressProblem, withoutKeys } from "../tile_address.ts";

export const EXPORT = section("immediate", "Evidence", {
  police_days: field(whole(1, 60), 7, {
    label: "Hand in within",
    unit: "days",
    help: "How long the police take recordings after a moment. A pack for the police tells the last day.",
  }),
  timestamp_url: field(nullableText(webAddressProblem), null, {
    label: "Time stamp authority",
    help: "A pack gets a time stamp (RFC 3161) from this address. Only a checksum is sent there. Empty: no time stamp.",
    empty: "no time stamp",
    rare: true,
    shownAs: withoutKeys,
  }),
});
