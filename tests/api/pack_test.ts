import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { syntheticVideo } from "../../server/dashcam/simulator/simulated_video.ts";
import { SUMS_COMMAND, VERIFY_COMMAND } from "../../server/domain/pack/verify_text.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { bothAreHome, carAndVan } from "../support/app/several_cameras.ts";
import { sharedClip } from "../support/app/sharing.ts";
import { putFootage } from "../support/camera/footage.ts";
import { ownAuthority } from "../support/pack/own_authority.ts";
import { entriesOf, UnpackedPack } from "../support/pack/unpacked.ts";

const CLIPS = ["20261120_080000_N", "20261120_080100_N", "20261120_080200_E", "20261120_080300_N"] as const;
const [FIRST, SECOND, EVENT, LAST] = CLIPS;
const hasTools = Boolean(Bun.which("ssh-keygen") && Bun.which("sha256sum"));
/** A fix a second, northwards at 36 km/h; the satellites say a time that is five hours and ten seconds ahead. */
const GPS = (minute: number) =>
  Array.from({ length: 50 }, (_, second) => {
    const two = (value: number) => String(value).padStart(2, "0");
    const utc = `13${two(minute)}${two(second + 10)}`.replace("60", "59");
    return `[${1000 + second * 1000}]$GNRMC,${utc}.00,A,5128.${String(60_000 + (minute * 60 + second) * 540)},N,00000.03000,W,19.438,,201126,,,A*00\r\n`;
  }).join("");
/** Two samples: at rest, then braking. */
const FORCE = new Uint8Array([0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 100, 0, 128, 0, 0, 255, 192]);

/** Videos that really play; the rear camera has the first clip alone. */
const PLAYING = ["20261125_080000_NF.mp4", "20261125_080100_NF.mp4", "20261125_080000_NR.mp4"] as const;

let app: RunningApp;
let files: Map<string, Uint8Array>;
beforeAll(async () => {
  app = await startApp();
  files = new Map();
  for (const [at, key] of CLIPS.entries()) {
    for (const [direction, size] of [["F", 900_000] as const, ["R", 70_000] as const]) {
      const video = syntheticVideo(`${key}${direction}.mp4`, size + at, 60);
      files.set(`${key}${direction}.mp4`, await video.read(0, size + at));
      files.set(`${key}${direction}.thm`, new TextEncoder().encode(`picture ${direction} ${at}`));
    }
    files.set(`${key}.gps`, new TextEncoder().encode(GPS(at)));
    files.set(`${key}.3gf`, FORCE);
  }
  // A trip of its own, without telemetry, with a video that is none.
  files.set("20261121_100000_PF.mp4", new Uint8Array(0));
  files.set("20261121_100000_PR.mp4", new TextEncoder().encode("no video"));
  for (const [name, bytes] of files) put(name, bytes);
  await putFootage(app.destination, PLAYING, PLAYING);
});
afterAll(() => app[Symbol.asyncDispose]());

function put(name: string, content: Uint8Array): void {
  const path = join(app.destination, `${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6, 8)}`, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  utimesSync(path, 1_790_000_000, 1_790_000_000);
}
const ask = (query: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${app.url}/api/viewer/export/pack?${query}`, { headers, method });
async function packOf(query: string): Promise<Map<string, Uint8Array>> {
  const answer = await ask(query);
  expect([query, answer.status]).toEqual([query, 200]);
  return entriesOf(await answer.bytes());
}
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return [];
    }
  });
}
const sha256 = (bytes: Uint8Array | undefined) =>
  new Bun.CryptoHasher("sha256").update(bytes ?? new Uint8Array()).digest("hex");
const textOf = (entries: ReadonlyMap<string, Uint8Array>, name: string) => new TextDecoder().decode(entries.get(name));
const originalsOf = (entries: ReadonlyMap<string, Uint8Array>) =>
  [...entries.keys()].filter((name) => name.startsWith("originals/")).map((name) => name.slice("originals/".length));
const filesOf = (keys: readonly string[], directions = "FR") =>
  [...files.keys()].filter(
    (name) => keys.includes(name.slice(0, 17)) && (name[17] === "." || directions.includes(name[17] ?? "")),
  );

describe("GET /api/viewer/export/pack", () => {
  test("holds the originals as they are, what was made of them, and a signed list of all", async () => {
    const entries = await packOf(`from=${SECOND}&to=${EVENT}&from_seconds=10&to_seconds=50`);
    expect(originalsOf(entries).sort()).toEqual(filesOf([SECOND, EVENT]).sort());
    for (const name of originalsOf(entries))
      expect([
        name,
        Buffer.compare(entries.get(`originals/${name}`) ?? new Uint8Array(), files.get(name) ?? FORCE),
      ]).toEqual([name, 0]);
    expect([...entries.keys()].filter((name) => !name.startsWith("originals/"))).toEqual([
      ...["track.gpx", "telemetry.csv"],
      ...[SECOND, EVENT].flatMap((key) => [`pictures/${key}F.jpg`, `pictures/${key}R.jpg`]),
      ...["report.html", "SHA256SUMS", "SHA256SUMS.sig", "allowed_signers", "VERIFY.txt"],
    ]);
    expect(textOf(entries, `pictures/${SECOND}R.jpg`)).toBe("picture R 1");
    const listed = textOf(entries, "SHA256SUMS")
      .trim()
      .split("\n")
      .map((line) => line.slice(66));
    expect(listed.sort()).toEqual(
      [...entries.keys()].filter((name) => !/^(SHA256SUMS|allowed_signers|VERIFY)/.test(name)).sort(),
    );
    // From ten seconds into the second clip on, to fifty seconds into the third, which has fixes until the forty-ninth.
    expect(textOf(entries, "track.gpx").match(/<trkpt /g)).toHaveLength(40 + 50);
    expect(textOf(entries, "telemetry.csv").split("\r\n")[1]).toStartWith(`${SECOND},10,2026-11-20T08:01:10.000`);
  });

  test.skipIf(!hasTools)("is verified by the tools that every Linux has", async () => {
    // The list and the signature of films that are hashed while they are sent come behind them.
    using filmed = new UnpackedPack(await packOf(`trip=${PLAYING[0].slice(0, 17)}&for=insurer`));
    expect(existsSync(join(filmed.folder, "film", "F.mp4"))).toBe(true);
    for (const command of [SUMS_COMMAND, VERIFY_COMMAND]) expect(filmed.run(command)).toMatchObject({ code: 0 });
    using pack = new UnpackedPack(await packOf(`trip=${FIRST}&for=insurer`));
    expect(pack.run(SUMS_COMMAND)).toMatchObject({ code: 0 });
    const words = readFileSync(join(pack.folder, "VERIFY.txt"), "utf8");
    expect(words.match(/verify-pack/g)).toHaveLength(1);
    const fingerprint = /SHA256:\S{43}/.exec(words)?.[0];
    expect(pack.run(VERIFY_COMMAND)).toEqual({
      code: 0,
      text: `Good "dashdock" signature for owner@dashdock with ED25519 key ${fingerprint}`,
    });
    expect(statSync(join(app.folder, "config", "pack-key.pem")).mode & 0o777).toBe(0o600);
  });

  test("gives the same bytes at every request, whole and in parts", async () => {
    const query = `trip=${FIRST}&for=police&directions=F`;
    const whole = await ask(query);
    const bytes = await whole.bytes();
    const etag = whole.headers.get("etag") ?? "";
    expect(whole.headers.get("content-disposition")).toBe('attachment; filename="2026-11-20_075900-080500_pack.zip"');
    const head = await ask(query, {}, "HEAD");
    const headersOf = ({ headers }: Response) =>
      Object.fromEntries([...headers].filter(([name]) => !["date", "transfer-encoding"].includes(name)));
    expect(headersOf(head)).toEqual({ ...headersOf(whole), "content-length": String(bytes.length) });
    expect(Buffer.compare(await (await ask(query)).bytes(), bytes)).toBe(0);
    for (const [range, from, to] of [
      ["bytes=100000-", 100_000, bytes.length],
      ["bytes=0-99", 0, 100],
      ["bytes=-22", bytes.length - 22, bytes.length],
    ] as const) {
      const part = await ask(query, { range, "if-range": etag });
      expect([part.status, part.headers.get("content-range")]).toEqual([
        206,
        `bytes ${from}-${to - 1}/${bytes.length}`,
      ]);
      expect(Buffer.compare(await part.bytes(), bytes.subarray(from, to))).toBe(0);
    }
    expect((await ask(query, { "if-none-match": etag })).status).toBe(304);
    expect((await ask(query, { range: "bytes=5-9", "if-range": '"other"' })).status).toBe(200);
    expect((await ask(query, { range: `bytes=${bytes.length}-` })).status).toBe(416);
  });

  test("gives the same bytes when its films are hashed under way, beforehand, or were before", async () => {
    const [one, other] = ["20261128_080000_N", "20261129_080000_N"] as const;
    const paths = [one, other].map((key) => `2026-11-28/${key}F.mp4`);
    await putFootage(app.destination, paths, paths);
    await app.app.library.refreshIfOlder(0);
    // Nothing is known of one when it is asked for whole, and of the other when its end is.
    const late = await ask(`key=${one}`);
    const bytes = await late.bytes();
    const end = await ask(`key=${other}`, { range: "bytes=1000-" });
    const ended = await end.bytes();
    const again = await ask(`key=${one}`);
    expect(Buffer.compare(await again.bytes(), bytes)).toBe(0);
    const resumed = await ask(`key=${one}`, { range: "bytes=1000-", "if-range": late.headers.get("etag") ?? "" });
    expect([resumed.status, Buffer.compare(await resumed.bytes(), bytes.subarray(1000))]).toEqual([206, 0]);
    const whole = await ask(`key=${other}`, { range: "bytes=0-" });
    expect(Buffer.compare((await whole.bytes()).subarray(1000), ended)).toBe(0);
    const etagOf = ({ headers }: Response) => headers.get("etag");
    expect([etagOf(again), etagOf(whole)]).toEqual([etagOf(late), etagOf(end)]);
    const entries = entriesOf(bytes);
    const lines = textOf(entries, "SHA256SUMS").trim().split("\n");
    expect(lines).toContain(`${sha256(entries.get("film/F.mp4"))}  film/F.mp4`);
    expect(lines).toContain(`${sha256(entries.get("report.html"))}  report.html`);
    expect(textOf(entries, "report.html")).toContain(sha256(entries.get("film/F.mp4")));
    rmSync(join(app.destination, "2026-11-28"), { recursive: true });
    await app.app.library.refreshIfOlder(0);
  });

  test("takes checksums that are kept, and reads a file that does not fit them", async () => {
    const key = "20261127_080000_N";
    const name = `${key}F.mp4`;
    // Longer than what a client waits for before it takes an answer for begun.
    put(name, new Uint8Array(5_000_000).fill(1));
    await app.app.library.refreshIfOlder(0);
    app.app.checksums.noteCame(name, "2026-11-27");
    await app.app.checksums.settled();
    // As a failing disk does: neither size nor time tells.
    put(name, new Uint8Array(5_000_000).fill(2));
    await expect(ask(`key=${key}`).then((answer) => answer.bytes())).rejects.toThrow();
    const entries = await packOf(`key=${key}`);
    const found = sha256(entries.get(`originals/${name}`));
    expect(textOf(entries, "SHA256SUMS")).toContain(`${found}  originals/${name}`);
    await app.app.checksums.settled();
    expect(app.app.checksums.damaged.map(({ path, why }) => [path, why])).toEqual([
      [`2026-11-27/${name}`, "other_bytes"],
    ]);
    rmSync(join(app.destination, "2026-11-27"), { recursive: true });
    await app.app.library.refreshIfOlder(0);
  });

  test("takes one minute before and after for the police, and tells the last day", async () => {
    const entries = await packOf(`from=${SECOND}&to=${SECOND}&from_seconds=20&to_seconds=30&for=police`);
    // From 08:00:20 to 08:02:30.
    expect(originalsOf(entries).sort()).toEqual(filesOf([FIRST, SECOND, EVENT]).sort());
    const report = textOf(entries, "report.html");
    expect(report).toContain("Friday 20\u00a0Nov 2026, 08:00:20 to 08:02:30");
    expect(report).toContain("Hand it in by Friday 27\u00a0Nov 2026.");
    expect(report).toContain("This day goes by the camera’s clock, which was 5\u00a0h 10\u00a0s slow. Keep");
    expect(report).toContain("The moment: 08:01:20 to 08:01:30. One minute before and after is added.");
    expect(report).not.toContain("10 minutes at most");
    await app.app.settings.patch("export", { police_days: 14 });
    const long = textOf(await packOf("from=20261120_080000_N&to=20261121_100000_P&for=police"), "report.html");
    expect(long).toContain("Most police take 10 minutes at most.");
    // To keep the trip is another request.
    const { days } = await (await fetch(`${app.url}/api/viewer/recordings?date=2026-11-20`)).json();
    expect(days[0].recordings.map(({ kept }: { readonly kept: unknown }) => kept)).not.toContainEqual(
      expect.anything(),
    );
    const later = textOf(await packOf(`key=${SECOND}&for=police`), "report.html");
    expect(later).toContain("Hand it in by Friday 4\u00a0Dec 2026.");
    expect(textOf(await packOf(`key=${SECOND}&for=insurer`), "report.html")).not.toContain("Hand it in");
    await app.app.settings.patch("export", { police_days: 7 });
  });

  test("tells the camera's and the satellites' time, and what is not known", async () => {
    const report = textOf(await packOf(`trip=${FIRST}`), "report.html");
    expect(report).toContain("The camera’s clock was 5\u00a0h 10\u00a0s slow, over these recordings.");
    expect(report).toContain("as recorded by the camera, not calibrated");
    expect(report).toContain("Nothing between 08:00:00 and 08:04:00");
    expect(report).toContain("Front and rear");
    expect(report).toMatch(/originals\/20261120_080000_NF\.mp4.*not known.*not known/);
    for (const drawing of ["rp-span", "rp-l", "rp-b"]) expect(report).toContain(`class="${drawing}"`);
    expect(report).not.toMatch(/<script|https?:\/\/|onload|url\(/);
  });

  test("has damaged files and names them, and no place where there is none", async () => {
    const entries = await packOf("key=20261121_100000_P");
    expect(originalsOf(entries)).toEqual(["20261121_100000_PF.mp4", "20261121_100000_PR.mp4"]);
    expect([entries.has("track.gpx"), entries.has("telemetry.csv")]).toEqual([false, false]);
    const report = textOf(entries, "report.html");
    expect(report).toContain("Damaged, and in the pack as they are: 20261121_100000_PF.mp4, 20261121_100000_PR.mp4");
    expect(report).toContain("No recording has a place from the satellites.");
    expect(report).toContain("Front: 10:00:00 to 10:01:00 (1\u00a0min); Rear: 10:00:00 to 10:01:00 (1\u00a0min)");
  });

  test("has the cameras that are asked for", async () => {
    const entries = await packOf(`key=${FIRST}&directions=R`);
    expect(originalsOf(entries).sort()).toEqual(filesOf([FIRST], "R").sort());
    expect(originalsOf(await packOf(`key=${FIRST}&directions=RFX`)).sort()).toEqual(filesOf([FIRST]).sort());
    expect((await ask(`key=${FIRST}&directions=X`)).status).toBe(404);
  });

  test("is another one when a file changes, and breaks off when that happens under way", async () => {
    const key = "20261122_090000_N";
    put(`${key}F.mp4`, new Uint8Array(40_000_000).fill(1));
    const path = join(app.destination, "2026-11-22", `${key}F.mp4`);
    const before = await ask(`key=${key}`, {}, "HEAD");
    put(`${key}F.mp4`, new Uint8Array(40_000_000).fill(2));
    const after = await ask(`key=${key}`);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    const reader = after.body?.getReader();
    await reader?.read();
    truncateSync(path, 1000);
    const rest = async () => {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read());
    };
    await expect(rest()).rejects.toThrow();
    rmSync(join(app.destination, "2026-11-22"), { recursive: true });
  });

  test("says where a film ends before its time, and why", async () => {
    const key = "20261125_080200_N";
    const whole = textOf(await packOf(`from=${PLAYING[0].slice(0, 17)}&to=20261125_080100_N`), "report.html");
    expect(whole).not.toContain("Not in the films");
    put(`${key}F.mp4`, sharedClip(1));
    await app.app.library.refreshIfOlder(0);
    const entries = await packOf(`from=${PLAYING[0].slice(0, 17)}&to=${key}`);
    const told = async (query: string) => (await (await fetch(`${app.url}/api/viewer/pack?${query}`)).json()).cannot;
    expect(await told(`from=${PLAYING[0].slice(0, 17)}&to=20261125_080100_N`)).toEqual([]);
    expect(await told(`from=${PLAYING[0].slice(0, 17)}&to=${key}`)).toEqual([
      { direction: "F", reason: expect.stringMatching(/^The recording at 08:02:00 has .* The film ends before it\.$/) },
    ]);
    expect(textOf(entries, "report.html")).toMatch(
      /Not in the films<\/dt><dd>Front: The recording at 08:02:00 has .* The film ends before it\.<small>The originals have all of it/,
    );
    expect([entries.has("film/F.mp4"), entries.has(`originals/${key}F.mp4`)]).toEqual([true, true]);
    rmSync(join(app.destination, "2026-11-25"), { recursive: true });
    await app.app.library.refreshIfOlder(0);
  });

  test("is made again of bytes that changed without a sign", async () => {
    const path = join(app.destination, PLAYING[0]);
    const query = `key=${PLAYING[0].slice(0, 17)}`;
    const write = (bytes: Uint8Array) => {
      writeFileSync(path, bytes);
      utimesSync(path, 1_790_000_000, 1_790_000_000);
    };
    const video = readFileSync(path);
    write(video);
    const before = await packOf(query);
    // Pictures and sound alone: what a film is made by stays as it is.
    const changed = Uint8Array.from(video);
    const data = video.indexOf("mdat");
    const end = data - 4 + video.readUInt32BE(data - 4);
    for (let at = data + 1000; at < end; at += 4096) changed[at] = ~(changed[at] ?? 0);
    write(changed);
    await expect(ask(query).then((answer) => answer.bytes())).rejects.toThrow();
    expect((await packOf(query)).get("film/F.mp4")).not.toEqual(before.get("film/F.mp4"));
    write(video);
    await expect(ask(query).then((answer) => answer.bytes())).rejects.toThrow();
    expect((await packOf(query)).get("film/F.mp4")).toEqual(before.get("film/F.mp4"));
  });

  test.skipIf(!existsSync("/proc/self/fd"))("stops reading when its client goes", async () => {
    const key = "20261123_090000_N";
    put(`${key}F.mp4`, new Uint8Array(300_000_000));
    const isOpen = () => openFiles().some((path) => path.includes(key));
    const gone = new AbortController();
    const answer = fetch(`${app.url}/api/viewer/export/pack?key=${key}`, { signal: gone.signal });
    while (!isOpen()) await ask(`key=${FIRST}`, {}, "HEAD");
    gone.abort();
    await expect(answer).rejects.toThrow();
    while (isOpen()) await ask(`key=${FIRST}`, {}, "HEAD");
    rmSync(join(app.destination, "2026-11-23"), { recursive: true });
    expect(app.app.log.lines.filter(({ level, message }) => level === "ERROR" && message.includes(key))).toEqual([]);
  });

  test("says what is wrong with a choice", async () => {
    for (const [query, status, code] of [
      ["", 422, "VALIDATION_ERROR"],
      [`from=${LAST}&to=${FIRST}`, 422, "VALIDATION_ERROR"],
      [`from=${FIRST}&to=${FIRST}&from_seconds=9&to_seconds=8`, 422, "VALIDATION_ERROR"],
      [`key=${FIRST}&for=friends`, 422, "VALIDATION_ERROR"],
      [`key=${FIRST}&directions=fr`, 422, "VALIDATION_ERROR"],
      [`key=${FIRST}&directions=F,R`, 422, "VALIDATION_ERROR"],
      ["key=x", 404, "RECORDING_NOT_FOUND"],
      ["key=20200101_000000_N", 404, "RECORDING_NOT_FOUND"],
      [`key=van~${FIRST}`, 404, "CAMERA_NOT_FOUND"],
    ] as const) {
      const answer = await ask(query);
      expect([query, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([query, status, code]);
    }
  });

  test.skipIf(Bun.which("openssl") === null)(
    "has the time stamp that was asked for, the same at every request",
    async () => {
      using authority = ownAuthority();
      const query = `key=${SECOND}&directions=R`;
      const { app: service } = app;
      expect(textOf(await packOf(query), "VERIFY.txt")).toContain("no time stamp: none was asked for");
      await service.settings.patch("export", { timestamp_url: authority.address });
      const [one, two] = [await ask(query), await ask(query, { range: "bytes=9-" })];
      const bytes = await one.bytes();
      expect(Buffer.compare(bytes.subarray(9), await two.bytes())).toBe(0);
      expect([one.headers.get("etag"), authority.requests.length]).toEqual([two.headers.get("etag"), 1]);
      using pack = new UnpackedPack(entriesOf(bytes));
      const command = "openssl ts -verify -data SHA256SUMS -in SHA256SUMS.tsr -CAfile";
      expect(pack.run(`${command} ${authority.certificate}`)).toMatchObject({ code: 0 });
      expect(readFileSync(join(pack.folder, "VERIFY.txt"), "utf8")).toContain(command);
      // Another pack, of which the authority gives none.
      authority.instead = () => new Response("no", { status: 500 });
      const without = await packOf(`key=${SECOND}&directions=F`);
      expect(without.has("SHA256SUMS.tsr")).toBe(false);
      expect(textOf(without, "VERIFY.txt")).toContain("the time stamp authority gave none");
      await service.settings.patch("export", { timestamp_url: null });
    },
  );

  test("is made of the camera that its keys name, and signed with the same key", async () => {
    await using both = await carAndVan();
    await bothAreHome(both);
    const keysOf = (id: string) => both.app.cameras.of(id)?.segments.all() ?? Promise.resolve([]);
    const [ours, theirs] = [[...(await keysOf("main"))][0], [...(await keysOf("van"))][0]];
    if (!ours || !theirs) throw new Error("no recordings");
    const packs = [];
    for (const key of [ours.key, `van~${theirs.key}`]) {
      const answer = await both.client.fetch(`/api/viewer/export/pack?key=${key}&for=insurer`);
      expect([key, answer.status]).toEqual([key, 200]);
      packs.push(entriesOf(await answer.bytes()));
    }
    const [car, van] = packs.map((entries) => entries);
    if (!car || !van) throw new Error("no packs");
    const report = await both.client.fetch(`/api/viewer/export/van/report.html?key=van~${theirs.key}&for=insurer`);
    expect(await report.text()).toBe(textOf(van, "report.html"));
    const elsewhere = await both.client.fetch(`/api/viewer/export/main/report.html?key=van~${theirs.key}`);
    expect(elsewhere.status).toBe(422);
    const [name = ""] = [...van.keys()].filter((one) => one.startsWith("pictures/"));
    const picture = await both.client.fetch(`/api/viewer/export/van/${name}`);
    expect(sha256(await picture.bytes())).toBe(sha256(van.get(name)));
    expect(textOf(van, "allowed_signers")).toBe(textOf(car, "allowed_signers"));
    expect(originalsOf(van).every((name) => name.startsWith(theirs.key))).toBe(true);
    // Files that a sync brought have the times of that sync.
    expect(textOf(van, "report.html")).toMatch(
      /originals\/\S+\.mp4<.{0,200}>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC<.*>\d{4}-/,
    );
    const facts = await both.client.fetch(`/api/viewer/pack?key=van~${theirs.key}&for=insurer`);
    const { originals } = (await facts.json()) as { originals: { files: number } };
    expect(originals.files).toBe(originalsOf(van).length);
    await both.client.open("/");
    const marked = await both.client.send("POST", `/api/viewer/trips/van~${theirs.key}/keep`);
    const { keys } = (await marked.json()) as { keys: string[] };
    expect(keys).toContain(`van~${theirs.key}`);
    expect((await both.app.cameras.of("van")?.retention.kept.shown())?.size).toBe(keys.length);
    const unknown = await both.client.fetch(`/api/viewer/export/pack?from=${ours.key}&to=van~${theirs.key}`);
    expect(unknown.status).toBe(422);
  });

  test("has the film of each camera, cut to the time and without a byte beside it", async () => {
    const span = "from=20261125_080000_N&to=20261125_080100_N&from_seconds=3&to_seconds=5";
    const entries = await packOf(span);
    expect([...entries.keys()].filter((name) => name.startsWith("film/"))).toEqual(["film/F.mp4", "film/R.mp4"]);
    const film = await (await fetch(`${app.url}/film/F.mp4?${span}&plain=true`)).bytes();
    expect(Buffer.compare(entries.get("film/F.mp4") ?? new Uint8Array(), film)).toBe(0);
    expect(textOf(entries, "SHA256SUMS")).toContain(
      `${new Bun.CryptoHasher("sha256").update(film).digest("hex")}  film/F.mp4`,
    );
    expect(textOf(entries, "report.html")).toContain("Films hold the same pictures");
    // The rear camera has the first clip alone: its film ends with that.
    const rear = await (await fetch(`${app.url}/film/R.mp4?key=20261125_080000_N&plain=true`)).bytes();
    expect(entries.get("film/R.mp4")?.length).toBeLessThanOrEqual(rear.length);
  });

  test("is told before it is made: amounts as in the pack, and no file is read", async () => {
    for (const query of [
      `from=${SECOND}&to=${SECOND}&from_seconds=20&to_seconds=30&for=police`,
      `trip=${FIRST}&directions=R&for=insurer`,
      "from=20261125_080000_N&to=20261125_080100_N&from_seconds=3&to_seconds=5",
    ]) {
      const told = await (await fetch(`${app.url}/api/viewer/pack?${query}`)).json();
      const entries = await packOf(query);
      const part = (folder: string) => {
        const sizes = [...entries].filter(([name]) => name.startsWith(folder)).map(([, bytes]) => bytes.length);
        return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
      };
      const [originals, films, pictures] = ["originals/", "film/", "pictures/"].map(part);
      expect([query, told]).toMatchObject([query, { originals, films, pictures }]);
      expect(told.bytes).toBe((originals?.bytes ?? 0) + (films?.bytes ?? 0) + (pictures?.bytes ?? 0));
    }
    const police = `key=${SECOND}&for=police`;
    expect(await (await fetch(`${app.url}/api/viewer/pack?${police}`)).json()).toMatchObject({
      starts_at: "2026-11-20T08:00:00",
      ends_at: "2026-11-20T08:03:00",
      seconds: 180,
      directions: "FR",
      is_long: false,
      hand_in_days: 7,
      hand_in_by: "2026-11-27",
      days_left: Math.round(
        (Date.parse("2026-11-27") - Date.parse(app.app.zone.isoDay(app.app.clock.now()))) / 86_400_000,
      ),
    });
    expect(await (await fetch(`${app.url}/api/viewer/pack?key=${SECOND}`)).json()).toMatchObject({
      hand_in_days: null,
      hand_in_by: null,
      days_left: null,
    });
    // An hour and more: most police take ten minutes.
    for (const [receiver, isLong] of [
      ["police", true],
      ["insurer", false],
    ] as const) {
      const query = `from=${FIRST}&to=${LAST}&to_seconds=3600&for=${receiver}`;
      const long = `from=20261120_080000_N&to=20261121_100000_P&for=${receiver}`;
      expect([(await (await fetch(`${app.url}/api/viewer/pack?${query}`)).json()).is_long, receiver]).toEqual([
        false,
        receiver,
      ]);
      expect([(await (await fetch(`${app.url}/api/viewer/pack?${long}`)).json()).is_long, receiver]).toEqual([
        isLong,
        receiver,
      ]);
    }
    for (const [query, status] of [
      ["", 422],
      [`key=${FIRST}&for=friends`, 422],
      [`key=${FIRST}&directions=X`, 404],
      ["key=20200101_000000_N", 404],
    ] as const)
      expect([query, (await fetch(`${app.url}/api/viewer/pack?${query}`)).status]).toEqual([query, status]);
  });

  test("has the pictures that were kept, of its clips and cameras, and shows them in the report", async () => {
    const folder = join(app.destination, ".dashdock", "stills");
    mkdirSync(folder, { recursive: true });
    const picture = (byte: number) => Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, byte);
    const stills = [`${SECOND}_F_00012345.jpg`, `${SECOND}_R_00012345.png`, `${LAST}_F_00001000.jpg`];
    for (const [at, name] of stills.entries()) writeFileSync(join(folder, name), picture(at));
    const entries = await packOf(`key=${SECOND}`);
    const kept = [`pictures/${SECOND}F_12.345s.jpg`, `pictures/${SECOND}R_12.345s.png`];
    expect([...entries.keys()].filter((name) => /s\.(jpg|png)$/.test(name))).toEqual(kept);
    expect(entries.get(kept[1] ?? "")).toEqual(picture(1));
    const digest = new Bun.CryptoHasher("sha256").update(picture(0)).digest("hex");
    expect(textOf(entries, "SHA256SUMS")).toContain(`${digest}  ${kept[0]}`);
    const report = textOf(entries, "report.html");
    expect(report).toContain(`<img src="${kept[0]}" alt="Front, 08:01:12.3">`);
    expect(report).toMatch(new RegExp(`${kept[0]}<.*>Kept by the owner<`));
    expect((await packOf(`key=${SECOND}&directions=F`)).has(kept[1] ?? "")).toBe(false);
    // More than a report draws, and more than a pack takes.
    for (let at = 0; at < 200; at++)
      for (const key of [FIRST, EVENT, LAST])
        writeFileSync(join(folder, `${key}_F_${String(at * 100 + 2000).padStart(8, "0")}.jpg`), picture(9));
    const many = await packOf(`trip=${FIRST}`);
    expect([...many.keys()].filter((name) => /s\.(jpg|png)$/.test(name))).toHaveLength(500);
    const told = textOf(many, "report.html");
    expect(told.match(/alt="[^"]+\.\d"/g)).toHaveLength(8);
    expect(told).toContain("In the folder pictures: 492\u00a0more kept pictures.");
    expect(told).toContain("Not in this pack, because there are so many: 103\u00a0kept pictures.");
    rmSync(folder, { recursive: true });
  });

  test("has a report that can be read by itself: the same bytes, with its pictures and without a script", async () => {
    const folder = join(app.destination, ".dashdock", "stills");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${SECOND}_F_00012345.png`), Uint8Array.of(0x89, 0x50, 7));
    const at = `${app.url}/api/viewer/export/main/`;
    for (const span of [
      `trip=${FIRST}&for=police`,
      `from=${SECOND}&to=${EVENT}&from_seconds=10&to_seconds=50&directions=F`,
      // With films, which are hashed for it.
      `trip=${PLAYING[0].slice(0, 17)}&for=insurer`,
      "trip=20261121_100000_P",
    ]) {
      const answer = await fetch(`${at}report.html?${span}`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      const report = await answer.text();
      const entries = await packOf(span);
      expect(report).toBe(textOf(entries, "report.html"));
      // The browser takes this style sheet and no other, and no script at all.
      const style = /<style>([^<]*)<\/style>/.exec(report)?.[1] ?? "";
      const digest = new Bun.CryptoHasher("sha256").update(style).digest("base64");
      expect(answer.headers.get("content-security-policy")).toBe(
        `default-src 'none'; style-src 'sha256-${digest}'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
      );
      const names = [...report.matchAll(/<img src="([^"]+)"/g)].map(([, name = ""]) => name);
      expect(names.length > 0).toBe(!span.includes("20261121"));
      for (const name of names) {
        const picture = await fetch(at + name);
        expect([name, sha256(await picture.bytes())]).toEqual([name, sha256(entries.get(name))]);
        expect(picture.headers.get("content-type")).toBe(name.endsWith("png") ? "image/png" : "image/jpeg");
        const etag = picture.headers.get("etag") ?? "";
        expect((await fetch(at + name, { headers: { "if-none-match": etag } })).status).toBe(304);
      }
    }
    const head = await fetch(`${at}report.html?key=${FIRST}`, { method: "HEAD" });
    const length = textOf(await packOf(`key=${FIRST}`), "report.html");
    expect(head.headers.get("content-length")).toBe(String(new TextEncoder().encode(length).length));
    rmSync(folder, { recursive: true });
    for (const [path, status, code] of [
      ["report.html", 422, "VALIDATION_ERROR"],
      ["report.html?key=20200101_000000_N", 404, "RECORDING_NOT_FOUND"],
      [`report.html?key=${FIRST}&for=no`, 422, "VALIDATION_ERROR"],
      [`../van/report.html?key=${FIRST}`, 404, "CAMERA_NOT_FOUND"],
      [`../main/report.html?key=van~${FIRST}`, 404, "CAMERA_NOT_FOUND"],
      [`pictures/${SECOND}F_12.345s.png`, 404, "NOT_FOUND"],
      [`pictures/${FIRST}I.jpg`, 404, "NOT_FOUND"],
      [`pictures/${FIRST}F.mp4`, 404, "NOT_FOUND"],
      ["pictures/..%2f..%2fconfig%2fpack-key.pem", 404, "NOT_FOUND"],
      [`../van/pictures/${FIRST}F.jpg`, 404, "CAMERA_NOT_FOUND"],
    ] as const) {
      const answer = await fetch(at + path);
      expect([path, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([path, status, code]);
    }
  });

  test("is not made with a damaged key, which stays as it is", async () => {
    const path = join(app.folder, "config", "pack-key.pem");
    const key = readFileSync(path, "utf8");
    writeFileSync(path, "damaged");
    const answer = await ask(`key=${FIRST}`);
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "SIGNING_KEY_UNUSABLE" }]);
    expect(readFileSync(path, "utf8")).toBe("damaged");
    writeFileSync(path, key);
    expect((await ask(`key=${FIRST}`, {}, "HEAD")).status).toBe(200);
  });

  test("needs a session where one is needed", async () => {
    await using closed = await startApp({ mode: "login", password: "a password of mine" });
    const answer = await fetch(`${closed.url}/api/viewer/export/pack?key=${FIRST}`);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, "AUTH_REQUIRED"]);
    for (const path of [`report.html?key=${FIRST}`, `pictures/${FIRST}F.jpg`])
      expect((await fetch(`${closed.url}/api/viewer/export/main/${path}`)).status).toBe(401);
  });
});
