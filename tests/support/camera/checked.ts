import { createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { systemClock } from "../../../server/clock.ts";
import { openCamera } from "../../../server/dashcam/camera.ts";
import type { CheckReport } from "../../../server/domain/camera/check_report.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { type CheckOrder, runCheck } from "../../../server/engine/camera/check/check_run.ts";
import { CHECK_LIMITS, type CheckLimits, type CheckWorld } from "../../../server/engine/camera/check/check_session.ts";

/** Short, so that the silent ones are over soon. */
export const QUICK: CheckLimits = {
  ...CHECK_LIMITS,
  allMs: 3000,
  lookupMs: 500,
  connectMs: 200,
  answerMs: 400,
  listMs: 600,
  speedMs: 600,
  shortMs: 500,
};
/** Time in these checks. */
export const NOW = Date.UTC(2026, 5, 7, 10, 20);

export interface CheckOptions {
  readonly limits?: Partial<CheckLimits>;
  readonly world?: Partial<CheckWorld>;
  readonly order?: Partial<CheckOrder>;
}

/** A check of the camera at an address, and every report on the way. */
export async function checked(
  address: string,
  { limits, world, order }: CheckOptions = {},
): Promise<{ report: CheckReport; frames: CheckReport[] }> {
  const all: CheckWorld = {
    clock: { ...systemClock, now: () => NOW },
    interfaces: networkInterfaces,
    lookup: async () => "127.0.0.1",
    schedule: { cron_expression: "*/15 * * * *", paused: false, on_arrival: false },
    zone: new ZoneTime("UTC"),
    limits: { ...QUICK, ...limits },
    ...world,
  };
  const camera = openCamera({ address, timeoutMs: all.limits.answerMs, silenceMs: all.limits.answerMs });
  const sight = async () => ({ isTransferring: false, recordings: null, model: null });
  const { signal } = new AbortController();
  const frames: CheckReport[] = [];
  const whole = { camera, job: null, sight, signal, inShort: false, ...order };
  return { report: await runCheck(all, whole, (now) => frames.push(now)), frames };
}

/** A server of bare connections: what it does with each request is up to `serve`. */
export async function rawServer(
  serve: (socket: Socket, request: string) => void,
): Promise<{ address: string } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => serve(socket, bytes.toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  return {
    address: `127.0.0.1:${typeof bound === "object" && bound ? bound.port : 0}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
