/**
 * A video whose index lies before its pictures, as players need it to begin with a part, and of whose pictures only a share
 * is there: as after a copy that broke off.
 */
export function brokenOff(video: Buffer, share: number): Buffer {
  const boxes = new Map<string, Buffer>();
  for (let at = 0; at + 8 <= video.length; ) {
    const length = video.readUInt32BE(at);
    boxes.set(video.toString("latin1", at + 4, at + 8), video.subarray(at, at + length));
    at += Math.max(8, length);
  }
  const head = boxes.get("ftyp");
  const pictures = boxes.get("mdat");
  const index = Buffer.from(boxes.get("moov") ?? "");
  if (!head || !pictures || index.length === 0) throw new Error("This is no video with an index behind its pictures");
  const moved = head.length + index.length - video.indexOf(pictures);
  for (let table = index.indexOf("stco"); table >= 0; table = index.indexOf("stco", table + 4))
    for (let chunk = 0; chunk < index.readUInt32BE(table + 8); chunk++) {
      const at = table + 12 + chunk * 4;
      index.writeUInt32BE(index.readUInt32BE(at) + moved, at);
    }
  return Buffer.concat([head, index, pictures.subarray(0, Math.floor(pictures.length * share))]);
}
