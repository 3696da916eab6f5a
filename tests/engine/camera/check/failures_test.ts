import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { simulatedCard, syntheticFootage } from "../../../../server/dashcam/simulator/simulated_card.ts";
import { configFiles } from "../../../../server/dashcam/simulator/simulated_config.ts";
import { openSimulator, type Simulator } from "../../../../server/dashcam/simulator/simulator.ts";
import type { Fault, FaultName } from "../../../../server/dashcam/simulator/simulator_faults.ts";
import { type CheckOptions, checked, NOW, rawServer } from "../../../support/camera/checked.ts";

setDefaultTimeout(30_000);

async function simulator(...faults: (Fault | FaultName)[]): Promise<Simulator> {
  const card = simulatedCard({ recordings: 6, now: NOW, footage: syntheticFootage(400_000) });
  const camera = await openSimulator({ card, faults });
  camera.settings = configFiles({ "Wifi.WifiSleepMode": "0" });
  return camera;
}

type Stage = { readonly address: string } & AsyncDisposable;

/** A device that answers HTTP requests in its own way. */
function device(answer: (path: string, request: Request) => Response | Promise<Response>): Stage {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => answer(new URL(request.url).pathname, request),
  });
  return { address: `127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) };
}

const status =
  (code: number, body = "") =>
  async () =>
    device(() => new Response(body, { status: code }));
/** A camera as far as the list. */
const listing = (list: () => Response) => async () =>
  device((path) => (path.endsWith(".cgi") ? list() : new Response("", { status: 404 })));
const away = async (): Promise<Stage> => {
  const camera = await simulator();
  await camera.close();
  return camera;
};
const NEWER = '{"accessible":"OK","message":"Access possible."}';

const rows: [
  name: string,
  stage: () => Promise<Stage>,
  level: "failed" | "attention",
  reason: string,
  step: string,
  cause: RegExp,
  remedy: RegExp,
  options?: CheckOptions & { readonly address?: string },
][] = [
  [
    "a wrong name",
    away,
    ...(["failed", "unknown-name", "address", /network does not know this name/, /spelling/] as const),
    { address: "dashcam.invalid", world: { lookup: () => Promise.reject(new Error("ENOTFOUND")) } },
  ],
  [
    "a name server that never answers",
    away,
    ...(["failed", "unknown-name", "address", /network does not know this name/, /spelling/] as const),
    { address: "dashcam.lan", world: { lookup: () => new Promise(() => {}) } },
  ],
  [
    "a refused connection",
    away,
    "failed",
    "refused",
    "connect",
    /accepts no requests at this port/,
    /Leave out the port/,
  ],
  [
    "a connection that is never answered",
    () => simulator("never-answers"),
    ...([
      "failed",
      "hangs",
      "interface",
      /takes connections but does not answer/,
      /turn the camera off and on/,
    ] as const),
  ],
  [
    "a camera that hangs up",
    () => simulator("sleeps"),
    ...(["failed", "hung-up", "interface", /closed the connection/, /half a minute/] as const),
  ],
  [
    "what is not HTTP",
    () => rawServer((socket) => socket.end("SSH-2.0-OpenSSH\r\n")),
    ...(["failed", "hung-up", "interface", /closed the connection/, /half a minute/] as const),
  ],
  [
    "the page of a router",
    status(200, "<!doctype html><title>Router</title>"),
    ...(["failed", "web-page", "list", /web page answers there, as of a router/, /router’s list of devices/] as const),
  ],
  ["a sign-in", status(401), "failed", "asks-for-password", "list", /user name and a password/, /list of devices/],
  [
    "a forbidden list",
    status(403),
    "failed",
    "asks-for-password",
    "list",
    /user name and a password/,
    /list of devices/,
  ],
  [
    "a list that is refused with 415",
    listing(() => new Response("mp4 only", { status: 415 })),
    ...(["failed", "refuses-list", "list", /status 415.*firmware has just changed/, /off and on/] as const),
  ],
  [
    "a camera of the newer interface",
    async () =>
      device((path) => (path === "/accessible" ? new Response(NEWER) : new Response("mp4 only", { status: 415 }))),
    ...([
      "failed",
      "newer-interface",
      "list",
      /newer interface of firmware V1\.009/,
      /newer version of Dashdock/,
    ] as const),
  ],
  [
    "a camera of the newer interface with other JSON for a list",
    async () => device((path) => new Response(path === "/accessible" ? NEWER : '{"resultcode":"BC_ERR_BUSY"}')),
    ...(["failed", "newer-interface", "list", /cannot read its list/, /off and on/] as const),
  ],
  [
    "a camera of the newer interface that is still reading its card",
    async () => device((path) => new Response(path === "/accessible" ? NEWER : "")),
    ...(["failed", "empty-answer", "list", /an empty answer/, /minute/] as const),
  ],
  [
    "the newer interface's list in place of the old one's",
    listing(() => Response.json({ filelist: [{ filename: "20260702_141045_PF.mp4" }] })),
    ...(["failed", "newer-interface", "list", /newer interface/, /newer version of Dashdock/] as const),
  ],
  [
    "other JSON",
    listing(() => Response.json({ temperature: 21 })),
    ...(["failed", "other-device", "list", /no list of recordings/, /list of devices/] as const),
  ],
  ["a device without such a list", status(404), "failed", "other-device", "list", /status 404/, /list of devices/],
  [
    "an error",
    () => simulator("list-500"),
    "failed",
    "camera-error",
    "list",
    /status 500.*cannot read its card/,
    /off and on/,
  ],
  [
    "nothing in place of a list",
    () => simulator("list-blank"),
    "failed",
    "empty-answer",
    "list",
    /an empty answer/,
    /minute/,
  ],
  [
    "a list that comes in drops",
    () => simulator({ name: "list-drip", value: 20 }),
    ...(["failed", "drips", "list", /too slowly. The Wi-Fi is too weak/, /camera’s app on all phones/] as const),
  ],
  [
    "a list that stops in its middle",
    () => simulator("list-stall"),
    ...(["failed", "fell-silent", "list", /began to answer and then stopped/, /2\.4 GHz/] as const),
  ],
  [
    "a device that sends elsewhere",
    async () => device(() => Response.redirect("/start")),
    ...(["failed", "redirect", "list", /redirects requests/, /list of devices/] as const),
  ],
  [
    "a list without an end",
    listing(() => new Response(new Uint8Array(3_000_000).fill(65))),
    ...(["failed", "too-long", "list", /far more than any camera’s list/, /list of devices/] as const),
  ],
  [
    "a camera that leaves in the middle",
    () => simulator({ name: "goes-away", value: 0, after: 100_000 }),
    ...(["failed", "went-away", "speed", /went away in the middle of the check/, /parked in range/] as const),
  ],
  [
    "a recording that stops in its middle",
    () => simulator("stall"),
    ...(["failed", "went-away", "speed", /went away in the middle/, /in range/] as const),
  ],
  [
    "an empty list",
    () => simulator("list-empty"),
    "attention",
    "empty-list",
    "list",
    /lists no recordings/,
    /another card/,
  ],
  [
    "a slow link",
    () => simulator({ name: "drip", value: 60_000, after: 0 }),
    ...(["attention", "slow", "speed", /records faster while driving/, /nearer to the router/] as const),
  ],
  [
    "a camera that cannot go on",
    () => simulator("ignores-range"),
    ...(["attention", "not-resumable", "resume", /cannot continue a file/, /nearer to the router/] as const),
  ],
  [
    "a camera that answers another piece",
    () => simulator({ name: "wrong-range", value: 7 }),
    ...(["attention", "not-resumable", "resume", /cannot continue a file/, /nearer to the router/] as const),
  ],
  [
    "a camera that hangs up on a piece",
    () => simulator("range-hang-up"),
    ...(["attention", "not-resumable", "resume", /cannot continue a file/, /nearer to the router/] as const),
  ],
  [
    "a damaged card",
    () => simulator("error-500"),
    ...(["attention", "card-damaged", "speed", /status 500.*may be damaged/, /format the card/] as const),
  ],
  [
    "a recording without content",
    () => simulator("empty-204"),
    ...(["attention", "recording-unreadable", "speed", /could not be read/, /again in a minute/] as const),
  ],
];

test.each(rows)("%s is told apart", async (_, stage, level, reason, step, cause, remedy, options = {}) => {
  await using staged = await stage();
  const { report } = await checked(options.address ?? staged.address, options);
  const { verdict, steps } = report;
  expect(verdict).toMatchObject({ level, reason });
  expect(verdict?.cause).toMatch(cause);
  expect(verdict?.remedy).toMatch(remedy);
  const worst = steps.find(({ state }) => state === level);
  expect([worst?.name as string, worst?.finding === ""]).toEqual([step, false]);
  const behind = steps.slice(steps.findIndex(({ name }) => name === step) + 1);
  if (level === "failed") for (const one of behind) expect([one.name, one.state]).toEqual([one.name, "not-asked"]);
  expect(steps.some(({ state }) => state === "waiting" || state === "asking")).toBe(false);
});

const PROGRAM = join(import.meta.dir, "../../../support/app/network_program.ts");
const NETWORK = "ip link set lo up && ip addr add 192.168.1.7/24 dev lo && ip route add 192.168.30.0/24 dev lo";
const canMake = () => Bun.spawnSync(["unshare", "-rn", "sh", "-c", NETWORK]).success;

test.if(Bun.which("unshare") !== null && Bun.which("ip") !== null && canMake())(
  "silence, silence from another network and a missing way are told apart, in a network made for it",
  () => {
    const run = `${NETWORK} && exec ${process.execPath} ${PROGRAM}`;
    const { stdout, stderr } = Bun.spawnSync(["unshare", "-rn", "sh", "-c", run], { cwd: import.meta.dir });
    const text = stdout.toString();
    if (!text.startsWith("{")) throw new Error(`${text}${stderr}`);
    const { elsewhere, silent, unreachable } = JSON.parse(text);
    expect(elsewhere.verdict).toEqual({
      level: "failed",
      reason: "other-subnet",
      cause:
        "The camera does not answer. This machine is in 192.168.1.0/24, the address in 192.168.30.0/24. These cameras ignore requests from another network.",
      remedy: "Give Dashdock an address in the camera’s network, for example with a Docker network of this kind.",
      command: "docker network create -d macvlan --subnet 192.168.30.0/24 -o parent=lo cars",
      setting: null,
    });
    expect(elsewhere.steps[1]).toMatchObject({
      state: "attention",
      finding: "Another network than 192.168.1.0/24 by lo",
    });
    expect(elsewhere.steps[2]).toMatchObject({ state: "failed", finding: expect.stringMatching(/asked twice/) });
    expect(silent.verdict).toMatchObject({ reason: "silent", cause: expect.stringMatching(/off, asleep or out of/) });
    expect(silent.steps[1]).toMatchObject({ state: "fine", finding: "Same network, 192.168.30.0/24 by wlan0" });
    expect(unreachable.verdict).toMatchObject({
      reason: "no-route",
      cause: expect.stringMatching(/cannot reach that address/),
    });
  },
);
