import { fileOf } from "./simulated_video.ts";
import { type Generation, notice, plainAnswer, refusedMethod, textAnswer } from "./simulator_generation.ts";
import { metadataAnswer, misshapenMetadata } from "./simulator_metadata.ts";
import type { ServedCard } from "./simulator_served_card.ts";
import type { Answer, Framing } from "./simulator_transmission.ts";
import { misshapenVodList, vodList } from "./simulator_vod_list.ts";
import type { WireRequest } from "./simulator_wire.ts";

/** Behaviour that is not known of real cameras of this generation, and may be one way or the other. */
export interface V1009Options {
  /** True: a `Range` is not seen, and the answer is 200 with the whole video. */
  ignoresRange?: boolean;
  /** Answer to HEAD: the head of the answer, 405, or the end of the connection. */
  head?: "answers" | "refuses" | "hangs-up";
  /** Mark of a video's end. */
  videoFraming?: Framing;
  /** True: the GPS data lies under `metadata` instead of beside the result code. */
  nestsGps?: boolean;
  /** True: the GPS data is text as it is in the file, not base64. */
  gpsAsText?: boolean;
  /** True: the settings are told below `/Config/`, as by older cameras; else they are refused like all that is no video. */
  tellsSettings?: boolean;
}

const JSON_TYPE = "application/json";
const LIST = "/vodList";
const METADATA = "/vodMetadata";
const ACCESSIBLE = '{"accessible":"OK","message":"Access possible."}';

/**
 * The generation since firmware V1.009 of 2026: a JSON list without sizes, videos at the root, thumbnails and GPS data
 * one by one in JSON, and 415 for all else.
 */
export function v1009(options: V1009Options = {}): Generation {
  return {
    list: LIST,
    video: /^\/[^/]+\.mp4$/,
    metadata: METADATA,
    answer(request, served) {
      const { method } = request;
      const path = request.path.split("?", 1)[0] ?? "";
      if (method === "POST" && path === METADATA) return metadataAnswer(request.body, served, options);
      if (method === "HEAD" && options.head === "hangs-up") return null;
      const takesHead = method === "HEAD" && options.head !== "refuses";
      if (method !== "GET" && !takesHead) return refusedMethod(options.head === "refuses" ? "GET" : "GET, HEAD");
      return fetched(path, served, options);
    },
    async misshapen(fault, answer) {
      if (fault.name.startsWith("metadata-")) return misshapenMetadata(fault, answer);
      const list = await answer.content.read(0, answer.content.size);
      return { ...answer, content: fileOf(misshapenVodList(fault, list)) };
    },
  };
}

function fetched(path: WireRequest["path"], served: ServedCard, options: V1009Options): Answer {
  if (path === "/accessible") return textAnswer(ACCESSIBLE, JSON_TYPE);
  if (path === LIST) return textAnswer(vodList(served.card.videos()), JSON_TYPE);
  if (options.tellsSettings === true) {
    if (path === "/Config/config.ini") return plainAnswer(served.settings.config);
    if (path === "/Config/version.bin") return plainAnswer(served.settings.version);
  }
  if (!path.endsWith(".mp4")) return { ...textAnswer("mp4 only"), status: 415 };
  const name = /^\/([^/]+)$/.exec(path)?.[1];
  if (name === undefined) return notice(400, "bad request");
  const file = served.file(name);
  if (!file) return notice(404, "not found");
  const answer: Answer = { status: 200, type: "video/mp4", content: file, framing: options.videoFraming ?? "length" };
  return options.ignoresRange === true ? { ...answer, takesRange: false } : answer;
}
