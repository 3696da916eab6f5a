/** Passes the pieces of a body on. Throws what `tooLong` gives when they have more than `limit` bytes together. */
export async function* boundedPieces(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  tooLong: () => Error,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > limit) throw tooLong();
    yield piece;
  }
}

/** Reads a body in one piece, within the limit of `boundedPieces`. */
export async function boundedBytes(...given: Parameters<typeof boundedPieces>): Promise<Uint8Array<ArrayBuffer>> {
  return Bun.concatArrayBuffers(await Array.fromAsync(boundedPieces(...given)), Number.POSITIVE_INFINITY, true);
}
