import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readFile } from "node:fs/promises";
import { EXECUTABLE } from "./support/app/executable.ts";
import { startCommand, temporaryPlace } from "./support/app/process.ts";

// The program starts with a tracer beside it, which makes it slower.
setDefaultTimeout(60_000);

/** System calls that kernels of many NAS devices do not have, or that their filters refuse. */
const NEWER_CALLS: readonly string[] = [
  ...["openat2", "epoll_pwait2", "statx", "copy_file_range", "preadv2", "pwritev2", "close_range"],
  ...["pidfd_open", "clone3", "faccessat2", "io_uring_setup", "rseq", "futex_waitv", "process_madvise"],
];

const STRACE = Bun.which("strace");
if (STRACE === null) console.warn("No strace found: the executable is not tried as on an old kernel.");

/** Words before a command that answer these calls with "not implemented" and write each of them into a file. */
const without = (calls: readonly string[], log: string) => [
  // The tracer stands beside the program, so that signals reach the program itself.
  ...[STRACE ?? "strace", "-D", "-f", "-qq", "--seccomp-bpf", "-o", log],
  ...["-e", `trace=${calls.join(",")}`, "-e", "signal=none"],
  ...["-e", `inject=${calls.join(",")}:error=ENOSYS`],
];

describe.skipIf(STRACE === null)("on a kernel without 14 newer system calls (needs strace)", () => {
  test("the executable brings recordings home, shows pages, and plays a part of a clip", async () => {
    await using place = await temporaryPlace();
    await mkdir(place.at("tmp"));
    const log = place.at("calls");
    const demo = [EXECUTABLE, "demo", "--port", "0", "--recordings", "4", "--rate", "1000000000"];
    const env = { TMPDIR: place.at("tmp") };
    await using running = startCommand([...without(NEWER_CALLS, log), ...demo], { cwd: place.cwd, env });
    await running.says(/Compared [0-9]+\u00a0files with the camera byte by byte: all are the same\n/);
    const [, url = ""] = /^(http:\/\/127\.0\.0\.1:[0-9]+)$/m.exec(running.out) ?? [];
    const page = await fetch(url);
    expect([page.status, (await page.text()).includes("Dashdock")]).toEqual([200, true]);
    const { days } = (await (await fetch(`${url}/api/viewer/recordings`)).json()) as {
      days: { recordings: { videos: { F?: string } }[] }[];
    };
    const clip = days[0]?.recordings[0]?.videos.F ?? "";
    const whole = new Uint8Array(await (await fetch(`${url}${clip}`)).arrayBuffer());
    const part = await fetch(`${url}${clip}`, { headers: { range: "bytes=1000-250999" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 1000-250999/${whole.length}`]);
    expect(Buffer.compare(await part.bytes(), whole.subarray(1000, 251_000))).toBe(0);
    running.signal("SIGTERM");
    const { code, err } = await running.ended;
    expect([code, err]).toEqual([0, ""]);
    const calls = (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
    // Bun tries these two first, and goes on with older ones.
    for (const name of ["epoll_pwait2", "statx"])
      expect(calls).toContainEqual(expect.stringMatching(new RegExp(`^\\d+ +${name}\\(`)));
    // Each call that was made was answered as an old kernel does.
    expect(calls.filter((line) => !/= -1 ENOSYS .*\(INJECTED\)$|resumed|unfinished/.test(line))).toEqual([]);
  });
});
