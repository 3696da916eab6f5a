import type * as v from "valibot";
import type { Dashcam } from "../../dashcam/camera.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import type { DASHCAM_INFO } from "../../domain/camera/camera_schema.ts";
import { parseVersion, versionText } from "../../domain/camera/camera_version.ts";
import { parseConfig } from "../../domain/camera/config_file.ts";
import { isSecret } from "../../domain/camera/secret_settings.ts";
import type { Job } from "../run/job.ts";

export type DashcamInfo = v.InferOutput<typeof DASHCAM_INFO>;

/** For each of the two files. */
const ANSWER_MS = 2000;

/** Asks the camera about itself right now. A running sync prevents it, as a file may be coming in. */
export async function dashcamInfo(parts: { dashcam: Dashcam; job: Pick<Job, "isRunning"> }): Promise<DashcamInfo> {
  const { dashcam, job } = parts;
  const { address } = dashcam;
  if (address === "") return { available: false, reason: "no address configured" };
  if (job.isRunning) return { available: false, reason: "busy with a sync" };
  const version = await readFile(dashcam, "version.bin");
  const config = await readFile(dashcam, "config.ini");
  if (version === "refused" && config === "refused" && dashcam.generation === "v1009")
    return { available: false, reason: "this camera does not tell its settings" };
  if (typeof version === "string" && typeof config === "string")
    return { available: false, reason: "dashcam unreachable" };
  const entries = parseConfig(typeof config === "string" ? new Uint8Array() : config);
  const sections = new Map<string, [string, string][]>();
  for (const entry of entries) {
    const shown = isSecret(entry) && entry.value !== "" ? "***" : entry.value;
    const pairs = sections.get(entry.section);
    if (pairs) pairs.push([entry.key, shown]);
    else sections.set(entry.section, [[entry.key, shown]]);
  }
  return {
    available: true,
    address,
    firmware: typeof version === "string" ? null : versionText(parseVersion(version)),
    config: Object.fromEntries([...sections].map(([name, pairs]) => [name, Object.fromEntries(pairs)])),
    setting_count: entries.length,
  };
}

/** A file of the camera, or why it cannot be had: the camera answered that it does not tell it, or not at all. */
async function readFile(
  dashcam: Dashcam,
  name: "config.ini" | "version.bin",
): Promise<Uint8Array | "refused" | "unreachable"> {
  try {
    return await dashcam.configFile(name, ANSWER_MS, AbortSignal.timeout(ANSWER_MS));
  } catch (error) {
    if (error instanceof DashcamProblem) return error.status === null ? "unreachable" : "refused";
    if (error instanceof DOMException && error.name === "TimeoutError") return "unreachable";
    throw error;
  }
}
