import { expect, test } from "bun:test";
import { simulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { configFiles } from "../../../server/dashcam/simulator/simulated_config.ts";
import { MODEL_NAMES, type ModelName } from "../../../server/dashcam/simulator/simulated_models.ts";
import { openSimulator } from "../../../server/dashcam/simulator/simulator.ts";
import { parseVersion } from "../../../server/domain/camera/camera_version.ts";
import { configChanges } from "../../../server/domain/camera/config_changes.ts";
import { parseConfig } from "../../../server/domain/camera/config_file.ts";
import { cameraTabs } from "../../../server/domain/camera/config_tabs.ts";
import { decryptPassword } from "../../../server/engine/camera/wifi_password_decryption.ts";

const SHOWN: readonly [ModelName, string, string | null, number[], string[], number][] = [
  ["dr900x-plus", "DR900X Plus", "1.015", [19, 9, 34, 4, 8], [], 11],
  ["dr970x", "DR970X-2CH", "1.009", [23, 9, 35, 5, 18], ["Tab3.TimelapseLED"], 0],
  ["dr590x", "DR590X-2CH 1.007", null, [17, 9, 21, 5, 0], [], 0],
];

test.each(SHOWN)("a simulated %s tells its own settings", async (model, name, firmware, fields, other, notFitted) => {
  const card = simulatedCard({ recordings: 2, now: Date.UTC(2026, 5, 7), footage: syntheticFootage(1000) });
  await using simulator = await openSimulator({ card, model });
  const file = async (path: string) => (await fetch(`${simulator.url}/Config/${path}`)).bytes();
  expect(parseVersion(await file("version.bin"))).toEqual({ model: name, firmware });
  const entries = parseConfig(await file("config.ini"));
  const tabs = cameraTabs(entries);
  expect(tabs.map((tab) => tab.fields.length)).toEqual(fields);
  expect(tabs.flatMap((tab) => tab.other.map(({ key }) => key))).toEqual(other);
  expect(tabs.flatMap((tab) => tab.not_fitted)).toHaveLength(notFitted);
  for (const { key, value } of entries) {
    if (!key.endsWith("_pw")) continue;
    expect(value).toMatch(/^[0-9A-F]{64}$/);
    expect(decryptPassword(value)).toMatch(/^demo/i);
  }
  simulator.settings = configFiles({ "Tab3.VOLUME": "1" }, model);
  const changes = configChanges(entries, parseConfig(await file("config.ini")));
  expect(changes.map(({ key, to }) => [key, to])).toEqual([["Tab3.VOLUME", "1"]]);
});

test("each model can be chosen", () => {
  expect(SHOWN.map(([model]) => model)).toEqual([...MODEL_NAMES]);
});
