import { afterEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { SimulatedCard, simulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator, type SimulatorOptions } from "../../../server/dashcam/simulator/simulator.ts";

const FRONT = "20261121_101500_NF.mp4";
const REAR = "20261121_101500_NRL.mp4";
const PARKED = "20261121_113000_PF.mp4";
/** Larger than one write, and no round number. */
const SIZE = 150_001;

const open: Simulator[] = [];
afterEach(async () => {
  for (const simulator of open.splice(0)) await simulator.close();
});

/** A newer camera with a moment of two directions on its card, and a parked one that has no GPS data. */
async function camera(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const card = new SimulatedCard(syntheticFootage(SIZE));
  card.record(FRONT);
  card.record(REAR, null, true);
  card.record(PARKED);
  card.remove("20261121_113000_P.gps");
  const simulator = await openSimulator({ card, generation: "v1009", ...options });
  open.push(simulator);
  return simulator;
}

const get = (simulator: Simulator, path: string, init: RequestInit = {}) =>
  fetch(`${simulator.url}${path}`, { redirect: "manual", ...init });

const ask = (simulator: Simulator, question: unknown, init: RequestInit = {}) =>
  get(simulator, "/vodMetadata", {
    method: "POST",
    body: typeof question === "string" ? question : JSON.stringify(question),
    ...init,
  });

const thumbnailOf = (file: string) => ({ file, types: ["thumbnail"] });
const gpsOf = (file: string) => ({ file, types: ["gps"] });

/** Sends bytes over a socket of its own and reads until the connection ends. */
function exchange(simulator: Simulator, sent: string): Promise<string> {
  const { hostname, port } = new URL(simulator.url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(sent));
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

describe("the simulated newer camera", () => {
  test("says that it is one, and lists videos by name only", async () => {
    const simulator = await camera({ listCompanions: true, listSizes: true });
    const accessible = await get(simulator, "/accessible");
    expect([accessible.status, accessible.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await accessible.json()).toEqual({ accessible: "OK", message: "Access possible." });
    const list = await get(simulator, "/vodList");
    expect(list.headers.get("content-type")).toBe("application/json");
    expect(await list.text()).toBe(
      `{"filelist":[{"filename":"${FRONT}"},{"filename":"${REAR}"},{"filename":"${PARKED}"}]}`,
    );
  });

  test.each([
    [415, "mp4 only", ["/blackvue_vod.cgi", "/", "/vodMetadata", "/Config/config.ini", "/Config/version.bin"]],
    [415, "mp4 only", ["/20261121_101500_NF.thm", "/20261121_101500_N.gps", "/20261121_101500_N.3gf"]],
    [415, "mp4 only", ["/Record/20261121_101500_NF.thm", "/Record/20261121_101500_N.3gf"]],
    [400, "bad request\n", [`/Record/${FRONT}`, "/Record/20991121_101500_NF.mp4", `/sub/${FRONT}`]],
    [404, "not found\n", ["/20991121_101500_NF.mp4", "/..%2f20261121_101500_NF.mp4"]],
  ])("answers %d %p to %p", async (status, words, paths) => {
    const simulator = await camera();
    for (const path of paths) {
      const answer = await get(simulator, path);
      expect([path, answer.status, await answer.text()]).toEqual([path, status, words]);
      expect([path, (await get(simulator, path, { method: "HEAD" })).status]).toEqual([path, status]);
    }
  });

  test("understands POST for metadata only, and changes nothing", async () => {
    const simulator = await camera();
    for (const [method, path] of [
      ["POST", "/vodList"],
      ["POST", `/${FRONT}`],
      ["DELETE", `/${FRONT}`],
      ["PUT", "/vodMetadata"],
    ] as const) {
      const answer = await get(simulator, path, { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  test("serves every video at the root, whole and in parts", async () => {
    const simulator = await camera();
    for (const name of simulator.card.videos()) {
      const bytes = await simulator.card.bytes(name);
      const answer = await get(simulator, `/${name}`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "video/mp4"]);
      expect(answer.headers.get("content-length")).toBe(String(SIZE));
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
      const part = await get(simulator, `/${name}`, { headers: { range: "bytes=1000-" } });
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 1000-${SIZE - 1}/${SIZE}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000))).toBe(true);
    }
  });

  test("gives a thumbnail per video and the GPS data of its moment, as base64, however the card calls them", async () => {
    const simulator = await camera();
    const { card } = simulator;
    const told = async (question: unknown) => (await ask(simulator, question)).json();
    const base64 = async (name: string) => Buffer.from(await card.bytes(name)).toString("base64");
    const ok = { resultcode: "BC_ERR_OK" };
    expect(await told(thumbnailOf(FRONT))).toEqual({ ...ok, thumbnail: await base64("20261121_101500_NF.thm") });
    expect(await told(thumbnailOf(REAR))).toEqual({ ...ok, thumbnail: await base64("20261121_101500_NRL.thm") });
    const gps = { ...ok, gps: await base64("20261121_101500_N.gps") };
    expect([await told(gpsOf(FRONT)), await told(gpsOf(REAR))]).toEqual([gps, gps]);
    expect(Buffer.from(gps.gps, "base64").toString()).toMatch(/^\[[0-9]+\]\$G[NP]RMC,/);
    expect(simulator.requests.map(({ method, body }) => [method, body])).toContainEqual([
      "POST",
      `{"file":"${REAR}","types":["gps"]}`,
    ]);
  });

  test.each<[unknown, string]>([
    [gpsOf(PARKED), "BC_ERR_NO_FILE"],
    [thumbnailOf("20991121_101500_NF.mp4"), "BC_ERR_NO_FILE"],
    [thumbnailOf("20261121_101500_NF.thm"), "BC_ERR_NO_FILE"],
    [{ file: FRONT, types: ["thumbnail", "gps"] }, "BC_ERR_INVALID_PARAM"],
    [{ file: FRONT, types: [] }, "BC_ERR_INVALID_PARAM"],
    [{ file: FRONT, types: "gps" }, "BC_ERR_INVALID_PARAM"],
    [{ file: FRONT, types: ["3gf"] }, "BC_ERR_INVALID_PARAM"],
    [{ file: 7, types: ["gps"] }, "BC_ERR_INVALID_PARAM"],
    [{ types: ["gps"] }, "BC_ERR_INVALID_PARAM"],
    ["null", "BC_ERR_INVALID_PARAM"],
    ['{"file":', "BC_ERR_INVALID_PARAM"],
    ["", "BC_ERR_INVALID_PARAM"],
  ])("answers the question %j with the code %s and nothing else", async (question, resultcode) => {
    const simulator = await camera();
    const answer = await ask(simulator, question);
    expect([answer.status, await answer.json()]).toEqual([200, { resultcode }]);
  });

  test("gives GPS data under metadata, as text, or both, when told to", async () => {
    for (const [nestsGps, gpsAsText] of [
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      const simulator = await camera({ v1009: { nestsGps, gpsAsText } });
      const bytes = Buffer.from(await simulator.card.bytes("20261121_101500_N.gps"));
      const gps = bytes.toString(gpsAsText ? "latin1" : "base64");
      const answer = await (await ask(simulator, gpsOf(FRONT))).json();
      expect(answer).toEqual({ resultcode: "BC_ERR_OK", ...(nestsGps ? { metadata: { gps } } : { gps }) });
      expect(await (await ask(simulator, thumbnailOf(FRONT))).json()).toHaveProperty("thumbnail");
    }
  });

  test("reads what is posted before it reads the next request of a connection", async () => {
    const simulator = await camera();
    const question = JSON.stringify(gpsOf(PARKED));
    const post = `POST /vodMetadata HTTP/1.1\r\nHost: x\r\nContent-Length: ${question.length}\r\n\r\n${question}`;
    const answers = await exchange(simulator, `${post}${post}GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answers.match(/HTTP\/1\.1 [0-9]+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 415"]);
    expect(simulator.requests.map(({ body, connection }) => [body, connection])).toEqual([
      [question, 1],
      [question, 1],
      [null, 1],
    ]);
    expect(await simulator.asked(/vodMetadata.*"gps"/)).toMatchObject({ method: "POST", path: "/vodMetadata" });
  });

  test("hangs up on more than it can read", async () => {
    const simulator = await camera();
    expect(await exchange(simulator, "POST /vodMetadata HTTP/1.1\r\nContent-Length: 70000\r\n\r\n")).toBe("");
    expect(await exchange(simulator, "POST /vodMetadata HTTP/1.1\r\nContent-Length: many\r\n\r\n")).toBe("");
  });

  test("does not see ranges when told so", async () => {
    const simulator = await camera({ v1009: { ignoresRange: true } });
    const answer = await get(simulator, `/${FRONT}`, { headers: { range: "bytes=1000-" } });
    expect([answer.status, answer.headers.get("accept-ranges"), answer.headers.get("content-range")]).toEqual([
      200,
      null,
      null,
    ]);
    expect((await answer.arrayBuffer()).byteLength).toBe(SIZE);
    const legacy = await camera({ generation: "legacy", v1009: { ignoresRange: true } });
    expect((await get(legacy, `/Record/${FRONT}`, { headers: { range: "bytes=1000-" } })).status).toBe(206);
  });

  test("refuses HEAD, or hangs up on it, when told so", async () => {
    const refusing = await camera({ v1009: { head: "refuses" } });
    for (const path of ["/accessible", "/vodList", `/${FRONT}`]) {
      const answer = await get(refusing, path, { method: "HEAD" });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET"]);
      expect((await get(refusing, path)).status).toBe(200);
    }
    const ending = await camera({ v1009: { head: "hangs-up" } });
    expect(await exchange(ending, `HEAD /${FRONT} HTTP/1.1\r\nHost: x\r\n\r\n`)).toBe("");
    expect((await get(ending, `/${FRONT}`)).status).toBe(200);
  });

  test("gives videos without a length when told so, to the end of the connection or in chunks", async () => {
    for (const [videoFraming, header] of [
      ["close", "connection: close"],
      ["chunked", "transfer-encoding: chunked"],
    ] as const) {
      const simulator = await camera({ v1009: { videoFraming } });
      const raw = await exchange(simulator, `GET /${FRONT} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const head = raw.slice(0, raw.indexOf("\r\n\r\n")).toLowerCase();
      expect(head).toContain(header);
      expect(head).not.toContain("content-length");
      const answer = await get(simulator, `/${FRONT}`);
      expect(Buffer.from(await answer.arrayBuffer()).equals(await simulator.card.bytes(FRONT))).toBe(true);
      expect((await get(simulator, "/vodList")).headers.has("content-length")).toBe(true);
    }
  });

  test("tells its settings when told so", async () => {
    const simulator = await camera({ v1009: { tellsSettings: true }, model: "dr970x" });
    expect(await (await get(simulator, "/Config/config.ini")).text()).toContain("[Wifi]\r\nap_ssid=");
    expect(await (await get(simulator, "/Config/version.bin")).text()).toContain("model = DR970X-2CH");
  });

  test("has the same card as an older one", async () => {
    const now = Date.UTC(2026, 10, 21, 10, 0, 0);
    const card = simulatedCard({ recordings: 6, now, size: 2000 });
    const older = await camera({ card, generation: "legacy" });
    const newer = await camera({ card });
    for (const name of card.videos()) {
      const bodies = [await get(older, `/Record/${name}`), await get(newer, `/${name}`)];
      const [one, other] = await Promise.all(bodies.map(async (answer) => Buffer.from(await answer.arrayBuffer())));
      expect([one?.length, other?.equals(one ?? Buffer.of())]).toEqual([card.files.get(name)?.size ?? -1, true]);
    }
  });
});

describe("a change of the generation", () => {
  test("drops what is open, and the next request is answered by the other one, both ways", async () => {
    const simulator = await camera({ generation: "legacy", rate: 1000 });
    const broken = get(simulator, `/Record/${FRONT}`)
      .then((answer) => answer.arrayBuffer())
      .catch(() => "broken");
    await simulator.asked(/Record/);
    simulator.generation = "v1009";
    expect(await broken).toBe("broken");
    await simulator.quiet();
    simulator.rate = null;
    expect(simulator.generation).toBe("v1009");
    const statuses = async () => {
      const paths = ["/accessible", "/blackvue_vod.cgi", "/vodList", `/Record/${FRONT}`, `/${FRONT}`];
      return Promise.all(paths.map(async (path) => (await get(simulator, path)).status));
    };
    expect(await statuses()).toEqual([200, 415, 200, 400, 200]);
    simulator.generation = "legacy";
    expect(await statuses()).toEqual([404, 200, 404, 200, 404]);
  });

  test("leaves connections and what is under way on them alone when told so", async () => {
    const simulator = await camera({ generation: "legacy", keepsConnections: true, rate: 1000 });
    const whole = get(simulator, `/Record/${FRONT}`).then((answer) => answer.arrayBuffer());
    await simulator.asked(/Record/);
    simulator.generation = "v1009";
    simulator.rate = null;
    expect((await whole).byteLength).toBe(SIZE);
    expect((await get(simulator, "/accessible")).status).toBe(200);
  });

  test("to the same one changes nothing", async () => {
    const simulator = await camera({ rate: 1000 });
    const whole = get(simulator, `/${FRONT}`).then((answer) => answer.arrayBuffer());
    await simulator.asked(/mp4/);
    simulator.generation = "v1009";
    simulator.rate = null;
    expect((await whole).byteLength).toBe(SIZE);
  });

  test("lets faults strike where the other one has its videos and its list", async () => {
    const simulator = await camera({ generation: "legacy", faults: ["forbidden", "list-500"] });
    const statuses = async (paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => (await get(simulator, path)).status));
    expect(await statuses(["/blackvue_vod.cgi", `/Record/${FRONT}`, `/${FRONT}`])).toEqual([500, 403, 404]);
    simulator.generation = "v1009";
    expect(await statuses(["/vodList", `/${FRONT}`, "/blackvue_vod.cgi"])).toEqual([500, 403, 415]);
  });
});
