import { describe, expect, test } from "bun:test";
import { SimulatedCard, simulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { configIni, encodePassword, versionBin } from "../../../server/dashcam/simulator/simulated_config.ts";
import { demoFootage } from "../../../server/dashcam/simulator/simulated_demo.ts";
import { baseOf, planMoments, timeOf } from "../../../server/dashcam/simulator/simulated_moments.ts";
import { sentence } from "../../../server/dashcam/simulator/simulated_telemetry.ts";
import { SMALLEST_VIDEO, secondsOfVideo, syntheticVideo } from "../../../server/dashcam/simulator/simulated_video.ts";
import { formatListing, parseListing } from "../../../server/domain/recordings/camera_listing.ts";
import { judgeMp4 } from "../../../server/domain/recordings/mp4_boxes.ts";
import { parseArtifact, parseRecording } from "../../../server/domain/recordings/recording_name.ts";

const NOW = Date.UTC(2026, 10, 21, 10, 0, 0);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

interface Fix {
  stamp: number;
  kind: string;
  fields: string[];
}

/** Every line of a `.gps` file; fails when a line has another shape or its checksum is wrong. */
function readGps(bytes: Uint8Array): Fix[] {
  const content = text(bytes);
  expect(content.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  const fixes: Fix[] = [];
  for (const line of content.split("\r\n")) {
    if (line === "") continue;
    const match = /^\[([0-9]+)\]\$GN(RMC|GGA),([^*]*)\*([0-9A-F]{2})$/.exec(line);
    if (!match) throw new Error(`no line of a .gps file: ${line}`);
    const [, stamp = "", kind = "", body = ""] = match;
    expect(`[${stamp}]${sentence(`GN${kind},${body}`)}`).toBe(line);
    fixes.push({ stamp: Number(stamp), kind, fields: body.split(",") });
  }
  return fixes;
}

const degrees = (value: string) => Math.floor(Number(value) / 100) + (Number(value) % 100) / 60;

/** Metres between two RMC fixes, well enough for a few kilometres. */
function distance(first: Fix, second: Fix): number {
  const [south, west] = [first, second]
    .map(({ fields }) => [degrees(fields[2] ?? ""), degrees(fields[4] ?? "")])
    .reduce(([latA = 0, lonA = 0], [latB = 0, lonB = 0]) => [latB - latA, lonB - lonA]);
  return Math.hypot((south ?? 0) * 111_320, (west ?? 0) * 111_320 * Math.cos((24.5 * Math.PI) / 180));
}

/** Records of a `.3gf` file in seconds and g, up to the terminator. */
function readSensor(bytes: Uint8Array): { t: number; axes: [number, number, number] }[] {
  expect(bytes.length % 10).toBe(0);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples: { t: number; axes: [number, number, number] }[] = [];
  for (let at = 0; at < bytes.length; at += 10) {
    const ms = view.getUint32(at);
    if (ms === 0xffffffff) break;
    const axis = (index: number) => view.getInt16(at + 4 + 2 * index) / 128;
    samples.push({ t: ms / 1000, axes: [axis(0), axis(1), axis(2)] });
  }
  return samples;
}

function named(card: SimulatedCard, pattern: RegExp): string[] {
  return card.names().filter((name) => pattern.test(name));
}

describe("the moments of a card", () => {
  test("number as many videos as asked for, for odd numbers too", () => {
    for (const recordings of [0, 1, 2, 7, 60, 501]) {
      expect(simulatedCard({ recordings, now: NOW }).videos()).toHaveLength(recordings);
    }
  });

  test("end shortly before now in the camera's wall time", () => {
    for (const offsetMinutes of [0, 600, -210]) {
      const last = simulatedCard({ recordings: 4, now: NOW, offsetMinutes }).videos().at(-1) ?? "";
      const ago = NOW + offsetMinutes * 60_000 - timeOf(last.slice(0, 15));
      expect(ago).toBeGreaterThanOrEqual(60_000);
      expect(ago).toBeLessThan(120_000);
    }
  });

  test("follow each other by a minute within a drive and never share a moment", () => {
    const moments = planMoments(200, NOW, 0, ["F", "R"]);
    for (const [index, moment] of moments.entries()) {
      const older = moments[index + 1];
      if (!older) continue;
      if (moment.minutes > 0 && older.drive === moment.drive && older.minutes > 0)
        expect(moment.at - older.at).toBe(60_000);
      else expect(moment.at - older.at).toBeGreaterThan(60_000);
    }
  });

  test("are a mixture of drives, events, parked hours and one manual recording", () => {
    const types = simulatedCard({ recordings: 56, now: NOW })
      .videos()
      .map((name) => parseRecording(name)?.type ?? "");
    const count = (type: string) => types.filter((other) => other === type).length;
    expect([count("M"), count("E") > 0, count("P") > 0, count("I") > 0]).toEqual([2, true, true, true]);
    expect(count("N")).toBeGreaterThan(count("E") + count("P") + count("I"));
  });

  test("carry the upload flag now and then, and companions keep it only sometimes", () => {
    const card = simulatedCard({ recordings: 100, now: NOW });
    const flagged = card
      .videos()
      .flatMap((name) => parseRecording(name) ?? [])
      .filter(({ flag }) => flag === "L");
    expect(flagged.length).toBeGreaterThan(4);
    const kept = flagged.filter((recording) => card.files.has(recording.namesOf("thm")[1] ?? ""));
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(flagged.length);
  });

  test("read back from their names", () => {
    expect(baseOf(NOW)).toBe("20261121_100000");
    expect(timeOf("20261121_100000")).toBe(NOW);
  });
});

describe("a card", () => {
  test("holds the same bytes every time it is made from the same arguments", async () => {
    const [first, second] = [0, 1].map(() => simulatedCard({ recordings: 30, now: NOW, size: 5000 }));
    expect(first?.names()).toEqual(second?.names() ?? []);
    for (const name of first?.names() ?? []) {
      expect(
        Buffer.from((await first?.bytes(name)) ?? []).equals((await second?.bytes(name)) ?? new Uint8Array()),
      ).toBe(true);
    }
  });

  test("lists its recordings oldest first, the front before the rear", () => {
    const card = simulatedCard({ recordings: 40, now: NOW });
    const names = parseListing(formatListing(card.videos().map((name) => ({ name })))).files.map(({ name }) => name);
    const bases = names.map((name) => name.slice(0, 15));
    expect(bases).toEqual([...bases].sort());
    for (const [index, name] of names.entries()) {
      if (parseRecording(name)?.direction === "R") expect(parseRecording(names[index - 1] ?? "")?.direction).toBe("F");
    }
  });

  test("gives every recording a thumbnail of its own and telemetry shared by its directions", () => {
    const card = simulatedCard({ recordings: 60, now: NOW });
    for (const name of card.names()) expect(parseArtifact(name)).not.toBeNull();
    for (const video of card.videos()) {
      const recording = parseRecording(video);
      if (!recording) throw new Error(video);
      for (const kind of ["thm", "3gf"] as const) {
        expect(recording.namesOf(kind).filter((name) => card.files.has(name))).toHaveLength(1);
      }
    }
  });

  test("takes and loses files by name", async () => {
    const card = new SimulatedCard(syntheticFootage(1000));
    card.record("20261121_101500_NFL.mp4");
    expect(card.names()).toEqual(["N.3gf", "N.gps", "NF.thm", "NFL.mp4"].map((end) => `20261121_101500_${end}`));
    card.record("20261121_101600_NFL.mp4", null, true);
    expect(named(card, /_1016/)).toEqual(
      ["NFL.mp4", "NFL.thm", "NL.3gf", "NL.gps"].map((end) => `20261121_101600_${end}`),
    );
    card.add("20261121_101500_NFL.mp4", new Uint8Array([1, 2, 3]));
    expect(await card.bytes("20261121_101500_NFL.mp4")).toEqual(new Uint8Array([1, 2, 3]));
    card.remove("20261121_101500_NFL.mp4");
    expect(card.files.has("20261121_101500_NFL.mp4")).toBe(false);
    await expect(card.bytes("20261121_101500_NFL.mp4")).rejects.toThrow("The card has no file");
    expect(() => card.record("holiday.mp4")).toThrow("is no recording's name");
  });
});

describe("a synthetic video", () => {
  test("has exactly the size asked for and whole boxes", async () => {
    for (const size of [SMALLEST_VIDEO, SMALLEST_VIDEO + 1, 4096, 65_537, 1_000_003]) {
      const video = syntheticVideo("20261121_101500_NF.mp4", size, 60);
      expect(video.size).toBe(size);
      const bytes = await video.read(0, size);
      expect(bytes).toHaveLength(size);
      expect(await judgeMp4(size, async (at, length) => bytes.subarray(at, at + length))).toBe("whole");
      expect(await secondsOfVideo(video)).toBe(60);
    }
  });

  test("is refused when it cannot even hold its boxes", () => {
    expect(() => syntheticVideo("x", SMALLEST_VIDEO - 1, 60)).toThrow("at least");
  });

  test("reads the same from any place as from the start", async () => {
    const video = syntheticVideo("20261121_101500_NF.mp4", 300_000, 60);
    const whole = await video.read(0, video.size);
    for (const [start, end] of [
      [0, 1],
      [150, 170],
      [155, 157],
      [1001, 1001],
      [4099, 90_002],
      [299_999, 300_000],
    ] as const) {
      expect(Buffer.from(await video.read(start, end)).equals(whole.subarray(start, end))).toBe(true);
    }
  });

  test("differs from every other by its noise", async () => {
    const [first, second] = ["a", "b"].map((name) => syntheticVideo(name, 10_000, 60));
    expect(await first?.read(5000, 5100)).not.toEqual((await second?.read(5000, 5100)) ?? new Uint8Array());
  });

  test("may be larger than memory: its end is read without its beginning", async () => {
    const size = 40 * 1024 ** 3 + 1;
    const video = syntheticVideo("20261121_101500_NF.mp4", size, 60);
    expect(await video.read(size - 1000, size)).toHaveLength(1000);
    expect(await judgeMp4(size, async (at, length) => video.read(at, Math.min(size, at + length)))).toBe("whole");
  });
});

describe("a .gps file", () => {
  const card = simulatedCard({ recordings: 56, now: NOW, offsetMinutes: 600, size: 1000 });
  const drives = named(card, /_[NEM]L?\.gps$/);

  test("has correct checksums, an RMC and a GGA for every second, and stamps in the camera's wall time", async () => {
    for (const name of drives) {
      const fixes = readGps(await card.bytes(name));
      const start = timeOf(name.slice(0, 15));
      expect(fixes.map(({ stamp, kind }) => `${(stamp - start) / 1000} ${kind}`)).toEqual(
        Array.from({ length: 120 }, (_, index) => `${Math.floor(index / 2)} ${index % 2 === 0 ? "RMC" : "GGA"}`),
      );
      const [first] = fixes;
      const utc = baseOf(start - 600 * 60_000);
      expect(first?.fields[0]).toBe(`${utc.slice(9)}.00`);
      expect(first?.fields[8]).toBe(`${utc.slice(6, 8)}${utc.slice(4, 6)}${utc.slice(2, 4)}`);
    }
  });

  test("moves as fast as it says, within a clip and on to the next one", async () => {
    let previous: Fix | null = null;
    let fastest = 0;
    for (const name of drives) {
      for (const fix of readGps(await card.bytes(name))) {
        if (fix.kind !== "RMC") continue;
        if (fix.fields[1] !== "A") {
          previous = null;
          continue;
        }
        const speed = Number(fix.fields[6]) / 1.943844;
        fastest = Math.max(fastest, speed);
        if (previous && fix.stamp - previous.stamp === 1000) {
          const mean = (speed + Number(previous.fields[6]) / 1.943844) / 2;
          expect(Math.abs(distance(previous, fix) - mean)).toBeLessThan(2.5);
        }
        previous = fix;
      }
    }
    expect(fastest * 3.6).toBeGreaterThan(100);
    expect(fastest * 3.6).toBeLessThanOrEqual(120);
  });

  test("stands at lights, drives through tunnels without a fix, and has turned into every direction", async () => {
    const all = (await Promise.all(drives.map((name) => card.bytes(name)))).flatMap(readGps);
    const sentences = all.filter(({ kind }) => kind === "RMC");
    expect(sentences.filter(({ fields }) => fields[1] === "V").length).toBeGreaterThan(20);
    expect(sentences.filter(({ fields }) => fields[6] === "0.000").length).toBeGreaterThan(20);
    const courses = sentences.map(({ fields }) => Math.floor(Number(fields[7] || Number.NaN) / 90));
    for (const quarter of [0, 1, 2, 3]) expect(courses).toContain(quarter);
    for (const { kind, fields } of all)
      if (kind === "GGA" && fields[5] === "0") expect(fields.slice(1, 5)).toEqual(["", "", "", ""]);
  });

  test("is missing while parked, or holds a single fix of the standing car", async () => {
    const parked = [
      ...new Set(
        card
          .videos()
          .filter((name) => /_[PI]/.test(name))
          .map((name) => name.slice(0, 17)),
      ),
    ];
    const present = parked.filter((stem) => named(card, new RegExp(`^${stem}L?\\.gps$`)).length > 0);
    expect(present.length).toBeGreaterThan(0);
    expect(present.length).toBeLessThan(parked.length);
    for (const name of named(card, /_[PI]L?\.gps$/)) {
      const fixes = readGps(await card.bytes(name));
      expect(fixes.map(({ kind }) => kind)).toEqual(["RMC", "GGA"]);
      expect(fixes[0]?.fields[6]).toBe("0.000");
    }
  });

  test("writes checksums as in known sentences", () => {
    expect(sentence("GNRMC,055056.00,A,3348.10000,S,15101.10000,E,0.000,,070626,,,A,V")).toEndWith("*07");
    expect(sentence("GNGGA,055056.00,3348.10000,S,15101.10000,E,1,12,0.68,52.8,M,19.4,M,,")).toEndWith("*6A");
    expect(sentence("GNRMC,055056.00,V,,,,,,,070626,,,N")).toEndWith("*65");
  });
});

describe("a .3gf file", () => {
  const card = simulatedCard({ recordings: 56, now: NOW, size: 1000 });
  const samplesOf = async (pattern: RegExp) => {
    const files = await Promise.all(named(card, pattern).map((name) => card.bytes(name)));
    expect(files.length).toBeGreaterThan(0);
    return files.map(readSensor);
  };
  const peak = (samples: ReturnType<typeof readSensor>, axis: 0 | 1 | 2, sign: 1 | -1) =>
    samples.reduce((best, sample) => (sign * sample.axes[axis] > sign * best.axes[axis] ? sample : best));

  test("has ten records a second over the whole clip, and gravity on its first axis", async () => {
    for (const samples of await samplesOf(/\.3gf$/)) {
      expect(samples.map(({ t }) => t)).toEqual(Array.from({ length: 600 }, (_, index) => index / 10));
      const mean = samples.reduce((sum, { axes }) => sum + axes[0], 0) / samples.length;
      expect(Math.abs(mean - 1)).toBeLessThan(0.05);
    }
  });

  test("shows a hard brake at about 60 % of an event", async () => {
    for (const samples of await samplesOf(/_EL?\.3gf$/)) {
      const brake = peak(samples, 2, -1);
      expect(brake.axes[2]).toBeLessThan(-0.6);
      expect(Math.abs(brake.t - 36)).toBeLessThan(3);
    }
  });

  test("shows a bump in the middle of a parking impact, and nothing while merely parked", async () => {
    for (const samples of await samplesOf(/_IL?\.3gf$/)) {
      const bump = peak(samples, 1, 1);
      expect(bump.axes[1]).toBeGreaterThan(0.9);
      expect(Math.abs(bump.t - 30)).toBeLessThan(0.3);
    }
    for (const samples of await samplesOf(/_PL?\.3gf$/)) {
      for (const { axes } of samples) expect(Math.hypot(axes[0] - 1.01, axes[1], axes[2])).toBeLessThan(0.15);
    }
  });

  test("matches the drive: it leans in corners and brakes where the speed falls", async () => {
    const drives = named(card, /_N\.gps$/).map((name) => name.slice(0, -4));
    let braking = 0;
    let cornering = 0;
    for (const stem of drives) {
      const samples = readSensor(await card.bytes(`${stem}.3gf`));
      const fixes = readGps(await card.bytes(`${stem}.gps`)).filter(
        ({ kind, fields }) => kind === "RMC" && fields[1] === "A",
      );
      const start = timeOf(stem.slice(0, 15));
      for (const [index, fix] of fixes.entries()) {
        const next = fixes[index + 1];
        if (!next || next.stamp - fix.stamp !== 1000) continue;
        const middle = Math.round((fix.stamp - start) / 100) + 5;
        const felt = samples.slice(middle - 5, middle + 5);
        const change = (Number(next.fields[6]) - Number(fix.fields[6])) / 1.943844 / 9.81;
        const mean = felt.reduce((sum, { axes }) => sum + axes[2] + 0.07, 0) / felt.length;
        expect(Math.abs(mean - change)).toBeLessThan(0.12);
        if (change < -0.1) braking++;
        if (felt.some(({ axes }) => Math.abs(axes[1]) > 0.2)) cornering++;
      }
    }
    expect(braking).toBeGreaterThan(10);
    expect(cornering).toBeGreaterThan(10);
  });

  test("ends with ten 0xFF bytes in some files only", async () => {
    const endings = await Promise.all(
      named(card, /\.3gf$/).map(async (name) => (await card.bytes(name)).subarray(-10).every((byte) => byte === 0xff)),
    );
    expect(endings).toContain(true);
    expect(endings).toContain(false);
  });
});

describe("a synthetic thumbnail", () => {
  test("is a baseline JPEG of the size cameras use, one grey per recording", async () => {
    const card = simulatedCard({ recordings: 4, now: NOW, size: 1000 });
    const images = await Promise.all(named(card, /\.thm$/).map((name) => card.bytes(name)));
    for (const image of images) {
      expect([...image.subarray(0, 4), ...image.subarray(-2)]).toEqual([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xd9]);
      const frame = image.findIndex((byte, at) => byte === 0xff && image[at + 1] === 0xc0);
      expect([...image.subarray(frame + 5, frame + 9)]).toEqual([480 >> 8, 480 & 0xff, 704 >> 8, 704 & 0xff]);
    }
    expect(new Set(images.map((image) => image.join())).size).toBe(4);
  });
});

describe("the demo's card", () => {
  test("holds clips that are whole, no two alike, with telemetry as long as they are", async () => {
    const card = simulatedCard({ recordings: 24, now: NOW, footage: await demoFootage() });
    const seen = new Set<string>();
    for (const name of card.videos()) {
      const file = card.files.get(name);
      if (!file) throw new Error(name);
      const bytes = await card.bytes(name);
      expect(bytes).toHaveLength(file.size);
      expect(await judgeMp4(file.size, async (at, length) => bytes.subarray(at, at + length))).toBe("whole");
      expect(text(bytes.subarray(-name.length - 4))).toBe(`free${name}`);
      seen.add(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
      const sensor = named(card, new RegExp(`^${name.slice(0, 17)}L?\\.3gf$`))[0] ?? "";
      const samples = readSensor(await card.bytes(sensor));
      expect(samples.length).toBe(Math.floor((await secondsOfVideo(file)) * 10));
      const recording = parseRecording(name);
      if (!recording) throw new Error(name);
      const thumbnail = recording.namesOf("thm").find((other) => card.files.has(other)) ?? "";
      expect([...(await card.bytes(thumbnail)).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    }
    expect(seen.size).toBe(24);
  });

  test("brakes hard at 60 % of the event's own clip", async () => {
    const card = simulatedCard({ recordings: 24, now: NOW, footage: await demoFootage() });
    for (const name of named(card, /_EL?\.3gf$/)) {
      const samples = readSensor(await card.bytes(name));
      const brake = samples.reduce((best, sample) => (sample.axes[2] < best.axes[2] ? sample : best));
      expect(brake.axes[2]).toBeLessThan(-0.6);
      expect(Math.abs(brake.t - samples.length * 0.06)).toBeLessThan(2.5);
    }
  });
});

describe("the camera's settings", () => {
  test("encode passwords as a camera does", () => {
    expect(encodePassword("throwaway-42")).toBe("672A212B031C1A3A58C29D0068A713E5245A9714C61A2D279E07F9D06760A06C");
    expect(encodePassword("")).toBe("C9A7F63B14BC1F6E532C4025BD640D3658D17CB9646AC01B29E32C427325C71D");
    expect(encodePassword("pässwörd-ü")).toBe("CC3525CA877671E37F7CACA0A510498576C9138873FE3B051F16F9648D4B91C1");
    expect(encodePassword("x".repeat(32))).toBe("ACFECF3F3B6A67EE896E87903EFDCBFB564F429F1A368A306C644946FDCD88C9");
    expect(() => encodePassword("x".repeat(33))).toThrow("at most 32 bytes");
    expect(() => encodePassword("ü".repeat(17))).toThrow("at most 32 bytes");
  });

  test("list every known setting in its section, with CRLF and encoded passwords", () => {
    const counts = new Map<string, number>();
    let section = "";
    for (const line of configIni().split("\r\n")) {
      const header = /^\[(\w+)\]$/.exec(line);
      if (header) section = header[1] ?? "";
      else if (/^[A-Za-z0-9]\w*=/.test(line)) counts.set(section, (counts.get(section) ?? 0) + 1);
      else expect(line).toBe("");
    }
    expect(Object.fromEntries(counts)).toEqual({ Tab1: 19, Tab2: 9, Tab3: 45, Wifi: 4, Cloud: 8 });
    expect(configIni().match(/_pw=[0-9A-F]{64}\r\n/g)).toHaveLength(4);
    expect(configIni()).toContain(`sta_pw=${encodePassword("DemoHome-123")}`);
  });

  test("name model and firmware in version.bin", () => {
    expect(versionBin()).toContain("[firmware]\r\nversion = 1.015\r\nmodel = DR900X Plus\r\n");
  });
});
