import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { UNEXPECTED } from "../domain/camera/check_endings.ts";
import { type CheckReport, finished, newReport } from "../domain/camera/check_report.ts";
import { addressProblem } from "../domain/settings/address.ts";
import { cameraAt } from "../engine/camera/camera_check.ts";
import { type CheckOrder, runCheck } from "../engine/camera/check/check_run.ts";
import { CHECK_LIMITS, type CheckWorld } from "../engine/camera/check/check_session.ts";
import { eventStream, type StreamSource } from "../http/listen/event_stream.ts";
import { noProblem, refusedAs } from "../http/request/read_request.ts";
import { causeOf } from "../log.ts";
import { eventsOf, responseEndpoint } from "./endpoint.ts";

/** The address of a camera that is to be checked. */
export const ADDRESS = v.pipe(
  v.string("The address must be a string"),
  v.nonEmpty("Type the camera's address first"),
  noProblem(addressProblem),
);

export const checkCameraInSteps = responseEndpoint({
  summary: "Why a camera cannot be reached or is slow, step by step; nothing is saved",
  description:
    "Each frame is the whole report as it stands; the last has a verdict, after 15 s at most. The address is the saved one unless given. While a sync runs the camera is not asked. Where no sign-in is asked for, another address is told of in short.",
  body: v.pipe(
    v.object({
      address: v.exactOptional(ADDRESS),
      is_new: v.exactOptional(
        v.pipe(
          v.boolean("is_new must be true or false"),
          v.description("The address is of a camera that is not added yet: a sync that runs is of another"),
        ),
      ),
    }),
    refusedAs("VALIDATION_ERROR"),
  ),
  answers: eventsOf("check", "CheckReport"),
  errors: ["NO_ADDRESS", "RATE_LIMITED", "TOO_MANY_STREAMS"],
  respond({ context, body }, app: App) {
    const { address: saved } = app.dashcam;
    const { address = saved, is_new: isNew = false } = body;
    if (address === "") throw new AppError("NO_ADDRESS", "No camera address is set yet. Type one.");
    const inShort = context.user?.mode === "none" && address !== saved;
    const leave = app.probe.takeTurn();
    const source = sourceOf(app, address, { inShort, isNew: isNew && address !== saved }, leave);
    try {
      return eventStream(context, app, { event: "check", source });
    } finally {
      if (!source.isSubscribed) leave();
    }
  },
});

/** Amount of detail, and the camera. */
interface Asked {
  readonly inShort: boolean;
  readonly isNew: boolean;
}

/** The check begins with the first frame and ends with the stream. @param leave lets the next check in */
function sourceOf(app: App, address: string, { inShort, isNew }: Asked, leave: () => void) {
  const ending = new AbortController();
  let report = newReport(address, app.clock.now(), !isNew && app.job.isRunning);
  let changed: (() => void) | null = null;
  let hasBegun = false;
  const publish = (now: CheckReport) => {
    report = now;
    app.probe.lastCheck = now;
    changed?.();
  };
  const begin = () => {
    const began = app.clock.elapsed();
    const order = orderOf(app, address, { inShort, signal: ending.signal });
    runCheck(worldOf(app), isNew ? { ...order, job: null } : order, publish)
      .catch((error) => {
        if (ending.signal.aborted) return;
        app.log.error("camera", `The check broke off: ${causeOf(error)}`);
        publish(finished(report, UNEXPECTED, { tookMs: app.clock.elapsed() - began, left: "not-asked" }));
      })
      .finally(leave);
  };
  return {
    get isSubscribed() {
      return changed !== null;
    },
    subscribe(listener) {
      changed = listener;
      return () => {
        ending.abort();
        if (!hasBegun) leave();
      };
    },
    next() {
      const first = report;
      if (!hasBegun) begin();
      const now = hasBegun ? report : first;
      hasBegun = true;
      return now;
    },
    isOver: () => report.verdict !== null,
  } satisfies StreamSource & { readonly isSubscribed: boolean };
}

function worldOf({ clock, settings, zone }: App): CheckWorld {
  return {
    clock,
    zone,
    limits: CHECK_LIMITS,
    schedule: settings.current.schedule,
    interfaces: networkInterfaces,
    lookup: async (name) => (await lookup(name)).address,
  };
}

function orderOf(app: App, address: string, how: Pick<CheckOrder, "inShort" | "signal">): CheckOrder {
  const { job, probe, listed, cameraSettings } = app;
  const camera = cameraAt(address, app, CHECK_LIMITS.answerMs);
  const sight = async () => {
    const isTransferring = probe.isTransferring(address);
    if (!isTransferring) return { isTransferring, recordings: null, model: null };
    const snapshot = await cameraSettings.known();
    const known = snapshot?.model ?? null;
    const model = known !== null && snapshot?.firmware ? `${known}, firmware ${snapshot.firmware}` : known;
    return { isTransferring, recordings: listed.known?.on_camera ?? null, model };
  };
  return { camera, job, sight, ...how };
}
