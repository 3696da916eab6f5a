import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { demoFootage } from "../../../server/dashcam/simulator/simulated_demo.ts";
import { momentOf } from "../../../server/dashcam/simulator/simulated_moments.ts";
import { type CardFile, fileOf } from "../../../server/dashcam/simulator/simulated_video.ts";
import { parseRecording } from "../../../server/domain/recordings/recording_name.ts";
import { thinned } from "./thinned.ts";

const bytesOf = async (file: CardFile) => await file.read(0, file.size);

/**
 * Puts recordings that really play, with their thumbnails, where the service finds them.
 * @param paths videos relative to the destination, such as `20260607_101500_NF.mp4`
 * @param whole those of them that have all their pictures
 */
export async function putFootage(
  destination: string,
  paths: readonly string[],
  whole: readonly string[] = [],
): Promise<void> {
  const footage = await demoFootage();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const recording = parseRecording(name);
    if (!recording) throw new Error(`${name} is no recording's name`);
    const moment = momentOf(recording);
    const put = async (to: string, file: CardFile) => {
      mkdirSync(dirname(join(destination, to)), { recursive: true });
      writeFileSync(join(destination, to), await bytesOf(file));
    };
    const video = footage.video(moment, recording.direction, name);
    await put(path, whole.includes(path) ? video : fileOf(thinned(await bytesOf(video))));
    await put(path.replace(/\.mp4$/, ".thm"), footage.thumbnail(moment, recording.direction, name));
  }
}
