import { dlopen, ptr } from "bun:ffi";

/** `CLOCK_THREAD_CPUTIME_ID` of Linux. */
const THREAD_CLOCK = 3;

/** Milliseconds of the processor that this thread has used. */
export function threadMs(): number {
  libc.symbols.clock_gettime(THREAD_CLOCK, ptr(TIME));
  return Number(TIME[0]) * 1000 + Number(TIME[1]) / 1e6;
}
/** One for all readings: others would be collected while it measures. */
const TIME = new BigInt64Array(2);
const libc = dlopen("libc.so.6", { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } });
