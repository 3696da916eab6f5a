import { field, section } from "../field.ts";
import { flag } from "../field_kinds.ts";

export const SHARE = section("immediate", "Links", {
  enabled: field(flag("On, links can be made and opened", "Off, no link opens"), false, {
    label: "Links for others",
    help: "A link shows a part of a trip to people without a sign-in. Every link ends by itself.",
    page: { path: "/links", words: "Links that were made" },
  }),
});
