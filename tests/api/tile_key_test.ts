import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startApp } from "../support/app/app.ts";
import { PretendTiles, picture } from "../support/browser/pretend_tiles.ts";

const PATCH = "/api/settings/viewer";
const PASSWORD = "correct horse battery staple";

test("user, password and key of the tile address are shown to nobody, and stay when what is shown comes back", async () => {
  await using tiles = new PretendTiles();
  const heard: (string | null)[] = [];
  tiles.behave = ({ url, headers }) => {
    heard.push(headers.get("authorization"), new URL(url).search);
    return picture();
  };
  const whole = `http://anna:s3cret-word@${tiles.host}/{z}/{x}/{y}.png?key=s3cret-key`;
  const shown = `http://***@${tiles.host}/{z}/{x}/{y}.png?key=***`;
  await using running = await startApp({ mode: "login", password: PASSWORD });
  const { client, app } = running;
  await client.signIn("admin", PASSWORD);
  const answers = [await client.send("PATCH", PATCH, { tile_url: whole, map_tiles: true })];
  const { viewer } = await (await client.fetch("/api/settings")).json();
  expect(viewer.tile_url).toBe(shown);

  for (const body of [viewer, { tile_url: shown }, { tile_url: "***" }, { tile_url: shown, speed_unit: "mph" }])
    expect((await client.send("PATCH", PATCH, body)).status).toBe(200);
  expect(app.settings.current.viewer).toMatchObject({ tile_url: whole, speed_unit: "mph" });
  const stored = JSON.parse(await readFile(join(running.folder, "config", "settings.json"), "utf8"));
  expect(stored.viewer.tile_url).toBe(whole);

  // Neither goes to another server unasked.
  for (const tile_url of [shown.replace("127.0.0.1", "evil.example"), `http://${tiles.host}/{z}/{x}/{y}?key=***`]) {
    const answer = await client.send("PATCH", PATCH, { tile_url });
    expect([tile_url, answer.status]).toEqual([tile_url, 422]);
    const [error] = (await answer.json()).details.field_errors;
    expect(error).toEqual({ path: "viewer.tile_url", message: expect.stringMatching(/type it anew$/) });
  }
  answers.push(await client.send("PATCH", PATCH, { tile_url: whole.replace("{z}", "") }));
  expect(answers.at(-1)?.status).toBe(422);

  expect((await client.fetch("/tiles/9/1/1")).status).toBe(200);
  expect(heard).toEqual([`Basic ${btoa("anna:s3cret-word")}`, "?key=s3cret-key"]);
  tiles.behave = () => new Response(null, { status: 500 });
  answers.push(await client.fetch("/tiles/9/1/2"));
  for (const path of ["/settings", "/viewer", "/api/settings", "/api/openapi.json", "/stats/runs.csv"])
    answers.push(await client.fetch(path));
  app.log.error("viewer", `What another part may say: GET ${whole} failed`);
  answers.push(await client.fetch("/api/logs/recent"));
  await app.logFile.flush();
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  texts.push(await readFile(join(running.folder, "config", "logs", "dashdock.log"), "utf8"));
  for (const text of texts) expect(text).not.toContain("s3cret");
  expect(texts.at(-1)).toContain(`GET ${shown} failed`);
});

test("a tile address in the file that cannot be used is told of without its key", async () => {
  await using running = await startApp();
  await running.stop();
  const path = join(running.folder, "config", "settings.json");
  const stored = JSON.parse(await readFile(path, "utf8"));
  stored.viewer.tile_url = "http://anna:s3cret-word@tiles/{z}?key=s3cret-key";
  await Bun.write(path, JSON.stringify(stored));
  await using again = await startApp({ folder: running.folder });
  const lines = again.app.log.lines.map(({ message }) => message).join("\n");
  expect(lines).toContain("viewer.tile_url");
  expect(lines).not.toContain("s3cret");
});
