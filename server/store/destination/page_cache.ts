import { dlopen, FFIType } from "bun:ffi";
import { C_LIBRARIES } from "./flock.ts";

/** POSIX_FADV_DONTNEED of Linux. */
const DONT_NEED = 4;

/** Gives up what the system keeps in memory of a part of an open file. */
export type ForgetPages = (descriptor: number, offset: number, length: number) => void;

/**
 * Tells the system that a part of an open file will not be read again soon: posix_fadvise(2). Ten gigabytes that only pass
 * through would push everything else out of its memory, and finding room for them costs as much as copying them. What is
 * not on the disk yet stays. It does nothing on other systems than Linux.
 */
export const forgetPages: ForgetPages = bindAdvice();

function bindAdvice(): ForgetPages {
  if (process.platform !== "linux") return () => {};
  const { i32, i64 } = FFIType;
  for (const path of C_LIBRARIES) {
    try {
      const { symbols } = dlopen(path, { posix_fadvise: { args: [i32, i64, i64, i32], returns: i32 } });
      return (descriptor, offset, length) => {
        symbols.posix_fadvise(descriptor, offset, length, DONT_NEED);
      };
    } catch {
      // Not a library of this system; the next one may be.
    }
  }
  return () => {};
}
