import { boundedBytes } from "../bounded_body.ts";
import { messageOf } from "../log.ts";

/** Time that an authority may take in all. */
export const STAMP_MS = 10_000;
/** A stamp with the certificates of its authority has some kilobytes. */
const MOST_BYTES = 256 * 1024;
const REQUEST_TYPE = "application/timestamp-query";

/** The authority gave no answer that can be used; a sentence for the log. */
export class StampProblem extends Error {
  override name = "StampProblem";
}

/**
 * Sends a request to a time stamp authority (RFC 3161, section 3.4) and returns the body of its answer.
 * @throws StampProblem; the signal's reason when that aborts
 */
export async function askForStamp(
  address: string,
  request: Uint8Array,
  signal: AbortSignal,
  limitMs: number = STAMP_MS,
): Promise<Uint8Array> {
  const { host } = new URL(address);
  const late = AbortSignal.timeout(limitMs);
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": REQUEST_TYPE, accept: "application/timestamp-reply", "accept-encoding": "identity" },
      body: request.slice(),
      // Else an answer could send us to another host, or unpack to any size.
      redirect: "manual",
      decompress: false,
      signal: AbortSignal.any([signal, late]),
    });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      throw new StampProblem(`The time stamp authority ${host} answered with status ${answer.status}.`);
    }
    const tooLong = () => new StampProblem(`The time stamp authority ${host} sent too much.`);
    return await boundedBytes(answer.body ?? new ReadableStream<Uint8Array>(), MOST_BYTES, tooLong);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof StampProblem) throw error;
    if (late.aborted)
      throw new StampProblem(`The time stamp authority ${host} did not answer within ${limitMs / 1000} s.`);
    throw new StampProblem(`The time stamp authority ${host} could not be reached (${messageOf(error)}).`);
  }
}
