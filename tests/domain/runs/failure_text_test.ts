import { describe, expect, test } from "bun:test";
import { FAILURE_CAUSES, type FailureCause } from "../../../server/domain/runs/failure_cause.ts";
import type { FailureReason } from "../../../server/domain/runs/failure_reason.ts";
import { type FailureAction, failureWords } from "../../../server/domain/runs/failure_text.ts";
import { nothingLeftOut } from "../../../server/domain/runs/run.ts";
import { notBrought, runFailure } from "../../../server/domain/runs/run_failure.ts";
import { awayAt, runAt } from "../../support/app/history.ts";

const CAMERA = "/settings#connection-address";
const KEEP = "/settings#retention";
const LIMIT = "the disk is 90 % full and the limit is 90 %; free space, lower retention or raise the limit";
const CHECK = `check-camera ${CAMERA}`;
const LOG = "show-log /logs?level=warning";
const FREE = `free-space ${KEEP}`;
const NOT_IT = "another device answers at the address";

const ROWS: readonly [cause: FailureCause, message: string, sentence: string, solves: string | null][] = [
  ["refused", "the camera refused the connection", "the camera refused the connection", CHECK],
  ["unreachable", "the camera cannot be reached", "the camera cannot be reached", CHECK],
  ["dns", "the camera's name could not be resolved", "the camera's name is not known in the network", CHECK],
  ["timeout", "the camera did not answer in time", "the camera did not answer in time", CHECK],
  ["closed", "the camera closed the connection", "the camera closed the connection without an answer", CHECK],
  ["silence", "the camera stopped sending in the middle of a file", "the camera stopped answering", CHECK],
  ["reset", "the connection broke in the middle of a file", "the connection to the camera broke", CHECK],
  ["cut", "the camera sent 3 of 9 bytes", "the camera broke off in the middle of a file", CHECK],
  ["too-slow", "the camera sent less than 1 KiB a second", "the camera sends too slowly", CHECK],
  ["http", "the camera answered with status 500", "the camera answered with an error", CHECK],
  ["redirect", "what answers there sent us elsewhere", NOT_IT, CHECK],
  ["not-a-listing", "what answers there does not look like a camera", NOT_IT, CHECK],
  ["too-long", "the camera's answer is far longer than it can be", NOT_IT, CHECK],
  ["no-address", "no camera address is set", "no camera address is set", "open-settings /settings#connection-address"],
  [
    "other-camera",
    "another camera answers at 192.168.1.67; It is a DR770X-2CH with the Wi-Fi name “Truck-5F”",
    "another camera answers at the address",
    "open-settings /settings#connection-address",
  ],
  ["disk-full", "the disk is full; free space or lower retention", "the disk is full", FREE],
  [
    "disk-limit",
    "the disk is 90 % full and the limit is 90 %; free space",
    "the disk is 90 % full and the limit is 90 %",
    FREE,
  ],
  ["quota", "the disk quota is used up; free space or raise the quota", "the disk quota is used up", FREE],
  ["no-room", "the file needs 2 MB and the disk has 1 MB left; free space", "the file does not fit on the disk", FREE],
  [
    "folder",
    "the recordings folder is gone; is its disk mounted?",
    "the recordings folder is gone",
    "open-settings /settings#system-destination",
  ],
  ["in-the-way", "a.mp4 is there already", "a.mp4 is there already", LOG],
  ["disk-error", "the disk reports an error; check its health", "the disk reports an error", LOG],
  ["machine", "too many files are open at once; stop other programs", "too many files are open at once", LOG],
  [
    "locked",
    "another sync is using this folder: sync on nas, process 4",
    "another sync is using the recordings folder",
    null,
  ],
  ["stopped", "sync stopped by user", "stopped by hand", null],
  ["shutdown", "the service was told to stop", "Dashdock restarted", null],
  ["interrupted", "interrupted", "interrupted", null],
  ["unexpected", "something unexpected went wrong; the log has the cause", "something unexpected went wrong", LOG],
];
const told = (action: FailureAction | null) => action && `${action.kind} ${action.href}`;

describe("what a failure is called, and what solves it", () => {
  test("is told for every cause", () =>
    expect(ROWS.map(([cause]) => cause).sort()).toEqual([...FAILURE_CAUSES].sort()));

  test.each(ROWS)("%s", (cause, message, sentence, solves) => {
    const words = failureWords({ cause, reason: "unknown", message }, { inTrash: 0 });
    expect([words.sentence, told(words.action)]).toEqual([sentence, solves]);
    // One short sentence; what exactly happened is not lost, and nothing is said twice.
    expect(words.sentence.length).toBeLessThan(60);
    expect(words.sentence).not.toMatch(/[.;]( |$)/);
    const [first = ""] = message.split("; ");
    const whole = [words.sentence, words.hint, words.more].join(" ");
    expect(whole.toLowerCase()).toContain(first.toLowerCase());
    const said = whole.split(/(?<=[.?!]) /);
    expect(new Set(said).size).toBe(said.length);
  });

  const OLD: readonly [FailureReason, sentence: string, solves: string][] = [
    ["disk", "the disk is full", FREE],
    ["http", "the camera answered with an error", CHECK],
    ["network", "the connection broke", CHECK],
    ["timeout", "the camera stopped answering", CHECK],
    ["unknown", "the log has the cause", LOG],
  ];
  test.each(OLD)("of an older program, which kept only the reason %s", (reason, sentence, solves) => {
    const words = failureWords({ reason }, { inTrash: 0 });
    expect([words.sentence, told(words.action)]).toEqual([sentence, solves]);
    expect(failureWords({ reason, message: "it broke; mend it" }, { inTrash: 0 })).toMatchObject({
      sentence: "it broke",
      hint: "Mend it.",
      more: "",
    });
  });

  test("space is freed in the trash as long as something is in it", () => {
    const { hint, action } = failureWords({ cause: "disk-full", reason: "disk" }, { inTrash: 3 });
    expect(hint).toBe("Free space or lower retention. Emptying the trash frees space at once.");
    expect(action).toEqual({ kind: "free-space", label: "Empty the trash", href: "/trash" });
  });

  test("else the next scheduled run frees it, which is said beside the way to how long is kept", () => {
    const { hint, action } = failureWords({ cause: "disk-limit", reason: "disk", message: LIMIT }, { inTrash: 0 });
    expect(hint).toStartWith("Free space, lower retention or raise the limit. With a shorter keep time");
    expect(hint).toContain("the next scheduled run deletes; a sync started by hand deletes nothing");
    expect(action).toEqual({ kind: "free-space", label: "Choose what to keep", href: "/settings#retention" });
    expect(failureWords({ cause: "disk-full", reason: "disk" }, { inTrash: null }).hint).toBe(
      "Free space or lower retention.",
    );
  });
});

describe("what went wrong in a run", () => {
  const facts = { inTrash: 0 };
  test("is nothing of one that went well, or only listed", () => {
    expect(runFailure(runAt(1), facts)).toBeNull();
    expect(runFailure(runAt(1, { dryRun: true, failures: { http: 1 } }), facts)).toBeNull();
  });

  test("is its files when only they failed, and the way leads to them", () => {
    expect(runFailure(runAt(1, { failures: { http: 3 } }), facts)).toEqual({
      sentence: "3\u00a0files could not be brought home",
      hint: "The camera answered with an error. Each is tried again.",
      more: "",
      action: { kind: "show-files", label: "Show the files", href: "/stats/runs/1000#failed-files" },
    });
  });

  test("is its cause, and of an older one its reason", () => {
    expect(
      runFailure(awayAt(1, { cause: "refused", message: "the camera refused the connection" }), facts),
    ).toMatchObject({
      sentence: "the camera refused the connection",
      hint: expect.stringMatching(/^A device is there/),
      action: { kind: "check-camera" },
    });
    expect(runFailure(awayAt(1), facts)?.sentence).toBe("the camera stopped answering");
    expect(runFailure(runAt(1, { success: false, stopped: true }), facts)).toMatchObject({ action: null });
  });

  const SENT_NOTHING = { success: false, cause: "http", recordingsSeen: 80, failures: { http: 81 } } as const;
  const FILES = "/stats/runs/1000#failed-files";
  const WAYS: readonly [name: string, changes: Parameters<typeof runAt>[1], kind: string, href: string][] = [
    ["all files failed and the list was good", SENT_NOTHING, "show-files", FILES],
    ["only the list failed", { ...SENT_NOTHING, recordingsSeen: 0, failures: { http: 1 } }, "check-camera", CAMERA],
    [
      "the camera left in the middle",
      { ...SENT_NOTHING, cause: "reset", failures: { network: 3 } },
      "check-camera",
      CAMERA,
    ],
    ["the disk ended it", { ...SENT_NOTHING, cause: "disk-full", failures: { disk: 1, http: 2 } }, "free-space", KEEP],
  ];
  test.each(WAYS)("leads to what solves it: %s", (_, changes, kind, href) =>
    expect(runFailure(runAt(1, changes), facts)?.action).toMatchObject({ kind, href }),
  );

  test("what was left out is told by rule, without those that took none", () => {
    const counts = {
      planned: 6,
      failed: 0,
      videos: 4,
      present: 9,
      blocked: 1,
      absent: 5,
      held: 3,
      empty: 0,
      vanished: 0,
      growing: 2,
    };
    const run = runAt(1, { leftOut: { ...nothingLeftOut(), retention: 12, unknown: 1 }, counts });
    expect(notBrought(run).map(({ count, of, words }) => `${count} ${of}: ${words}`)).toEqual([
      "12 recordings: older than you keep",
      "1 recordings: with a name Dashdock does not know",
      "9 files: at home already",
      "1 files: waiting after an earlier failure",
      "2 files: still being recorded",
      "3 files: left for the next run, as their video may still be being recorded",
      "5 files: small files that the camera does not have",
    ]);
    expect(notBrought(runAt(1))).toEqual([]);
  });
});
