import driveOneFrontImage from "../../../assets/demo/drive-1-front.jpg" with { type: "file" };
import driveOneFront from "../../../assets/demo/drive-1-front.mp4" with { type: "file" };
import driveOneRearImage from "../../../assets/demo/drive-1-rear.jpg" with { type: "file" };
import driveOneRear from "../../../assets/demo/drive-1-rear.mp4" with { type: "file" };
import driveTwoFrontImage from "../../../assets/demo/drive-2-front.jpg" with { type: "file" };
import driveTwoFront from "../../../assets/demo/drive-2-front.mp4" with { type: "file" };
import driveTwoRearImage from "../../../assets/demo/drive-2-rear.jpg" with { type: "file" };
import driveTwoRear from "../../../assets/demo/drive-2-rear.mp4" with { type: "file" };
import eventFrontImage from "../../../assets/demo/event-1-front.jpg" with { type: "file" };
import eventFront from "../../../assets/demo/event-1-front.mp4" with { type: "file" };
import eventRearImage from "../../../assets/demo/event-1-rear.jpg" with { type: "file" };
import eventRear from "../../../assets/demo/event-1-rear.mp4" with { type: "file" };
import parkingFrontImage from "../../../assets/demo/parking-1-front.jpg" with { type: "file" };
import parkingFront from "../../../assets/demo/parking-1-front.mp4" with { type: "file" };
import parkingRearImage from "../../../assets/demo/parking-1-rear.jpg" with { type: "file" };
import parkingRear from "../../../assets/demo/parking-1-rear.mp4" with { type: "file" };
import type { Footage } from "./simulated_card.ts";
import type { Moment } from "./simulated_moments.ts";
import { box, type CardFile, concatenated, fileOf, secondsOfVideo } from "./simulated_video.ts";

/** One scene as the front and the rear camera saw it: paths of a clip and of its thumbnail. */
interface Scene {
  front: readonly [clip: string, image: string];
  rear: readonly [clip: string, image: string];
}

const DAY: Scene = { front: [driveOneFront, driveOneFrontImage], rear: [driveOneRear, driveOneRearImage] };
const DUSK: Scene = { front: [driveTwoFront, driveTwoFrontImage], rear: [driveTwoRear, driveTwoRearImage] };
const EVENT: Scene = { front: [eventFront, eventFrontImage], rear: [eventRear, eventRearImage] };
const PARKED: Scene = { front: [parkingFront, parkingFrontImage], rear: [parkingRear, parkingRearImage] };

/**
 * Clips that play, embedded in the program: a drive by day and one at dusk, an event, a parked night. Each recording
 * gets its own file by a `free` box at the end that holds its name: valid, and no two alike.
 * @param car number of the car: the first drive of an odd one is at dusk
 */
export async function demoFootage(car = 0): Promise<Footage> {
  const sceneAt = (moment: Pick<Moment, "type" | "minutes" | "drive">) => sceneOf(moment, car);
  const seconds = new Map<Scene, number>();
  for (const scene of [DAY, DUSK, EVENT, PARKED]) seconds.set(scene, await secondsOfVideo(onDisk(scene.front[0])));
  return {
    video(moment, direction, name) {
      const [clip] = viewOf(sceneAt(moment), direction);
      return concatenated(onDisk(clip), fileOf(box("free", new TextEncoder().encode(name))));
    },
    thumbnail(moment, direction) {
      const [, image] = viewOf(sceneAt(moment), direction);
      return onDisk(image);
    },
    secondsOf: (moment) => seconds.get(sceneAt(moment)) ?? 0,
  };
}

/** Paths of the clip and of the picture that a recording of the demo is made of. */
export function demoPaths(moment: Moment, direction: string, car: number): { clip: string; image: string } {
  const [clip, image] = viewOf(sceneOf(moment, car), direction);
  return { clip, image };
}

function sceneOf({ type, minutes, drive }: Pick<Moment, "type" | "minutes" | "drive">, car: number): Scene {
  if (minutes === 0) return PARKED;
  if (type === "E") return EVENT;
  // Drives are the even sessions: they take turns.
  return (drive / 2 + car) % 2 === 0 ? DAY : DUSK;
}

function viewOf(scene: Scene, direction: string): readonly [clip: string, image: string] {
  return direction === "R" ? scene.rear : scene.front;
}

function onDisk(path: string): CardFile {
  const file = Bun.file(path);
  return { size: file.size, read: async (start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer()) };
}
