import { expect, test } from "bun:test";
import { type DemoCamera, openDemoCameras, withDemoCameras } from "../../server/commands/demo_cameras.ts";
import { readCameras } from "../../server/domain/settings/more_cameras.ts";
import { initialSettings } from "../../server/domain/settings/settings.ts";

const NOW = Date.UTC(2026, 10, 26, 12);
const OPTIONS = { recordings: 6, now: NOW, offsetMinutes: 60, generation: "legacy", rate: 1_000_000_000 } as const;

test("Ten cameras of a demo have names, ids and letters of their own, three models, and no recording twice", async () => {
  await using closing = new AsyncDisposableStack();
  const cameras = await openDemoCameras({ ...OPTIONS, count: 10 }, closing);
  const vans = Array.from({ length: 8 }, (_, at) => at + 2);
  expect(cameras.map(({ name }) => name)).toEqual(["Car", "Van", ...vans.map((number) => `Van ${number}`)]);
  expect(new Set(cameras.map(({ model }) => model)).size).toBe(3);
  const videos = cameras.flatMap(({ card }) => card.videos());
  expect(new Set(videos).size).toBe(60);

  const settings = initialSettings();
  const main = { ...settings, system: { ...settings.system, destination: "/demo/recordings" } };
  const read = readCameras(withDemoCameras({}, cameras, "/demo"), main, []);
  expect(read.warnings).toEqual([]);
  expect(read.cameras.map(({ id }) => id)).toEqual(["main", "van", ...vans.map((number) => `van-${number}`)]);
  expect(new Set(read.cameras.map(({ letter }) => letter)).size).toBe(10);
  expect(read.cameras[3]?.settings.system.destination).toBe("/demo/van-3");
});

test("A demo's van drives off when half of its recordings were fetched, and its car stays", async () => {
  await using closing = new AsyncDisposableStack();
  const cameras = await openDemoCameras({ ...OPTIONS, count: 2 }, closing);
  const fetched = async ({ card, simulator }: DemoCamera) => {
    let count = 0;
    for (const name of card.videos()) {
      const isWhole = await fetch(`${simulator.url}/Record/${name}`)
        .then((answer) => answer.arrayBuffer())
        .then(() => true)
        .catch(() => false);
      if (isWhole) count++;
    }
    return count;
  };
  expect(await Promise.all(cameras.map(fetched))).toEqual([6, 3]);
});

test("Cameras of other names in the settings file stay there, and a van's own settings with them", async () => {
  await using closing = new AsyncDisposableStack();
  const cameras = await openDemoCameras({ ...OPTIONS, count: 2 }, closing);
  const van = {
    id: "van",
    name: "Blue van",
    destination: "/elsewhere",
    connection: { address: "10.0.0.9", timeout: 3 },
  };
  const other = { id: "bike", name: "Bike", destination: "/bike" };
  const parts = withDemoCameras({ main_camera: { name: "Mine" }, more_cameras: [other, van] }, cameras, "/demo");
  const address = cameras[1]?.simulator.address;
  expect(parts).toEqual({
    main_camera: { name: "Mine" },
    more_cameras: [{ ...van, connection: { address, timeout: 3 } }, other],
  });
});
