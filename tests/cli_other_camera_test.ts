import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { configFiles, named } from "../server/dashcam/simulator/simulated_config.ts";
import type { Simulator } from "../server/dashcam/simulator/simulator.ts";
import { dashdock, treeOf } from "./support/app/process.ts";
import { bothAreHome, carAndVan } from "./support/app/several_cameras.ts";

setDefaultTimeout(60_000);

const NEW = "20260607_120000_NF.mp4";
const filesAsked = ({ requests }: Simulator) =>
  requests.map(({ path }) => path).filter((path) => /\.(mp4|thm|gps|3gf)$/.test(path));

test("sync --camera asks who answers: from another camera nothing is fetched until it is accepted", async () => {
  await using running = await carAndVan();
  await bothAreHome(running);
  const config = join(running.folder, "config");
  const van = { simulator: running.van, folder: join(running.folder, "van") };
  const car = { simulator: running.simulator, folder: running.destination };
  const sync = (id: string, folder: string, ...args: string[]) =>
    dashdock(["sync", "--camera", id, "--config", config, "-d", folder, ...args], { cwd: running.folder });
  for (const { simulator } of [car, van]) simulator.card.record(NEW);
  const own = van.simulator.settings;
  van.simulator.settings = configFiles(named("Truck-5F"), "dr970x");
  const ownFiles = () =>
    ["snapshot.json", "config.ini"].map((name) => readFileSync(join(config, "cameras/van/camera", name)));
  const before = { files: ownFiles(), home: await treeOf(van.folder) };
  for (const { simulator } of [car, van]) simulator.requests.length = 0;

  const [other, right] = [await sync("van", van.folder, "--keep", "1d"), await sync("main", car.folder)];
  expect(other.code).toBe(2);
  const told = `${other.out}${other.err}`;
  expect(told).toContain(`another camera answers at ${van.simulator.address}; It is a DR970X-2CH`);
  expect(told).toContain("When it is the new camera, accept it on the settings page of the service");
  expect(filesAsked(van.simulator)).toEqual([]);
  expect(ownFiles()).toEqual(before.files);
  expect((await treeOf(van.folder))?.filter((path) => path.endsWith(".mp4"))).toEqual(
    before.home?.filter((path) => path.endsWith(".mp4")),
  );
  // The camera of the other car is the known one.
  expect([right.code, filesAsked(car.simulator)]).toEqual([0, expect.arrayContaining([`/Record/${NEW}`])]);

  // One that does not tell who it is is believed, unless another one waits to be accepted.
  van.simulator.fault({ name: "everything-status", match: /\/Config\//, value: 503 });
  const unit = running.app.cameras.of("van");
  expect((await sync("van", van.folder, "--dry-run")).code).toBe(0);
  van.simulator.clearFaults();
  unit?.job.start("manual");
  await unit?.job.ended();
  van.simulator.fault({ name: "everything-status", match: /\/Config\//, value: 503 });
  expect((await sync("van", van.folder)).code).toBe(2);
  van.simulator.clearFaults();

  // Accepted, it is the known one.
  expect((await running.client.send("POST", "/api/cameras/van/accept")).status).toBe(200);
  expect((await sync("van", van.folder)).code).toBe(0);
  expect(filesAsked(van.simulator)).toContain(`/Record/${NEW}`);
  van.simulator.settings = own;
  expect((await sync("van", van.folder)).code).toBe(2);
});

test("sync without --camera knows no camera, and believes the one that answers", async () => {
  await using running = await carAndVan();
  await bothAreHome(running);
  running.van.settings = configFiles(named("Truck-5F"), "dr970x");
  running.van.requests.length = 0;
  const folder = join(running.folder, "elsewhere");
  const { code } = await dashdock(["sync", running.van.address, "-d", folder], { cwd: running.folder });
  expect(code).toBe(0);
  expect(running.van.requests.filter(({ path }) => path.startsWith("/Config/"))).toEqual([]);
});
