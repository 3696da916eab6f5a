import { expect, test } from "bun:test";
import { startApp } from "./support/app/app.ts";

test("the camera is the one at the address that is set at the moment", async () => {
  await using running = await startApp();
  const { app } = running;
  const { address } = app.dashcam;
  await app.settings.patch("connection", { address: "192.0.2.7" });
  expect([address, app.dashcam.address]).toEqual([running.simulator.address, "192.0.2.7"]);
});

test("the listener has the whole app from the moment its stores are open", async () => {
  await using running = await startApp();
  expect(running.starting.opened === running.app).toBe(true);
});
