import { field, section } from "../field.ts";
import { controlProblem, filledProblem, flag, nullableText, text } from "../field_kinds.ts";

export const SYSTEM = section("restart", "System", {
  destination: field(text(filledProblem, "path"), "/recordings", {
    label: "Recordings folder",
    help: "Recordings are saved in this folder.",
    own: true,
    env: { name: "SERVICE_DESTINATION", read: "text" },
  }),
  import_folder: field(nullableText(controlProblem, "path"), null, {
    label: "Import from a card",
    help: "A folder with cards, or copies of them. Recordings come home from folders in it.",
    empty: "no folder",
    own: true,
    applies: "immediate",
  }),
  dry_run: field(flag("On: nothing is downloaded or deleted", "Off: Dashdock works normally"), false, {
    label: "Dry run",
    help: "Only the log says what would be downloaded and deleted.",
    safest: { value: true, words: "Nothing is downloaded or deleted until it is set." },
  }),
});
