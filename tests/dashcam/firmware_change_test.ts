import { describe, expect, test } from "bun:test";
import type { GenerationName } from "../../server/dashcam/generation.ts";
import {
  asksOf,
  bytesOf,
  cameraPair,
  problemOf,
  SENSOR,
  THUMBNAIL,
  TRACK,
  VIDEO,
} from "../support/camera/camera_pair.ts";

describe("firmware that changes while files are asked for", () => {
  const ways: [from: GenerationName, to: GenerationName, keepsConnections: boolean][] = [
    ["legacy", "v1009", true],
    ["legacy", "v1009", false],
    ["v1009", "legacy", true],
    ["v1009", "legacy", false],
  ];
  test.each(ways)(
    "from %s to %s (connections outlast it: %p): the file is asked for there",
    async (from, to, keeps) => {
      for (const ask of ["video", "part", "companion"] as const) {
        await using pair = await cameraPair(from, { keepsConnections: keeps });
        const { camera, client } = pair;
        await client.list();
        camera.generation = to;
        const [name, offset] = ask === "companion" ? [TRACK.name, 0] : [VIDEO, ask === "part" ? 40_000 : 0];
        const opening = () =>
          ask === "companion" ? client.openCompanion(TRACK) : client.open(VIDEO, { from: offset });
        const bytes = await bytesOf(opening());
        expect(Buffer.compare(bytes, (await camera.card.bytes(name)).subarray(offset))).toBe(0);
        expect(client.generation).toBe(to);
      }
    },
  );

  test.each(ways)("from %s to %s: a video is absent only when the new interface says so", async (from, to) => {
    await using pair = await cameraPair(from, { keepsConnections: true });
    const { camera, client } = pair;
    await client.list();
    camera.card.remove(VIDEO);
    camera.generation = to;
    camera.requests.length = 0;
    expect(await client.open(VIDEO, { from: 0 })).toEqual({ kind: "absent", status: 404 });
    const places = { legacy: `GET /Record/${VIDEO}`, v1009: `GET /${VIDEO}` };
    const list = to === "legacy" ? ["HEAD /blackvue_vod.cgi"] : [];
    expect(asksOf(camera)).toEqual([places[from], "GET /accessible", places[to], ...list]);
    // Once it is known that there is such a list, what is not there is not.
    expect(await client.open(VIDEO, { from: 0 })).toEqual({ kind: "absent", status: 404 });
    expect(asksOf(camera).slice(3 + list.length)).toEqual([places[to], "GET /accessible"]);
  });

  test("a newer camera that answers 404 to everything has not lost a file", async () => {
    await using pair = await cameraPair("v1009");
    const { camera, client } = pair;
    await client.list();
    const lift = camera.fault({ name: "error-500", match: /./, value: 404 });
    for (const _ of [1, 2]) {
      expect((await problemOf(client.open(VIDEO, { from: 0 }))).isPassing).toBe(true);
      expect((await problemOf(client.openCompanion(TRACK))).isPassing).toBe(true);
      await client.probe();
    }
    lift();
    expect(Buffer.compare(await bytesOf(client.open(VIDEO, { from: 0 })), await camera.card.bytes(VIDEO))).toBe(0);
    expect(client.generation).toBe("v1009");
  });

  test.each([2, 3, 4])("and none that does so for %d requests is believed", async (times) => {
    await using pair = await cameraPair("v1009");
    const { camera, client } = pair;
    await client.list();
    camera.fault({ name: "error-500", match: /./, value: 404, times });
    expect((await problemOf(client.open(VIDEO, { from: 0 }))).isPassing).toBe(true);
    expect(Buffer.compare(await bytesOf(client.open(VIDEO, { from: 0 })), await camera.card.bytes(VIDEO))).toBe(0);
  });

  test("a connection that broke is a reason to ask first, once", async () => {
    await using pair = await cameraPair("v1009");
    const { camera, client } = pair;
    await client.list();
    const lift = camera.fault({ name: "reset", after: 10_000 });
    expect((await problemOf(bytesOf(client.open(VIDEO, { from: 0 })))).isConnection).toBe(true);
    lift();
    camera.generation = "legacy";
    camera.requests.length = 0;
    await bytesOf(client.openCompanion(SENSOR));
    await bytesOf(client.open(VIDEO, { from: 0 }));
    expect(asksOf(camera)).toEqual(["GET /accessible", `GET /Record/${SENSOR.name}`, `GET /Record/${VIDEO}`]);
  });

  test("companions that a legacy camera does not have cost no further question", async () => {
    await using pair = await cameraPair("legacy");
    const { camera, client } = pair;
    await client.list();
    camera.fault({ name: "not-found", match: /\.(thm|gps|3gf)$/ });
    camera.requests.length = 0;
    for (const one of [THUMBNAIL, TRACK, SENSOR])
      expect(await client.openCompanion(one)).toMatchObject({ kind: "absent" });
    expect(camera.requests).toHaveLength(3);
  });

  test("a probe of what was legacy finds out, too", async () => {
    await using pair = await cameraPair("legacy", { keepsConnections: true });
    const { camera, client } = pair;
    await client.list();
    camera.generation = "v1009";
    await client.probe();
    await client.probe();
    expect(client.generation).toBe("v1009");
    expect(asksOf(camera).slice(2)).toEqual(["HEAD /blackvue_vod.cgi", "GET /accessible"]);
  });

  test("the question, the answer and the second try are one turn in the queue", async () => {
    await using pair = await cameraPair("legacy", { keepsConnections: true });
    const { camera, client } = pair;
    await client.list();
    camera.generation = "v1009";
    camera.requests.length = 0;
    await Promise.all([bytesOf(client.open(VIDEO, { from: 0 })), bytesOf(client.openCompanion(TRACK))]);
    expect(asksOf(camera)).toEqual([
      ...[`GET /Record/${VIDEO}`, "GET /accessible", `GET /${VIDEO}`],
      "POST /vodMetadata",
    ]);
  });
});
