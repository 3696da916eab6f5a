import { describe, expect, test } from "bun:test";
import { openCamera } from "../../server/dashcam/camera.ts";
import type { SimulatorOptions } from "../../server/dashcam/simulator/simulator.ts";
import {
  asksOf,
  bytesOf,
  cameraPair,
  deviceOf,
  problemOf,
  SENSOR,
  SIZE,
  THUMBNAIL,
  TRACK,
  VIDEO,
} from "../support/camera/camera_pair.ts";

const NEWER_LIST = JSON.stringify({ filelist: [{ filename: VIDEO }] });
const ACCESSIBLE = '{"accessible":"OK","message":"Access possible."}';

describe("a camera with the newer interface", () => {
  test("sends videos from the root, whole and from an offset on", async () => {
    await using pair = await cameraPair("v1009");
    const { camera, client } = pair;
    await client.list();
    const bytes = await camera.card.bytes(VIDEO);
    expect(Buffer.compare(await bytesOf(client.open(VIDEO, { from: 0 })), bytes)).toBe(0);
    expect(Buffer.compare(await bytesOf(client.open(VIDEO, { from: 40_000 })), bytes.subarray(40_000))).toBe(0);
    expect(camera.requests.slice(2).map(({ path, range }) => [path, range])).toEqual([
      [`/${VIDEO}`, null],
      [`/${VIDEO}`, "bytes=40000-"],
    ]);
  });

  test("may ignore a range, and send a video without its length", async () => {
    for (const videoFraming of ["close", "chunked"] as const) {
      await using pair = await cameraPair("v1009", { v1009: { ignoresRange: true, videoFraming } });
      const { camera, client } = pair;
      await client.list();
      const body = await client.open(VIDEO, { from: 40_000 });
      expect(body).toMatchObject({ kind: "body", start: 0, total: null });
      expect(Buffer.compare(await bytesOf(Promise.resolve(body)), await camera.card.bytes(VIDEO))).toBe(0);
    }
  });

  test.each(["answers", "refuses", "hangs-up"] as const)("is never asked by HEAD (one that %s)", async (head) => {
    await using pair = await cameraPair("v1009", { v1009: { head } });
    const { camera, client } = pair;
    await client.probe();
    expect(client.generation).toBe("v1009");
    await client.list();
    await client.probe();
    expect(new Set(camera.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });

  const forms: Partial<SimulatorOptions["v1009"] & object>[] = [
    {},
    { nestsGps: true },
    { gpsAsText: true },
    { nestsGps: true, gpsAsText: true },
  ];
  test.each(forms)("gives companions by a question for each, whatever the form of GPS: %j", async (v1009) => {
    await using pair = await cameraPair("v1009", { v1009 });
    const { camera, client } = pair;
    await client.list();
    camera.requests.length = 0;
    for (const companion of [THUMBNAIL, TRACK]) {
      const body = await client.openCompanion(companion);
      const bytes = await camera.card.bytes(companion.name);
      expect(body).toMatchObject({ kind: "body", start: 0, total: bytes.length });
      expect(client.isBusy).toBe(true);
      if (body.kind === "body") expect(Buffer.compare(await body.bytes(), bytes)).toBe(0);
      expect(client.isBusy).toBe(false);
    }
    expect(camera.requests.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
      `POST /vodMetadata {"file":"${VIDEO}","types":["thumbnail"]}`,
      `POST /vodMetadata {"file":"${VIDEO}","types":["gps"]}`,
    ]);
  });

  test("has no g-sensor file, and is not asked for one", async () => {
    await using pair = await cameraPair("v1009");
    const { camera, client } = pair;
    await client.list();
    camera.requests.length = 0;
    expect(await client.openCompanion(SENSOR)).toEqual({ kind: "absent", status: 404 });
    expect([camera.requests.length, client.isBusy]).toEqual([0, false]);
  });

  test("that answers with another result code has no such companion, and is not asked twice", async () => {
    await using pair = await cameraPair("v1009", { faults: ["metadata-code"] });
    const { camera, client } = pair;
    await client.list();
    camera.requests.length = 0;
    for (const one of [THUMBNAIL, TRACK])
      expect(await client.openCompanion(one)).toEqual({ kind: "absent", status: 404 });
    expect(asksOf(camera)).toEqual(["POST /vodMetadata", "POST /vodMetadata"]);
  });

  test("may close a connection that was used before without a word", async () => {
    const answer = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const used = new WeakSet<object>();
    using server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data(socket, bytes) {
          if (used.has(socket)) return void socket.end();
          used.add(socket);
          const [, path = ""] = bytes.toString().split(" ");
          const answers: Record<string, string> = { "/accessible": ACCESSIBLE, "/vodList": NEWER_LIST };
          socket.write(answer(answers[path] ?? '{"resultcode":"BC_ERR_OK","gps":"[1]$GPRMC,1,V"}'));
        },
      },
    });
    const client = openCamera({ address: `127.0.0.1:${server.port}`, timeoutMs: 5000 });
    await client.list();
    for (const _ of [1, 2, 3]) expect((await bytesOf(client.openCompanion(TRACK))).toString()).toBe("[1]$GPRMC,1,V");
  });

  test("may say so with a status of its own", async () => {
    const refusal = () => Response.json({ resultcode: "BC_ERR_NO_FILE" }, { status: 404 });
    await using device = deviceOf((path) => {
      if (path === "/accessible") return new Response(ACCESSIBLE);
      return path === "/vodList" ? new Response(NEWER_LIST) : refusal();
    });
    const { asked, client } = device;
    await client.list();
    asked.length = 0;
    expect(await client.openCompanion(TRACK)).toEqual({ kind: "absent", status: 404 });
    expect(asked).toEqual(["POST /vodMetadata"]);
  });

  test.each([
    "metadata-no-json",
    "metadata-shape",
    "metadata-cut",
    "metadata-no-base64",
    "metadata-other-bytes",
  ] as const)("that answers metadata with nonsense (%s) fails with words of our own, and goes on", async (fault) => {
    await using pair = await cameraPair("v1009", { faults: [fault] });
    const { camera, client } = pair;
    await client.list();
    for (const one of [THUMBNAIL, TRACK]) {
      const problem = await problemOf(client.openCompanion(one));
      expect([problem.kind, problem.isPassing]).toEqual(["http", false]);
      expect(problem.message).toStartWith("the camera was asked for the ");
    }
    expect(asksOf(camera).filter((asked) => asked === "GET /accessible")).toHaveLength(1);
    expect((await bytesOf(client.open(VIDEO, { from: 0 }))).length).toBe(SIZE);
  });

  test("that answers metadata without an end is hung up on after 8 MiB", async () => {
    let sent = 0;
    const onTraffic = ({ bytes }: { bytes: number }) => {
      sent = bytes;
    };
    await using pair = await cameraPair("v1009", { faults: ["metadata-too-long"], onTraffic });
    const { camera, client } = pair;
    await client.list();
    const problem = await problemOf(client.openCompanion(TRACK));
    expect([problem.kind, problem.isPassing]).toEqual(["too-long", false]);
    await camera.quiet();
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test.each([
    ["list-html", "a web page"],
    ["list-json", "JSON without a list"],
    ["list-blank", "empty"],
    ["list-garbage", "no JSON"],
    ["list-cut", "cut off or damaged"],
  ] as const)("with a malformed list (%s) is an error in plain words, never an empty card", async (fault, words) => {
    await using pair = await cameraPair("v1009", { faults: [fault] });
    const { client } = pair;
    const problem = await problemOf(client.list());
    expect([problem.kind, problem.isPassing]).toEqual(["not-a-listing", false]);
    expect(problem.message).toContain(words);
    expect(problem.message).toContain("Turn the camera off and on");
    expect(client.generation).toBe("v1009");
  });
});

describe("settings", () => {
  test("are refused by the newer interface, which is asked for when nothing was known", async () => {
    await using pair = await cameraPair("v1009");
    const { camera, client } = pair;
    const problem = await problemOf(client.configFile("config.ini", 1000));
    expect([problem.kind, problem.status, client.generation]).toEqual(["http", 415, "v1009"]);
    expect(asksOf(camera)).toEqual(["GET /Config/config.ini", "GET /accessible"]);
  });

  test("are read where a newer camera tells them all the same", async () => {
    await using pair = await cameraPair("v1009", { v1009: { tellsSettings: true } });
    const { client } = pair;
    await client.list();
    expect((await client.configFile("version.bin", 1000)).length).toBeGreaterThan(10);
  });
});
