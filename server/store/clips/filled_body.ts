/**
 * Bytes read at once; a body holds two such buffers. Smaller ones ask the disk too often, larger ones leave the
 * processor's caches.
 */
const CHUNK_BYTES = 512 * 1024;

/** Makes the bytes of a body, one after the other. */
export interface BodyFiller {
  /** @returns how much of the buffer is filled: all of it unless there is nothing more */
  readonly fill: (buffer: Uint8Array) => Promise<number>;
  readonly close: () => void;
}

/**
 * A body that is made as its client takes it. It fails where its filler fails, which resets the connection.
 * @param ended called once there is nothing more to come: it was sent, not wanted any more, or failed for this cause
 */
export function filledBody(
  length: number,
  filler: BodyFiller,
  ended: (failure?: unknown) => void,
  chunkBytes = CHUNK_BYTES,
): ReadableStream<Uint8Array> {
  const size = Math.min(chunkBytes, length);
  const fill = async (buffer: Uint8Array) => buffer.subarray(0, await filler.fill(buffer));
  // Filled or being filled, and not handed out.
  let running: Promise<Uint8Array> | null = null;
  let isOver = false;
  const end = async (failure?: unknown) => {
    if (isOver) return;
    isOver = true;
    // A file that is being opened could not be closed yet.
    await running?.catch(() => {});
    filler.close();
    ended(failure);
  };
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: "direct",
    async pull(controller) {
      // One goes out while the disk fills the other: what was written is not looked at any more.
      const buffers = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)] as const;
      try {
        let left = length;
        for (let turn = 0; left > 0; turn++) {
          running ??= fill(buffers[0]);
          const chunk = await running;
          // Nothing is begun of what is being closed.
          if (isOver) break;
          left -= chunk.length;
          running = left > 0 ? fill(buffers[turn % 2 === 0 ? 1 : 0]) : null;
          // A failure is told when its turn comes.
          running?.catch(() => {});
          // Nothing is taken any more once the client has gone.
          if ((await controller.write(chunk)) === 0) break;
        }
      } catch (error) {
        await end(error);
        throw error;
      }
      await end();
    },
    cancel: () => end(),
  };
  // Documented by the runtime; the types of a browser, which the pages need, know of no such stream.
  return new ReadableStream(source as object);
}
