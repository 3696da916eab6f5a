/** Bytes of the largest picture that the service keeps. */
const MOST_BYTES = 8 * 1024 * 1024;
const QUALITY = 0.95;

/** The picture itself where the service takes it, else the same as JPEG; null when that is too large as well. */
export async function smallEnough(picture: Blob): Promise<Blob | null> {
  if (picture.size <= MOST_BYTES) return picture;
  const drawn = await createImageBitmap(picture);
  const canvas = document.createElement("canvas");
  canvas.width = drawn.width;
  canvas.height = drawn.height;
  canvas.getContext("2d")?.drawImage(drawn, 0, 0);
  drawn.close();
  const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  return smaller !== null && smaller.size <= MOST_BYTES ? smaller : null;
}
