import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { CARD_IDS } from "../../server/domain/status/card_ids.ts";
import { bothAreHome, carAndVan } from "../support/app/several_cameras.ts";
import { Frames } from "../support/browser/frames.ts";

setDefaultTimeout(30_000);

const STREAM = "/api/sync/progress/stream";
type Data = Readonly<Record<string, unknown>>;

describe("the progress stream", () => {
  test("of one camera tells of its job alone, with keys that say whose they are", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    await using frames = await Frames.open(running.client, `${STREAM}?camera=van`);
    const van = running.app.cameras.of("van") ?? running.app;
    expect((await frames.next())?.data).toMatchObject({
      camera: "van",
      job_id: van.job.snapshot.job_id,
      recordings: { drive: { key: expect.stringMatching(/^van~[0-9]{8}_/) } },
    });
    running.app.job.start("manual");
    await running.app.job.ended();
    const id = van.job.start("manual");
    const seen: Data[] = [];
    await frames.until((data) => {
      seen.push(data);
      return data["job_id"] === id && data["state"] === "completed";
    });
    const ids = new Set(seen.map((data) => data["job_id"]));
    expect(ids.has(running.app.job.snapshot.job_id)).toBe(false);
  });

  test("of an unknown camera is 404", async () => {
    await using running = await carAndVan();
    const answer = await running.client.fetch(`${STREAM}?camera=bus`);
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: "CAMERA_NOT_FOUND" })]);
  });

  test("of all cameras begins with the state of each, tells of both jobs, and takes one place", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    const before = running.app.streams.open;
    await using frames = await Frames.open(running.client, `${STREAM}?camera=all`);
    const first = [await frames.next(), await frames.next()].map((frame) => [frame?.event, frame?.data["camera"]]);
    expect(first).toEqual([
      ["progress", "main"],
      ["progress", "van"],
    ]);
    expect(running.app.streams.open - before).toBe(1);

    running.simulator.rate = 600_000;
    const jobs = running.app.cameras.all.map(({ camera, job }) => [camera.id, job.start("manual")] as const);
    const ended = new Set<unknown>();
    const seen: Data[] = [];
    await frames.until((data) => {
      seen.push(data);
      if (data["state"] !== "running" && jobs.some(([, id]) => id === data["job_id"])) ended.add(data["job_id"]);
      return ended.size === 2;
    });
    for (const [camera, id] of jobs) {
      const own = seen.filter((data) => data["camera"] === camera);
      const numbers = own.map(({ seq }) => Number(seq));
      // No state twice, and never an old one.
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      expect(own.at(-1)).toMatchObject({ job_id: id, state: "completed" });
    }
  });

  test("of all cameras tells of a new name at once", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    await using frames = await Frames.open(running.client, `${STREAM}?camera=all`);
    for (const id of ["main", "van"]) expect((await frames.next())?.data["camera"]).toBe(id);
    expect((await running.client.send("PATCH", "/api/cameras/van", { name: "Bus" })).status).toBe(200);
    await frames.until(
      (data) => data["camera"] === "van" && (data["changed"] as unknown[]).includes("day-of-runs-card"),
    );
  });

  test("of all cameras follows one that is taken away, and one that is added", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    await using frames = await Frames.open(running.client, `${STREAM}?camera=all`);
    for (const id of ["main", "van"]) expect((await frames.next())?.data["camera"]).toBe(id);
    expect((await running.client.send("DELETE", "/api/cameras/van")).status).toBe(204);
    // Everything that is shown of the cameras is to be fetched again.
    const gone = await frames.until((data) => (data["changed"] as unknown[]).length === CARD_IDS.length);
    expect(gone.data["camera"]).toBe("main");

    const address = running.van.address;
    const added = await running.client.send("POST", "/api/cameras", { name: "Bus", address });
    expect(added.status).toBe(201);
    const first = await frames.until((data) => data["camera"] === "bus");
    expect(first.data["changed"]).toEqual([...CARD_IDS]);
    const id = running.app.cameras.of("bus")?.job.start("manual");
    await frames.until((data) => data["job_id"] === id && data["state"] === "completed");
  });
});

test("With one camera the stream of all tells that it is the first camera's, and the plain one tells no camera", async () => {
  await using running = await carAndVan();
  await running.client.send("DELETE", "/api/cameras/van");
  await using plain = await Frames.open(running.client, STREAM);
  await using all = await Frames.open(running.client, `${STREAM}?camera=all`);
  const [one, other] = [await plain.next(), await all.next()];
  expect(one?.data).not.toHaveProperty("camera");
  expect(other?.data).toEqual({ ...one?.data, camera: "main" });
});
