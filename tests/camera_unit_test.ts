import { expect, test } from "bun:test";
import { startApp } from "./support/app.ts";

test("all that belongs to the camera is one unit, and handlers are given that unit", async () => {
  await using running = await startApp();
  const { app } = running;
  const [unit, ...others] = app.cameras;
  if (!unit) throw new Error("The app has no camera");
  expect(others).toEqual([]);
  for (const [part, value] of Object.entries(unit)) expect(app).toHaveProperty([part], value);
  const { address } = unit.dashcam;
  await app.settings.patch("connection", { address: "192.0.2.7" });
  expect([address, unit.dashcam.address, app.dashcam.address]).toEqual([
    running.simulator.address,
    "192.0.2.7",
    "192.0.2.7",
  ]);
});
