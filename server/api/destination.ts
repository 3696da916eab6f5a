import * as v from "valibot";
import { AppError } from "../domain/answers/errors.ts";
import { CARDS_OF_FOLDER } from "../domain/status/card_ids.ts";
import { DESTINATION, STORAGE_HEALTH } from "../domain/status/status_schema.ts";
import { foundFolder } from "../engine/status/found_folder.ts";
import { storageHealth } from "../engine/status/health.ts";
import { endpoint } from "./endpoint.ts";
import { requireSaved } from "./unsaved.ts";

export const storage = endpoint({
  summary: "The disk of the recordings and how many there are",
  shape: STORAGE_HEALTH,
  returns: "Also when the folder is missing",
  answer: (_context, app) => storageHealth(app),
  all: (answers) => ({ cameras: answers.map(({ camera, answer }) => ({ camera, ...answer })) }),
});

export const found = endpoint({
  summary: "The recordings folder as it was, and what lies at its path now",
  shape: DESTINATION,
  returns: "Also while it is there",
  answer: (_context, app) => foundFolder(app),
});

export const accept = endpoint({
  summary: "Takes the recordings folder that is there now as the one to use",
  description:
    "For when it is not the one that was used before, which may be on a disk that is not mounted; until then no sync writes there.",
  shape: v.object({ accepted: v.literal(true) }),
  returns: "The next sync uses it",
  errors: ["NOTHING_TO_ACCEPT", "STORAGE_FULL"],
  async answer(_context, { destination, checksums, retention, cards, lastKnown }) {
    if (!(await destination.accept(() => checksums.forgetFolder())))
      throw new AppError("NOTHING_TO_ACCEPT", "The recordings folder is the one that was used before");
    // This service did not download what is in it.
    retention.consent.forgetLibrary();
    lastKnown.forget();
    cards.publish(CARDS_OF_FOLDER);
    requireSaved(destination.isSaved);
    return { accepted: true } as const;
  },
});
