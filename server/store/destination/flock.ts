import { dlopen, FFIType, read } from "bun:ffi";
import { constants } from "node:os";

/** `"held"` only when the kernel answers so; any other error by its code, such as `EIO`. */
export type FlockOutcome = "locked" | "held" | "unsupported" | { readonly failed: string };

/** Asks for the exclusive lock on an open file, without waiting. Closing the descriptor gives it back. */
export type Flock = (descriptor: number) => FlockOutcome;

const LOCK_EX = 2;
const LOCK_NB = 4;

/**
 * EBADF (a network filesystem that wants the file open for writing), EINVAL, ENOLCK, ENOSYS and EOPNOTSUPP, by their
 * numbers on Linux and macOS.
 */
const UNSUPPORTED: readonly number[] = [9, 22, 37, 38, 45, 77, 78, 95, 102];
/** EAGAIN, which is EWOULDBLOCK, on either system. */
const HELD = process.platform === "darwin" ? 35 : 11;
const EINTR = 4;
/** A signal interrupts a call once or twice, not for ever. */
const TRIES = 10;

/** The C library by its names: glibc, musl on each architecture, macOS. */
export const C_LIBRARIES: readonly string[] =
  process.platform === "darwin"
    ? ["libSystem.B.dylib"]
    : ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

/** flock(2) of the system; `"unsupported"` also where no C library can be opened. Bound once: each binding costs memory. */
export const systemFlock: Flock = bindFlock();

function bindFlock(): Flock {
  for (const path of C_LIBRARIES) {
    try {
      return bindTo(path);
    } catch {
      // Not a library of this system; the next one may be.
    }
  }
  return () => "unsupported";
}

function bindTo(path: string): Flock {
  const flock = { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } as const;
  const errnoPlace = { args: [], returns: FFIType.ptr } as const;
  const { symbols } =
    process.platform === "darwin"
      ? dlopen(path, { flock, __error: errnoPlace })
      : dlopen(path, { flock, __errno_location: errnoPlace });
  return (descriptor) =>
    outcomeOf(() => {
      if (symbols.flock(descriptor, LOCK_EX | LOCK_NB) === 0) return 0;
      const place = "__error" in symbols ? symbols.__error() : symbols.__errno_location();
      return place === null ? EINTR : read.i32(place, 0);
    });
}

/**
 * Makes the call until a signal no longer interrupts it. @param call makes it once and answers 0 or the system's error
 * number
 */
export function outcomeOf(call: () => number): FlockOutcome {
  let errno = EINTR;
  for (let tries = 0; errno === EINTR && tries < TRIES; tries++) errno = call();
  if (errno === 0) return "locked";
  if (errno === HELD) return "held";
  return UNSUPPORTED.includes(errno) ? "unsupported" : { failed: nameOf(errno) };
}

function nameOf(errno: number): string {
  return Object.entries(constants.errno).find(([, number]) => number === errno)?.[0] ?? `error ${errno}`;
}
