import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";

const PAGE = "/settings/places";

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
  mkdirSync(app.destination, { recursive: true });
  await app.client.open(PAGE);
});
afterAll(() => app[Symbol.asyncDispose]());

const list = () => app.app.settings.current.places.list;
const send = (fields: Record<string, string>) => app.client.submit(PAGE, fields);
/** The value of a field of the page, as the browser would send it back. */
const fieldIn = (text: string, name: string) =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "").replaceAll("&quot;", '"');

test("a place is added, changed and removed without a script, each time with a sentence that says so", async () => {
  const added = await send({ action: "add", name: " Home ", place: "52,5163; 13,3777", radius: "200" });
  expect([added.status, added.headers.get("location")]).toEqual([303, `${PAGE}?done=added`]);
  expect(list()).toEqual([{ name: "Home", lat: 52.5163, lon: 13.3777, radius: 200 }]);

  const { text } = await app.client.open(`${PAGE}?done=added`);
  expect(text).toContain("The place is added.");
  const shown = fieldIn(text, "shown");
  expect(fieldIn(text, "place")).toBe("52.51630, 13.37770");
  await send({ action: "save", shown, name: "Our house", place: "52.5163, 13.3777", radius: "300" });
  expect(list()).toEqual([{ name: "Our house", lat: 52.5163, lon: 13.3777, radius: 300 }]);

  // The page of before: the place is another one now.
  const late = await send({ action: "remove", shown, name: "", place: "", radius: "" });
  expect([late.status, await late.text()]).toEqual([409, expect.stringContaining("have changed meanwhile")]);
  expect(list()).toHaveLength(1);
  const again = await app.client.open(PAGE);
  const gone = await send({ action: "remove", shown: fieldIn(again.text, "shown"), name: "", place: "", radius: "" });
  expect([gone.status, list()]).toEqual([303, []]);
});

test("a form that is refused comes back as it was typed, with a sentence at each field", async () => {
  const refused = await send({ action: "add", name: " ", place: "here", radius: "6000" });
  const text = await refused.text();
  expect(refused.status).toBe(422);
  for (const sentence of [
    "Type a name of 1 to 80 characters.",
    "Type latitude and longitude, such as 52.5163, 13.3777.",
    "Type a number from 20 to 5000.",
  ])
    expect(text).toContain(sentence);
  expect(text).toContain('value="here"');
  expect(text).toContain('value="6000"');
  expect(list()).toEqual([]);
});

test("without the page's own token nothing is changed", async () => {
  const answer = await app.client.submit(PAGE, {
    csrf_token: "x",
    action: "add",
    name: "A",
    place: "1, 1",
    radius: "50",
  });
  expect([answer.status, list()]).toEqual([403, []]);
});

test("where trips ended lately stands below, with the town, until it has a name", async () => {
  const put = (key: string) => {
    writeFileSync(join(app.destination, `${key}F.mp4`), "");
    writeFileSync(
      join(app.destination, `${key}.gps`),
      [0, 1]
        .map(
          (at) =>
            `[${1_780_000_000_000 + at * 1000}]$GNRMC,080000.00,A,5230.97800,N,01322.66200,E,3.0,,201126,,,A*00\r\n`,
        )
        .join(""),
    );
  };
  for (const key of ["20261119_080000_N", "20261120_080000_N"]) put(key);
  await app.app.library.refresh();
  let text = "";
  while (!text.includes("Name this place")) ({ text } = await app.client.open(PAGE));
  expect(text).toContain("In or near Berlin");
  while (!text.includes("2\u00a0trips ended here")) ({ text } = await app.client.open(PAGE));
  const [, href = ""] = /href="([^"]*)#new"/.exec(text) ?? [];
  const offered = await app.client.open(href);
  expect(offered.text).toContain('value="52.51630, 13.37770"');
  await send({ action: "add", name: "Gate", place: "52.51630, 13.37770", radius: "150" });
  expect((await app.client.open(PAGE)).text).not.toContain("Name this place");
});
