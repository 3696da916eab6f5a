import { describe, expect, test } from "bun:test";
import { cameraInForce, openCamera } from "../../server/dashcam/camera.ts";
import type { GenerationName } from "../../server/dashcam/generation.ts";
import { asksOf, bytesOf, cameraPair, deviceOf, problemOf, TRACK, VIDEO } from "../support/camera/camera_pair.ts";

const LEGACY_LIST = `v:1.00\r\nn:/Record/${VIDEO},s:1000000\r\n`;
const NEWER_LIST = JSON.stringify({ filelist: [{ filename: VIDEO }] });
const ACCESSIBLE = '{"accessible":"OK","message":"Access possible."}';

describe("which interface a camera speaks", () => {
  const rows: [what: string, accessible: () => Response, list: "legacy" | "v1009"][] = [
    ["404 is legacy", () => new Response("not found", { status: 404 }), "legacy"],
    ["404 without a body is legacy", () => new Response(null, { status: 404 }), "legacy"],
    ["404 is legacy whatever its body says", () => new Response(ACCESSIBLE, { status: 404 }), "legacy"],
    ["the newer one says so", () => new Response(ACCESSIBLE), "v1009"],
    ["the newer one may say more", () => Response.json({ accessible: "OK", model: "Elite 9" }), "v1009"],
    ["a page shows nothing: legacy at first", () => new Response("<!DOCTYPE html>"), "legacy"],
    ["another value shows nothing", () => Response.json({ accessible: "NO" }), "legacy"],
    ["an error shows nothing", () => new Response("", { status: 500 }), "legacy"],
    ["a refusal shows nothing", () => new Response(ACCESSIBLE, { status: 403 }), "legacy"],
    ["a way elsewhere shows nothing", () => Response.redirect("/start"), "legacy"],
    ["a body without an end shows nothing", () => new Response(new Uint8Array(3_000_000)), "legacy"],
  ];
  test.each(rows)("%s", async (_, accessible, spoken) => {
    await using device = deviceOf((path) => {
      if (path === "/accessible") return accessible();
      return new Response(path === "/vodList" ? NEWER_LIST : LEGACY_LIST);
    });
    const { asked, client } = device;
    expect([client.generation, client.offers("3gf")]).toEqual([null, true]);
    expect((await client.list()).files).toEqual([{ name: VIDEO, size: null }]);
    expect(asked).toEqual(["GET /accessible", spoken === "legacy" ? "GET /blackvue_vod.cgi" : "GET /vodList"]);
    expect(client.generation).toBe(spoken);
    expect(["mp4", "thm", "gps", "3gf"].map((kind) => client.offers(kind as "mp4"))).toEqual([
      ...[true, true, true],
      spoken === "legacy",
    ]);
  });

  test("an answer that shows nothing leaves it at what was spoken last", async () => {
    let accessible = () => new Response(ACCESSIBLE);
    await using device = deviceOf((path) => (path === "/accessible" ? accessible() : new Response(NEWER_LIST)));
    const { asked, client } = device;
    await client.list();
    accessible = () => new Response("", { status: 503 });
    asked.length = 0;
    await client.list();
    expect([asked, client.generation]).toEqual([["GET /accessible", "GET /vodList"], "v1009"]);
  });

  test("a server that hangs up on the question is asked for its list and its files all the same", async () => {
    let isCut = true;
    using server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data(socket, bytes) {
          const [method, path = ""] = bytes.toString().split(" ");
          const answer = (status: string, body: string, length = body.length) =>
            socket.write(`HTTP/1.1 ${status}\r\nContent-Length: ${length}\r\n\r\n${method === "HEAD" ? "" : body}`);
          if (path.includes("cgi")) answer("200 OK", LEGACY_LIST);
          else if (path.endsWith(VIDEO)) answer("200 OK", "a video", isCut ? 1000 : 7);
          else if (path.startsWith("/Record/")) answer("404 Not Found", "");
          socket.end();
        },
      },
    });
    const client = openCamera({ address: `127.0.0.1:${server.port}`, timeoutMs: 5000 });
    expect((await client.list()).files).toHaveLength(1);
    expect(client.generation).toBe("legacy");
    expect((await problemOf(bytesOf(client.open(VIDEO, { from: 0 })))).isPassing).toBe(true);
    isCut = false;
    await client.probe();
    expect((await bytesOf(client.open(VIDEO, { from: 0 }))).toString()).toBe("a video");
    expect(await client.open("20260702_141045_NR.mp4", { from: 0 })).toEqual({ kind: "absent", status: 404 });
    expect((await client.list()).files).toHaveLength(1);
  });

  const mute: [name: "never-answers" | "stall" | "closed-without-answer", spoken: GenerationName][] = [
    ["never-answers", "legacy"],
    ["never-answers", "v1009"],
    ["stall", "v1009"],
    ["closed-without-answer", "v1009"],
  ];
  test.each(mute)("a camera that is mute at the question (%s) is used all the same (%s)", async (name, spoken) => {
    await using pair = await cameraPair(spoken, { faults: [{ name, match: /^\/accessible/, after: 0 }] });
    const { camera } = pair;
    // Each mute question costs this time, in which a busy machine answers the others.
    const client = openCamera({ address: camera.address, timeoutMs: 1000, silenceMs: 5000 });
    await client.probe();
    expect((await client.list()).files).toHaveLength(1);
    expect(client.generation).toBe(spoken);
    const bytes = await camera.card.bytes(VIDEO);
    const lift = camera.fault({ name: "reset", match: /mp4$/, after: 10_000 });
    expect((await problemOf(bytesOf(client.open(VIDEO, { from: 0 })))).isPassing).toBe(true);
    lift();
    await client.probe();
    expect(Buffer.compare(await bytesOf(client.open(VIDEO, { from: 0 })), bytes)).toBe(0);
    expect(Buffer.compare(await bytesOf(client.openCompanion(TRACK)), await camera.card.bytes(TRACK.name))).toBe(0);
    camera.card.remove(VIDEO);
    expect(await client.open(VIDEO, { from: 0 })).toEqual({ kind: "absent", status: 404 });
    expect((await client.list()).files).toHaveLength(0);
  });

  test("a camera that answers the question late is not waited for: its list tells what it speaks", async () => {
    await using device = deviceOf(async (path, { signal }) => {
      if (path === "/accessible") await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return path === "/vodList" ? new Response(NEWER_LIST) : new Response("mp4 only", { status: 415 });
    });
    const patient = openCamera({ address: device.client.address, timeoutMs: 600_000 });
    expect((await patient.list()).files).toHaveLength(1);
    expect(patient.generation).toBe("v1009");
  });

  test("a device that is mute where it knows nothing, and has no list, is told by what it did answer", async () => {
    await using pair = await cameraPair("legacy", {
      faults: [
        { name: "never-answers", match: /accessible|vodList/ },
        { name: "error-500", match: /cgi/, value: 404 },
      ],
    });
    // A busy machine answers the list in this time.
    const impatient = openCamera({ address: pair.camera.address, timeoutMs: 1000 });
    expect(await problemOf(impatient.list())).toMatchObject({ kind: "http", status: 404 });
  });

  test("a camera that is away is told as that, by its list", async () => {
    await using pair = await cameraPair("v1009", { faults: ["never-answers"] });
    const { camera, client } = pair;
    const impatient = openCamera({ address: client.address, timeoutMs: 100 });
    expect((await problemOf(impatient.list())).kind).toBe("timeout");
    expect(asksOf(camera)).toEqual(["GET /accessible", "GET /blackvue_vod.cgi"]);
    expect((await problemOf(impatient.probe())).kind).toBe("timeout");
    await camera.goAway();
    expect((await problemOf(client.list())).kind).toBe("refused");
  });

  test.each([404, 415])("a list that answers %d is asked of the other interface", async (status) => {
    await using device = deviceOf((path) => {
      if (path === "/accessible") return new Response("", { status: 500 });
      return path === "/vodList" ? new Response(NEWER_LIST) : new Response("mp4 only", { status });
    });
    const { asked, client } = device;
    expect((await client.list()).files).toHaveLength(1);
    expect(asked).toEqual(["GET /accessible", "GET /blackvue_vod.cgi", "GET /accessible", "GET /vodList"]);
    expect(client.generation).toBe("v1009");
  });

  test("a device that has neither list is told as it was before", async () => {
    for (const status of [404, 415]) {
      await using device = deviceOf(() => new Response("", { status }));
      const { client } = device;
      const problem = await problemOf(client.list());
      expect([problem.kind, problem.status]).toEqual(["http", status]);
    }
  });

  test("firmware that changes between question and list is followed, both ways", async () => {
    for (const [before, after] of [
      ["legacy", "v1009"],
      ["v1009", "legacy"],
    ] as const) {
      await using pair = await cameraPair(before, { keepsConnections: true });
      const { camera, client } = pair;
      const changed = camera.asked(/accessible/).then(() => {
        camera.generation = after;
      });
      expect((await client.list()).files).toEqual([{ name: VIDEO, size: null }]);
      await changed;
      expect(client.generation).toBe(after);
    }
  });

  test("is remembered of an address when other options change, and not of another one", async () => {
    await using pair = await cameraPair("v1009");
    const { camera } = pair;
    const options = { address: camera.address, timeoutMs: 5000 };
    const force = cameraInForce(() => ({ ...options }));
    await force().list();
    options.timeoutMs = 6000;
    expect(force().generation).toBe("v1009");
    options.address = "192.0.2.7";
    expect(force().generation).toBeNull();
  });
});
