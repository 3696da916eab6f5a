import { formatListing } from "../../domain/recordings/camera_listing.ts";
import { LIST_PATH } from "../legacy.ts";
import { fileOf } from "./simulated_video.ts";
import { type Generation, notice, plainAnswer, refusedMethod, textAnswer } from "./simulator_generation.ts";
import { misshapenListing } from "./simulator_listing.ts";
import type { ServedCard } from "./simulator_served_card.ts";

const TYPES: Readonly<Record<string, string>> = { mp4: "video/mp4", thm: "image/jpeg" };

/** The generation of all models until 2026: a text listing, files below `/Record/`, settings below `/Config/`. */
export const LEGACY: Generation = {
  list: LIST_PATH,
  video: /^\/Record\/[^/]+\.mp4$/,
  metadata: null,
  answer(request, served, listsSizes) {
    if (request.method !== "GET" && request.method !== "HEAD") return refusedMethod("GET, HEAD");
    const path = request.path.split("?", 1)[0] ?? "";
    if (path === LEGACY.list) return textAnswer(listingOf(served, listsSizes));
    if (path === "/Config/config.ini") return plainAnswer(served.settings.config);
    if (path === "/Config/version.bin") return plainAnswer(served.settings.version);
    const name = /^\/Record\/([^/]+)$/.exec(path)?.[1];
    const file = name === undefined ? null : served.file(name);
    if (!file || name === undefined) return notice(404, "not found");
    const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    return { status: 200, type, content: file };
  },
  async misshapen(fault, answer) {
    const listing = await answer.content.read(0, answer.content.size);
    return { ...answer, content: fileOf(misshapenListing(fault, listing)) };
  },
};

function listingOf(served: ServedCard, listsSizes: boolean): string {
  const names = served.listsCompanions ? served.card.names() : served.card.videos();
  return formatListing(names.map((name) => (listsSizes ? { name, size: served.file(name)?.size ?? 0 } : { name })));
}
