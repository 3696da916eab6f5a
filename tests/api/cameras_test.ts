import { describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runPath } from "../../server/domain/runs/run_id.ts";
import { needsSignIn } from "../../server/http/request/route.ts";
import { ROUTES } from "../../server/routes.ts";
import { startApp } from "../support/app/app.ts";
import { type Answer, bothAreHome, carAndVan, json } from "../support/app/several_cameras.ts";
import { mayMount, SmallDisk } from "../support/disk/disks.ts";

setDefaultTimeout(30_000);

describe("two cameras", () => {
  test("bring their recordings into a folder each, though all names are the same", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    const car = readdirSync(running.destination).filter((name) => name.endsWith(".mp4"));
    const van = readdirSync(join(running.folder, "van")).filter((name) => name.endsWith(".mp4"));
    expect([car.length, van.length]).toEqual([4, 6]);
    expect(van).toEqual(expect.arrayContaining(car));
  });

  test("are told one by one and together, with keys that say whose a recording is", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    const own = await json(running, "/api/viewer/days");
    const vans = await json(running, "/api/viewer/days?camera=van");
    const all = await json(running, "/api/viewer/days?camera=all");
    expect(own).toEqual({ days: [{ date: "2026-06-07", count: 2 }] });
    expect(vans).toEqual({ days: [{ date: "2026-06-07", camera: "van", count: 3 }] });
    expect(all).toEqual({
      days: [
        { date: "2026-06-07", camera: "main", count: 2 },
        { date: "2026-06-07", camera: "van", count: 3 },
      ],
    });
    const trips = (await json(running, "/api/viewer/trips?camera=all")) as { days: { trips: { clips: string[] }[] }[] };
    const keys = trips.days.flatMap((day) => day.trips.flatMap((trip) => trip.clips));
    expect(keys.filter((key) => key.startsWith("van~")).length).toBe(3);
    expect(keys.filter((key) => !key.includes("~")).length).toBe(2);
    const [key = ""] = keys.filter((one) => one.startsWith("van~") && keys.includes(one.slice("van~".length)));
    const trip = (await json(running, `/api/viewer/trips/${key}`)) as { segments: Answer[] };
    const [segment] = trip.segments;
    expect(segment?.["camera"]).toBe("van");
    const [video = ""] = Object.values(segment?.["videos"] as Record<string, string>);
    expect(video).toStartWith("/media/~van/");
    expect((await running.client.fetch(video)).status).toBe(200);
    // The same key without the prefix is the car's.
    const bare = (await json(running, `/api/viewer/trips/${key.replace("van~", "")}?camera=van`)) as typeof trip;
    expect(bare.segments.length).toBe(2);
    expect(bare.segments[0]?.["camera"]).toBeUndefined();
  });

  test("are listed with a letter, a state and what waits", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    const { cameras } = (await json(running, "/api/cameras")) as { cameras: Answer[] };
    expect(cameras.map(({ id, name, letter, state, waiting }) => [id, name, letter, state, waiting])).toEqual([
      ["main", "Camera", "C", "safe", 0],
      ["van", "Van", "V", "safe", 0],
    ]);
    const overview = await json(running, "/api/overview?camera=all");
    expect(overview["sentence"]).toBe("Both cameras are safe.");
    expect((overview["cameras"] as Answer[]).map(({ camera }) => camera)).toEqual(["main", "van"]);
  });

  test("tell in an action which camera it is about", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    for (const simulator of [running.van, running.simulator]) simulator.fault("list-500");
    for (const { job } of running.app.cameras.all) {
      job.start("manual");
      await job.ended();
    }
    const hrefOf = (overview: Answer | undefined) => (overview?.["action"] as Answer | undefined)?.["href"];
    const own = "/settings#connection-address";
    const vans = "/settings?camera=van#connection-address";
    expect(hrefOf(await json(running, "/api/overview?camera=van"))).toBe(vans);
    expect(hrefOf(await json(running, "/api/overview"))).toBe(own);
    const { cameras } = (await json(running, "/api/overview?camera=all")) as { cameras: Answer[] };
    expect(cameras.map(hrefOf)).toEqual([own, vans]);
    expect(await (await running.client.fetch("/?camera=van")).text()).toContain(`href="${vans}"`);
  });

  test("answer for all together, or say that there is no such answer", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    const taken: string[] = [];
    const wrong: unknown[] = [];
    for (const { method, path, access } of ROUTES) {
      // A key says whose it is; files of a `*` do, too.
      if (method !== "GET" || !needsSignIn(access) || /\*|:key|:z|\/help/.test(path)) continue;
      const asked = path.replace(":id", "1").replace(":chapter", "viewer").replace(":date", "2026-06-07");
      const answer = await running.client.fetch(`${asked}?camera=all&bbox=-180,-90,180,90`);
      await answer.body?.cancel();
      if (answer.status === 404) continue;
      taken.push(path);
      // Figures of one camera alone would be taken for those of all.
      if (!answer.ok && answer.status !== 400) wrong.push([path, answer.status]);
    }
    expect(wrong).toEqual([]);
    expect(taken).toEqual([
      "/",
      "/settings",
      "/settings/backup",
      "/settings/places",
      "/logs",
      "/stats",
      "/stats/card",
      "/stats/coverage",
      "/stats/coverage.csv",
      "/viewer",
      "/map",
      "/links",
      "/api/overview",
      "/api/visits",
      "/api/plan",
      "/api/sync/progress/stream",
      "/api/library/verify",
      "/api/coverage",
      "/api/coverage/:date",
      "/api/retention",
      "/api/retention/preview",
      "/api/card",
      "/api/health/storage",
      "/api/recordings/recent",
      "/api/viewer/days",
      "/api/viewer/recordings",
      "/api/viewer/trips",
      "/api/viewer/calendar",
      "/api/viewer/moments",
      "/api/map/drives",
      "/api/map/passes",
      "/api/search",
      "/hx/plan-card",
      "/hx/storage-card",
      "/hx/recent-activity-card",
      "/hx/day-of-runs-card",
      "/hx/state",
    ]);
    for (const path of ["/api/settings?camera=all", "/api/sync/last?camera=all", "/api/status?camera=all"])
      expect(await (await running.client.fetch(path)).json()).toMatchObject({ code: "CAMERA_NOT_FOUND" });
    // No camera can have that id.
    const added = await running.client.send("POST", "/api/cameras", { name: "All", address: "192.0.2.7" });
    expect(await added.json()).toMatchObject({ id: "all-2", name: "All" });
    await running.app.cameras.file.changeCameras((parts) => ({
      ...parts,
      more_cameras: [{ id: "all", connection: { address: "192.0.2.8" } }],
    }));
    expect(running.app.cameras.file.cameras.cameras.map(({ id }) => id)).toEqual(["main"]);
  });

  test("have one card of the runs of all, a line for each", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    const text = await (await running.client.fetch("/hx/day-of-runs-card?camera=all")).text();
    expect(text).toContain('data-poll="/hx/day-of-runs-card?camera=all"');
    expect(text.match(/<svg class="runs"/g)).toHaveLength(2);
    expect(await (await running.client.fetch("/")).text()).toContain('data-poll="/hx/day-of-runs-card?camera=all"');
  });

  test("delete a recording of each with one request, and each goes to its own trash", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    const { recordings } = ((await json(running, "/api/viewer/recordings")) as { days: { recordings: Answer[] }[] })
      .days[0] ?? { recordings: [] };
    const key = `${recordings[0]?.["base_filename"]}_${recordings[0]?.["type"]}`;
    const answer = await running.client.send("DELETE", "/api/recordings", { keys: [key, `van~${key}`] });
    expect([answer.status, ((await answer.json()) as Answer)["deleted"]]).toEqual([200, [key, `van~${key}`]]);
    const trash = (await json(running, "/api/trash?camera=van")) as { days: { recordings: Answer[] }[] };
    expect(trash.days.flatMap((day) => day.recordings.map((one) => one["key"]))).toEqual([`van~${key}`]);
    const restored = await running.client.send("POST", "/api/trash/restore", { keys: [`van~${key}`, key] });
    expect(await restored.json()).toMatchObject({ restored: 2 });
  });

  test("have runs of their own, whose forms lead back to them", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    const [van] = running.app.cameras.all.slice(1);
    const path = runPath(van?.history.latest() ?? { ts: 0 });
    const answer = await running.client.submit(`${path}?camera=van`, { all: "1" });
    const back = answer.headers.get("location") ?? "";
    expect([answer.status, back]).toEqual([303, `${path}?retried=0&camera=van`]);
    expect((await running.client.fetch(back)).status).toBe(200);
  });

  test("have marks of their own, which are set again as they were", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    const { days } = (await json(running, "/api/viewer/recordings?camera=van")) as unknown as {
      days: { recordings: { base_filename: string; type: string }[] }[];
    };
    const [clip] = days[0]?.recordings ?? [];
    const key = `van~${clip?.base_filename}_${clip?.type}`;
    expect((await running.client.send("PUT", `/api/recordings/${key}/keep`, { note: "dent" })).status).toBe(200);
    expect(await json(running, "/api/retention?camera=all")).toMatchObject({
      cameras: [
        { camera: "main", kept: { recordings: 0 } },
        { camera: "van", kept: { recordings: 2 } },
      ],
    });
    expect(await json(running, "/api/retention/preview?camera=all")).toMatchObject({
      cameras: [
        { camera: "main", valid: true, recordings: 0 },
        { camera: "van", valid: true, recordings: 0 },
      ],
    });
    const removed = await (await running.client.send("DELETE", "/api/retention/marks?camera=van")).json();
    expect(removed).toMatchObject({ marks: [{ key, kept: { note: "dent" } }] });
    const set = await running.client.send("PUT", "/api/retention/marks", removed as Answer);
    expect([set.status, await set.json()]).toEqual([200, { restored: 1 }]);
  });

  test("refuse what they cannot share, with the name of the other", async () => {
    await using running = await carAndVan();
    const add = async (body: Answer) => {
      const answer = await running.client.send("POST", "/api/cameras", body);
      return [answer.status, ((await answer.json()) as { error: string }).error];
    };
    expect(await add({ name: "Truck", address: running.van.address })).toEqual([422, expect.stringContaining("Van")]);
    const address = "192.0.2.7";
    expect(await add({ name: "Truck", address, destination: join(running.folder, "van") })).toEqual([
      422,
      expect.stringContaining("Van"),
    ]);
    expect(await add({ name: "Truck", address, destination: running.folder })).toEqual([422, expect.any(String)]);
    expect(await add({ name: " ", address })).toEqual([422, expect.stringContaining("name")]);
    expect(await add({ name: "Truck", address: "" })).toEqual([422, expect.stringContaining("address")]);
    expect((await running.client.fetch("/api/viewer/days?camera=truck")).status).toBe(404);
    expect(await (await running.client.fetch("/api/status?camera=truck")).json()).toMatchObject({
      code: "CAMERA_NOT_FOUND",
      details: { camera: "truck" },
    });
  });

  test("leave nothing open of one that cannot be opened", async () => {
    await using running = await carAndVan();
    const { file } = running.app.cameras;
    const follow = file.onCamerasChange.bind(file);
    let following = 0;
    using _ = spyOn(file, "onCamerasChange").mockImplementation((listener) => {
      const leave = follow(listener);
      following++;
      return () => {
        following--;
        leave();
      };
    });
    // A folder in the place of its database.
    mkdirSync(join(running.folder, "config", "cameras", "truck", "stats.db"), { recursive: true });
    mkdirSync(join(running.folder, "truck"));
    const destination = join(running.folder, "truck");
    const truck = { id: "truck", name: "Truck", destination, connection: { address: "192.0.2.7" } };
    await file.changeCameras((parts) => ({ ...parts, more_cameras: [...(parts.more_cameras as unknown[]), truck] }));
    await running.app.cameras.follow();
    expect([running.app.cameras.of("truck"), following]).toEqual([null, 0]);
  });

  test("forget one of them and have it back with its folder", async () => {
    await using running = await carAndVan();
    await bothAreHome(running);
    const gone = await running.client.send("DELETE", "/api/cameras/van");
    expect(gone.status).toBe(204);
    expect((await running.client.fetch("/api/viewer/days?camera=van")).status).toBe(404);
    expect(readdirSync(join(running.folder, "van")).filter((name) => name.endsWith(".mp4")).length).toBe(6);
    expect((await running.client.send("DELETE", "/api/cameras/main")).status).toBe(409);
    const destination = join(running.folder, "van");
    const body = { name: "New van", address: running.van.address, destination };
    const back = await running.client.send("POST", "/api/cameras", body);
    expect([back.status, await back.json()]).toEqual([201, expect.objectContaining({ id: "van", name: "New van" })]);
    expect(await json(running, "/api/viewer/days?camera=van")).toMatchObject({ days: [{ count: 3 }] });
    expect(existsSync(join(running.folder, "config", "cameras", "van", "stats.db"))).toBe(true);
  });
});

test("a change that one of two cameras refuses says what is done of the other", async () => {
  await using running = await carAndVan();
  await bothAreHome(running);
  const { recordings } = ((await json(running, "/api/viewer/recordings")) as { days: { recordings: Answer[] }[] })
    .days[0] ?? { recordings: [] };
  const key = `${recordings[0]?.["base_filename"]}_${recordings[0]?.["type"]}`;
  const keys = [key, "van~20000101_000000_N"];
  const answer = await running.client.send("POST", "/api/sync/prioritize", { keys });
  expect([answer.status, await answer.json()]).toEqual([
    404,
    {
      code: "RECORDING_NOT_FOUND",
      error: "There is no such recording on the camera. What was asked of Camera is done.",
      details: { recording: "van~20000101_000000_N", done: ["main"] },
    },
  ]);
});

test("a folder below the first camera's is the new camera's from the moment it is added", async () => {
  await using running = await startApp({ settings: { retention: { keep: "" } } });
  await running.client.open("/");
  const below = join(running.destination, "van");
  mkdirSync(below, { recursive: true });
  writeFileSync(join(below, "20200607_101500_NF.mp4"), "");
  await running.app.library.refresh();
  expect(await json(running, "/api/viewer/days")).toMatchObject({ days: [{ date: "2020-06-07", count: 1 }] });
  const body = { name: "Van", address: "192.0.2.7", destination: below };
  expect((await running.client.send("POST", "/api/cameras", body)).status).toBe(201);
  await running.app.library.refresh();
  expect(await json(running, "/api/viewer/days")).toEqual({ days: [] });
  expect(await json(running, "/api/viewer/days?camera=van")).toMatchObject({
    days: [{ date: "2020-06-07", count: 1 }],
  });
});

test("a change of an address to that of another camera is refused with its name", async () => {
  await using running = await carAndVan();
  const change = async (path: string, address: string) => {
    const answer = await running.client.send("PATCH", path, { address });
    return [answer.status, await answer.json()];
  };
  const refused = (name: string) => [
    422,
    expect.objectContaining({
      code: "SETTINGS_INVALID",
      details: { field_errors: [{ path: "connection.address", message: `its address is that of ${name}` }] },
    }),
  ];
  expect(await change("/api/settings/connection", running.van.address)).toEqual(refused("Van"));
  const own = running.app.settings.current.connection.address;
  expect(await change("/api/cameras/van/settings/connection", own)).toEqual(refused("Camera"));
  expect(await change("/api/settings/connection?camera=van", own)).toEqual(refused("Camera"));
  expect((await change("/api/cameras/van/settings/connection", "192.0.2.9"))[0]).toBe(200);
  expect((await change("/api/cameras/nobody/settings/connection", "192.0.2.9"))[0]).toBe(404);
});

test.skipIf(!mayMount())(
  "a new camera's folder lies below the first one's where that is a disk of its own",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
    const destination = join(folder, "recordings");
    mkdirSync(destination);
    using _disk = new SmallDisk(destination, "20m");
    await using running = await startApp({ folder, destination, settings: { retention: { keep: "" } } });
    await running.client.open("/");
    const added = await running.client.send("POST", "/api/cameras", { name: "Van", address: "192.0.2.7" });
    expect([added.status, ((await added.json()) as Answer)["destination"]]).toEqual([201, join(destination, "van")]);
  },
);

test("a folder of recordings may begin with the character of a camera's files", async () => {
  await using running = await startApp({ settings: { retention: { keep: "" } } });
  await running.client.open("/");
  for (const folder of ["~old", "~main", "~"]) {
    mkdirSync(join(running.destination, folder), { recursive: true });
    writeFileSync(join(running.destination, folder, "20200607_101500_NF.mp4"), folder);
  }
  const read = async (path: string) => (await running.client.fetch(path)).text();
  expect(await read("/media/~old/20200607_101500_NF.mp4")).toBe("~old");
  expect(await read("/media/~/20200607_101500_NF.mp4")).toBe("~");
  // Here the camera is meant, and its folder needs the prefix.
  expect(await read("/media/~main/~main/20200607_101500_NF.mp4")).toBe("~main");
});

test("a folder in which the first camera groups recordings by date is no other camera's", async () => {
  await using running = await startApp({ settings: { retention: { keep: "" } } });
  await running.client.open("/");
  const dated = join(running.destination, "2026");
  mkdirSync(dated, { recursive: true });
  const link = join(running.folder, "link");
  symlinkSync(dated, link);
  for (const destination of [dated, link]) {
    const body = { name: "Van", address: "192.0.2.7", destination };
    const answer = await running.client.send("POST", "/api/cameras", body);
    expect([answer.status, ((await answer.json()) as Answer)["error"]]).toEqual([
      422,
      expect.stringContaining("Camera groups recordings by date"),
    ]);
  }
});

test("a camera of the settings file is not opened where nobody's recordings may go", async () => {
  await using running = await carAndVan();
  const { file } = running.app.cameras;
  for (const destination of [
    join(running.folder, "config", "truck"),
    join(running.destination, ".dashdock", "trash"),
    "/etc",
  ]) {
    await file.changeCameras(({ more_cameras: entries }) => ({
      more_cameras: [(entries as unknown[])[0], { id: "truck", destination }],
    }));
    await running.app.cameras.follow();
    expect(running.app.cameras.of("truck")).toBeNull();
  }
});

test("a key of all cameras, or of none, refuses the whole request", async () => {
  await using running = await carAndVan();
  await bothAreHome(running);
  const { recordings } = ((await json(running, "/api/viewer/recordings")) as { days: { recordings: Answer[] }[] })
    .days[0] ?? { recordings: [] };
  const key = `${recordings[0]?.["base_filename"]}_${recordings[0]?.["type"]}`;
  for (const keys of [[`all~${key}`], [key, `all~${key}`], [key, `truck~${key}`]]) {
    const answer = await running.client.send("DELETE", "/api/recordings", { keys });
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: "CAMERA_NOT_FOUND" })]);
  }
  expect(await json(running, "/api/viewer/days")).toMatchObject({ days: [{ count: 2 }] });
});
