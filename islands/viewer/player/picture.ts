import { secondsOf } from "../../../server/domain/recordings/recording_name.ts";

/** `20261120_081541_F.png`: the camera's own clock at what is seen, and the camera. @param seconds into the recording */
export function pictureName(key: string, seconds: number, direction: string): string {
  const wall = new Date((secondsOf(key) + Math.floor(seconds + 0.001)) * 1000).toISOString();
  return `${wall.slice(0, 19).replace(/[-:]/g, "").replace("T", "_")}_${direction}.png`;
}

/** Saves the picture that a video shows, as large as it was filmed. @returns it, or null when there is none */
export async function savePicture(video: HTMLVideoElement, name: string): Promise<Blob | null> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || video.readyState < 2) return null;
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")?.drawImage(video, 0, 0, width, height);
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (picture === null) return null;
  const address = URL.createObjectURL(picture);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  // Outside of the page: what is made here needs no question who is signed in.
  link.click();
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return picture;
}
