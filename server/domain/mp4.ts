/** Reads `length` bytes at `offset`; shorter at the end of the file. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/**
 * Whether a file is a whole MP4: its top-level boxes (ISO/IEC 14496-12 §4.2) start with `ftyp`, hold a `moov`, and end
 * exactly where the file ends. It reads box headers only, so it costs nothing whatever the file's size.
 */
export async function isWholeMp4(size: number, readAt: ReadAt): Promise<boolean> {
  let offset = 0;
  let hasMovie = false;
  while (offset < size) {
    const header = await readAt(offset, 16);
    if (header.length < 8) return false;
    const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
    const type = String.fromCharCode(...header.subarray(4, 8));
    let length = view.getUint32(0);
    if (length === 1) {
      if (header.length < 16) return false;
      length = Number(view.getBigUint64(8));
      if (length < 16) return false;
    } else if (length === 0)
      length = size - offset; // the last box may run to the end of the file
    else if (length < 8) return false;
    if (offset === 0 && type !== "ftyp") return false;
    if (type === "moov") hasMovie = true;
    offset += length;
  }
  return hasMovie && offset === size;
}
