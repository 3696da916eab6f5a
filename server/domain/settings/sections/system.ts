import { field, section } from "../field.ts";
import { filledProblem, flag, text } from "../field_kinds.ts";

export const SYSTEM = section("restart", "System", {
  destination: field(text(filledProblem, "path"), "/recordings", {
    label: "Recordings folder",
    help: "Where recordings are stored.",
    own: true,
    env: { name: "SERVICE_DESTINATION", read: "text" },
  }),
  dry_run: field(flag("On, nothing is downloaded or deleted", "Off, recordings are downloaded and deleted"), false, {
    label: "Dry run",
    help: "Only say in the log what would be downloaded and deleted.",
    safest: { value: true, words: "Nothing is downloaded or deleted until it is set." },
  }),
});
