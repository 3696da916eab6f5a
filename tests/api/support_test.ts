import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { hostname } from "node:os";
import { PRIVATE_KINDS } from "../../server/domain/backup/placeholders.ts";
import { readTarget } from "../../server/domain/settings/notify_address.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { unzipped } from "../support/app/backup.ts";
import { put, run } from "../support/app/held.ts";
import { KEY, OLD } from "../support/app/retention.ts";

setDefaultTimeout(60_000);

interface Listed {
  files: { name: string; bytes: number; replaced: number; kinds: Record<string, number> }[];
}

/** Put into settings, of which some have a form of their own. */
const SECRETS = {
  scrape: "scrape-T0ken-of-16-letters",
  topicUser: "ntfyuser",
  topicPassword: "ntfy pass/wörd",
  topic: "my-private-topic",
  telegram: "123456:AbCdEf-GhIjKl",
  chat: "987654321",
  gotify: "GotifyTok3n",
  discordId: "112233445566",
  discord: "d1scordWebhookTok3n",
  mailUser: "mailuser",
  mailPassword: "m4il&word",
  webhookKey: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  tileKey: "tilekey99",
  gatewayUser: "pushuser",
  gatewayPassword: "pushword",
  pingId: "0123456789abcdef-ping",
};
const ADDRESSES = {
  camera: "blackbox.fritz.box",
  ntfy: "ntfy.mueller-home.de",
  webhook: "hooks.mueller-home.de",
  mail: "mx.mueller-home.de",
  sender: "anna.mueller@mueller-home.de",
  gateway: "pushgateway.mueller-home.de",
  allowed: "car.mueller-home.de",
  proxy: "10.99.3.0/24",
  outside: "dashcam.mueller-home.de",
  mac: "00:1A:7D:DA:71:13",
};
const PLACES = { name: "Omas Garten", lat: "48.20849", lon: "16.37208" };
const NAMES = {
  user: "annemarie",
  viewer: "grandpa",
  instance: "annes-garage",
  group: "muellers",
  key: "Wall display",
};
/** Only in the log and in the message of a run. */
const SEEN = {
  place: "48.137154, 11.576124",
  ssid: "Villa Kunterbunt",
  ip: "172.29.14.5",
  six: "2a02:810d:1234:5678::42",
  machine: "nas-of-anna.lan",
  home: "/home/annikaberg/films",
  bearer: "s3cr3t.of.someone",
};

const all = (parts: object): string[] => Object.values(parts).filter((one) => typeof one === "string");

let app: RunningApp;
let texts: Map<string, string>;
let listed: Listed;
beforeAll(async () => {
  const s = SECRETS;
  const a = ADDRESSES;
  const targets = [
    `ntfy://${s.topicUser}:${encodeURIComponent(s.topicPassword)}@${a.ntfy}/${s.topic}#Phone%20of%20Anne`,
    `generic://${a.webhook}/in?secret=${s.webhookKey}`,
    `telegram://${s.telegram}@telegram?chats=${s.chat}`,
    `discord://${s.discord}@${s.discordId}`,
    `gotify://${a.ntfy}/${s.gotify}`,
    `smtp://${s.mailUser}:${encodeURIComponent(s.mailPassword)}@${a.mail}:587/?from=${a.sender}&to=${a.sender}`,
  ];
  for (const target of targets) expect(readTarget(target).kind).toBeString();
  app = await startApp({
    settings: {
      notify: { targets, ping_url: `https://${a.webhook}/${s.pingId}` },
      metrics: {
        scrape_token: s.scrape,
        pushgateway_url: null,
        instance: NAMES.instance,
      },
      places: { list: [{ name: PLACES.name, lat: Number(PLACES.lat), lon: Number(PLACES.lon), radius: 150 }] },
      viewer: { tile_url: `https://tiles.mueller-home.de/{z}/{x}/{y}.png?key=${s.tileKey}` },
      web: { allowed_hosts: [a.allowed], public_url: `https://${a.outside}` },
      auth: { username: NAMES.user, trusted_proxies: [a.proxy], proxy_admin_group: NAMES.group },
    },
  });
  put(app, OLD);
  await run(app);
  await app.app.settings.update((latest) => ({
    ...latest,
    connection: { ...latest.connection, address: a.camera },
    metrics: {
      ...latest.metrics,
      pushgateway_url: `https://${s.gatewayUser}:${s.gatewayPassword}@${a.gateway}`,
    },
    auth: { ...latest.auth, viewer_username: NAMES.viewer },
  }));
  await app.client.open("/");
  await app.client.send("POST", "/api/keys", { name: NAMES.key, scope: "read" });
  const planted = [...all(SECRETS), ...all(ADDRESSES), ...all(PLACES), ...all(NAMES), ...all(SEEN)];
  expect(planted.length).toBeGreaterThanOrEqual(30);
  const { log } = app.app;
  const bearer = SEEN.bearer;
  for (const value of [...all(SECRETS), ...all(ADDRESSES), ...all(PLACES), ...all(NAMES)])
    for (const form of [value, value.toUpperCase(), value.toLowerCase(), encodeURIComponent(value), base64(value)])
      log.info("test", `It said ${form}, and went on`);
  log.warning("test", `At ${SEEN.place} the camera joined SSID “${SEEN.ssid}” from ${SEEN.ip} and ${SEEN.six}`);
  log.warning("test", `GET http://${SEEN.machine}:8080/x?y=${SEEN.ip}: Authorization: Bearer ${bearer}`);
  log.warning("test", `${SEEN.home}/${KEY}F.mp4 and ${KEY}F.thm, ${KEY}.gps, ${KEY}.3gf could not be written`);
  const last = app.app.history.latest();
  if (last) {
    const message = `The camera at ${SEEN.ip} said "${SECRETS.topicPassword}" at ${SEEN.place}`;
    app.app.history.append({ ...last, ts: last.ts + 60, success: false, message });
  }
  listed = (await (await app.client.fetch("/api/support?preview=true")).json()) as Listed;
  const zip = await (await app.client.fetch("/api/support")).bytes();
  texts = new Map([...(await unzipped(zip))].map(([name, bytes]) => [name, String(bytes)]));
});
afterAll(() => app[Symbol.asyncDispose]());

const base64 = (text: string) => Buffer.from(text).toString("base64");
/** All forms in which a text could still be read. */
const formsOf = (value: string) => [
  value,
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
  base64(value),
  base64(value.toLowerCase()),
  base64(value.toUpperCase()),
  Buffer.from(value).toString("base64url"),
  Buffer.from(value).toString("hex"),
];

describe("GET /api/support", () => {
  test("has version, settings, the last check, runs, log and counts", () => {
    expect([...texts.keys()]).toEqual([
      "version.json",
      "settings.json",
      "check.json",
      "runs.csv",
      "log.txt",
      "counts.json",
    ]);
    expect(JSON.parse(texts.get("version.json") ?? "")).toMatchObject({ cameras: 1, platform: process.platform });
    expect(texts.get("runs.csv")?.trim().split("\r\n")).toHaveLength(3);
    expect(JSON.parse(texts.get("counts.json") ?? "").main).toMatchObject({ folder_available: true, runs: 2 });
    expect(texts.get("log.txt")).toContain("It said [secret-");
  });

  const planted = [...all(SECRETS), ...all(ADDRESSES), ...all(PLACES), ...all(NAMES), ...all(SEEN)].filter(
    (value) => value !== SEEN.home,
  );
  for (const value of [...planted, "annikaberg", "Phone of Anne", "mueller-home.de", KEY.slice(0, 15)])
    test(`has no ${value} in any form`, () => {
      for (const [name, text] of texts) {
        const lower = text.toLowerCase();
        for (const form of formsOf(value))
          expect([name, form, lower.includes(form.toLowerCase())]).toEqual([name, form, false]);
      }
    });

  test("has no name of the machine, which may be short", () => {
    const word = new RegExp(`(?<![a-z0-9-])${RegExp.escape(hostname())}(?![a-z0-9])`, "i");
    for (const [name, text] of texts) expect([name, word.test(text)]).toEqual([name, false]);
  });

  test("has none of the secrets that the service made itself", () => {
    const { session_secret: session } = app.app.settings.current.auth;
    for (const [name, text] of texts) expect([name, text.includes(session)]).toEqual([name, false]);
  });

  test("has the settings that tell how the service is set up, and which are set", () => {
    const { main } = JSON.parse(texts.get("settings.json") ?? "");
    const { current } = app.app.settings;
    expect(main.sync).toEqual({ ...current.sync });
    expect(main.schedule.cron_expression).toBe(current.schedule.cron_expression);
    expect(main.connection.address).toMatch(/^\[address-\w+\]$/);
    expect(main.metrics.scrape_token).toMatch(/^\[secret-\w+\]$/);
    expect(main.auth.viewer_password_hash).toBe("");
    expect(main.places.list).toEqual([expect.stringMatching(/^\[place-\w+\]$/)]);
    expect(main.notify.targets[1]).toMatch(/^generic:\/\/\[address-\w+\]$/);
  });

  test("has the same placeholder for a value wherever it stands, and in another file later", async () => {
    const { main } = JSON.parse(texts.get("settings.json") ?? "");
    expect(texts.get("log.txt")).toContain(main.connection.address);
    const zip = await (await app.client.fetch("/api/support")).bytes();
    const later = JSON.parse(String((await unzipped(zip)).get("settings.json")));
    expect(later.main).toEqual(main);
  });

  test("keeps folders, and the kind of a file without its time", () => {
    expect(texts.get("log.txt")).toMatch(
      /\/home\/\[name-\w+\]\/films\/\[time-\w+\]_[A-Z]F\.mp4 and \[time-\w+\]_[A-Z]F\.thm, \[time-\w+\]_[A-Z]\.gps/,
    );
  });

  test("says beforehand how much is replaced in each file", () => {
    expect(listed.files.map(({ name }) => name)).toEqual([...texts.keys()]);
    for (const { name, bytes, replaced, kinds } of listed.files) {
      expect(Object.keys(kinds)).toEqual([...PRIVATE_KINDS]);
      expect(Object.values(kinds).reduce((sum, one) => sum + one, 0)).toBe(replaced);
      expect(bytes).toBeGreaterThan(0);
      if (name === "log.txt") continue;
      // The log goes on meanwhile.
      expect([name, bytes]).toEqual([name, Buffer.byteLength(texts.get(name) ?? "")]);
      expect([name, replaced]).toEqual([name, texts.get(name)?.match(/\[[a-z]+-[0-9a-z]+\]/g)?.length ?? 0]);
    }
    expect(listed.files.find(({ name }) => name === "settings.json")?.kinds["secret"]).toBeGreaterThan(1);
  });

  test("takes no other question, and answers HEAD without making one", async () => {
    expect((await app.client.fetch("/api/support?preview=yes")).status).toBe(422);
    const head = await app.client.fetch("/api/support", { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/zip"]);
    expect(head.headers.get("content-disposition")).toMatch(/dashdock-support-\d{4}-\d\d-\d\d\.zip/);
  });
});
