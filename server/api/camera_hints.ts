import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { HINT_IDS } from "../domain/camera/hint_ids.ts";
import { CAMERA_HINTS } from "../domain/camera/hint_schema.ts";
import { endpoint } from "./endpoint.ts";

type Known = Pick<App, "hints" | "zone">;

export const currentHints = endpoint({
  summary: "What there is to say about the camera beside its syncs, each with its cause and what to do",
  shape: CAMERA_HINTS,
  returns: "As the dashboard shows them, made of what runs have seen; the camera is not asked",
  answer: async (_context, { hints, zone }: Known) => ({ hints: await hints.shown(zone) }),
});

const ID = v.picklist(HINT_IDS);

export const dismissHint = endpoint({
  summary: "Hides a hint until its cause has gone and comes back",
  body: v.object({ id: ID }),
  shape: CAMERA_HINTS,
  returns: "The hints that are left; one that is not there stays as it is",
  errors: ["INVALID_BODY"],
  async answer(context, { hints, zone }: Known) {
    const { id } = await context.json();
    const read = v.safeParse(ID, id);
    if (!read.success) throw new AppError("INVALID_BODY", `id must be one of ${HINT_IDS.join(", ")}`);
    return { hints: await hints.dismiss(read.output, zone) };
  },
});
