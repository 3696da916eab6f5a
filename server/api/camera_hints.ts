import * as v from "valibot";
import type { App } from "../app.ts";
import { HINT_IDS } from "../domain/camera/hint_ids.ts";
import { CAMERA_HINTS } from "../domain/camera/hint_schema.ts";
import { endpoint } from "./endpoint.ts";

type Known = Pick<App, "hints" | "zone">;

export const currentHints = endpoint({
  summary: "What there is to say about the camera beside its syncs, each with its cause and what to do",
  shape: CAMERA_HINTS,
  returns: "As the dashboard shows them, made of what runs have seen; the camera is not asked",
  answer: async (_context, { hints, zone }: Known) => ({ hints: await (await hints()).shown(zone) }),
});

const ID = v.message(v.object({ id: v.picklist(HINT_IDS) }), `id must be one of ${HINT_IDS.join(", ")}`);

export const dismissHint = endpoint({
  summary: "Hides a hint until its cause has gone and comes back",
  body: ID,
  shape: CAMERA_HINTS,
  returns: "The hints that are left; one that is not there stays as it is",
  answer: async ({ body }, { hints, zone }: Known) => ({ hints: await (await hints()).dismiss(body.id, zone) }),
});
