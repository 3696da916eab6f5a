import { describe, expect, test } from "bun:test";
import {
  baseOfMoment,
  dayNumber,
  dayOfMoment,
  dayText,
  hasNoAge,
  isGroupKey,
  letterOfMoment,
  momentKey,
  momentNumber,
  secondsOfMoment,
  TYPE_LETTERS,
} from "../../../server/domain/recordings/moment_number.ts";
import {
  ARTIFACT_KINDS,
  type ArtifactKind,
  baseOf,
  dateOf,
  directionOf,
  endingHash,
  endingNumber,
  endingOf,
  groupOf,
  hasEnding,
  hasUnsetClock,
  isPossibleMoment,
  nameOf,
  ordinalOf,
  parseArtifact,
  parseRecording,
  readRecordingName,
  secondsOf,
  timeOf,
  typeOf,
  withOrdinal,
} from "../../../server/domain/recordings/recording_name.ts";
import { VIDEO_ENDINGS } from "../../../server/domain/sync/camera_list.ts";

const BASE = "20260607_101500";
const TYPES_IN_ORDER = "MEIBOATRXGDLYFNP";
const DIRECTION_LETTERS = "FRIO";

/** The parsed form of a video's name that must be good. */
function recording(name: string) {
  const parsed = parseRecording(name);
  if (!parsed) throw new Error(`${name} should be a recording`);
  return parsed;
}

describe("parseRecording()", () => {
  test("reads every type in every direction, with and without an upload flag", () => {
    for (const type of TYPES_IN_ORDER)
      for (const direction of DIRECTION_LETTERS)
        for (const flag of ["", "L", "S"]) {
          const name = `${BASE}_${type}${direction}${flag}.mp4`;
          expect(parseRecording(name)).toMatchObject({ name, kind: "mp4", base: BASE, type, direction, flag });
        }
  });

  test("keeps letters that are not in the tables", () => {
    for (const letters of ["CF", "ZR", "NX", "QK", "VA"])
      expect(recording(`${BASE}_${letters}.mp4`)).toMatchObject({ type: letters[0], direction: letters[1], flag: "" });
  });

  test("reads L and S after the type as a direction, and only after that as a flag", () => {
    expect(recording(`${BASE}_NL.mp4`)).toMatchObject({ direction: "L", flag: "" });
    expect(recording(`${BASE}_NLL.mp4`)).toMatchObject({ direction: "L", flag: "L" });
    expect(recording(`${BASE}_LSS.mp4`)).toMatchObject({ type: "L", direction: "S", flag: "S" });
  });

  const strangers = [
    "",
    "invalid.gif",
    `${BASE}.mp4`,
    `${BASE}_.mp4`,
    `${BASE}_N.mp4`,
    `${BASE}_PF.mp3`,
    `${BASE}_NF.MP4`,
    `${BASE}_NF.mp4.bak`,
    `${BASE}_NF.mp4\n`,
    ` ${BASE}_NF.mp4`,
    `.${BASE}_NF.mp4`,
    `x${BASE}_NF.mp4`,
    `${BASE}_nf.mp4`,
    `${BASE}_1F.mp4`,
    `${BASE}_N1.mp4`,
    `${BASE}_NFX.mp4`,
    `${BASE}_NFLS.mp4`,
    `${BASE}_NF.thm`,
    `${BASE}-NF.mp4`,
    `../${BASE}_NF.mp4`,
    "2026067_101500_NF.mp4",
    "20260607_10150_NF.mp4",
    "20260607101500_NF.mp4",
    "٢٠٢٦٠٦٠٧_١٠١٥٠٠_NF.mp4",
    "２０２６０６０７_101500_NF.mp4",
    `${BASE}_ÄF.mp4`,
  ];
  for (const name of strangers)
    test(`takes ${JSON.stringify(name)} for no recording at all`, () => expect(readRecordingName(name)).toBeNull());
});

test("readRecordingName() agrees with the plain definition on names changed in one place", () => {
  const SHAPE = /^[0-9]{8}_[0-9]{6}_[A-Z][A-Z][LS]?\.mp4$/;
  const letters = [..."09AFLSZ_.p4/af\u0660é\n", ""];
  for (const name of [`${BASE}_NF.mp4`, `${BASE}_NFL.mp4`, `${BASE}_PS.mp4`])
    for (let at = 0; at <= name.length; at++)
      for (const letter of letters)
        for (const length of [0, 1]) {
          const changed = name.slice(0, at) + letter + name.slice(at + length);
          const read = readRecordingName(changed);
          expect([changed, read !== null]).toEqual([changed, SHAPE.test(changed)]);
          if (read !== null && read !== "impossible")
            expect(`${read.base}_${read.type}${read.direction}${read.flag}.mp4`).toBe(changed);
          else if (read === "impossible") expect(isPossibleMoment(changed.slice(0, 15))).toBe(false);
        }
});

describe("dates in names", () => {
  const possible = [
    "20240229_000000",
    "20000229_235959",
    "20260131_120000",
    "20260430_120000",
    "20261231_235959",
    "19700101_000000",
    "19990101_000000",
    "99991231_235959",
  ];
  const impossible = [
    "20230229_120000",
    "21000229_120000",
    "20240230_120000",
    "20260431_120000",
    "20260631_120000",
    "20260931_120000",
    "20261131_120000",
    "20260132_120000",
    "20260100_120000",
    "20260001_120000",
    "20261301_120000",
    "20260607_240000",
    "20260607_106000",
    "20260607_101560",
    "20251345_250000",
    "00000000_000000",
    "19691231_235959",
  ];
  for (const base of possible)
    test(`${base} can be`, () => {
      expect(isPossibleMoment(base)).toBe(true);
      expect(recording(`${base}_NF.mp4`).base).toBe(base);
    });
  for (const base of impossible)
    test(`${base} cannot be, and is told apart from a foreign name`, () => {
      expect(isPossibleMoment(base)).toBe(false);
      expect(readRecordingName(`${base}_NF.mp4`)).toBe("impossible");
      expect(parseRecording(`${base}_NF.mp4`)).toBeNull();
      expect(parseArtifact(`${base}_NF.thm`)).toBeNull();
      expect(parseArtifact(`${base}_N.gps`)).toBeNull();
    });

  test("every day of a leap year and of a common year is told right", () => {
    for (const year of [2023, 2024])
      for (let month = 1; month <= 12; month++)
        for (let day = 0; day <= 32; day++) {
          const two = (value: number) => String(value).padStart(2, "0");
          const date = new Date(Date.UTC(year, month - 1, day));
          const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
          expect(isPossibleMoment(`${year}${two(month)}${two(day)}_000000`)).toBe(exists);
        }
  });

  test("hasUnsetClock() knows the names of a camera whose clock was never set", () => {
    for (const base of ["19700101_000000", "19990101_081503", "20091231_235959"])
      expect(hasUnsetClock(base)).toBe(true);
    for (const base of ["20100101_000000", "20180101_000000", BASE]) expect(hasUnsetClock(base)).toBe(false);
  });
});

describe("parseArtifact()", () => {
  const read: [name: string, kind: ArtifactKind, type: string, direction: string, flag: string][] = [
    [`${BASE}_NF.mp4`, "mp4", "N", "F", ""],
    [`${BASE}_PRL.mp4`, "mp4", "P", "R", "L"],
    [`${BASE}_NF.thm`, "thm", "N", "F", ""],
    [`${BASE}_EIS.thm`, "thm", "E", "I", "S"],
    [`${BASE}_NL.thm`, "thm", "N", "L", ""],
    [`${BASE}_N.3gf`, "3gf", "N", "", ""],
    [`${BASE}_NL.3gf`, "3gf", "N", "", "L"],
    [`${BASE}_NS.gps`, "gps", "N", "", "S"],
    [`${BASE}_L.gps`, "gps", "L", "", ""],
    [`${BASE}_LL.gps`, "gps", "L", "", "L"],
    [`${BASE}_Z.gps`, "gps", "Z", "", ""],
  ];
  for (const [name, kind, type, direction, flag] of read)
    test(`reads ${name}`, () =>
      expect(parseArtifact(name)).toMatchObject({ name, kind, base: BASE, type, direction, flag }));

  for (const name of [
    `${BASE}_N.mp4`,
    `${BASE}_N.thm`,
    `${BASE}_NF.gps`,
    `${BASE}_NFL.3gf`,
    `${BASE}_NLS.gps`,
    `${BASE}_.gps`,
    `${BASE}.3gf`,
    `${BASE}_NF.mp4.failed`,
    `.${BASE}_NF.mp4`,
    `${BASE}_NF.txt`,
    `${BASE}_NF.thm\n`,
  ])
    test(`takes ${JSON.stringify(name)} for no artifact`, () => expect(parseArtifact(name)).toBeNull());
});

describe("namesOf()", () => {
  test("names a thumbnail by direction, and telemetry by the moment alone", () => {
    const video = recording(`${BASE}_ER.mp4`);
    expect(video.namesOf("thm")).toEqual([`${BASE}_ER.thm`]);
    expect(video.namesOf("3gf")).toEqual([`${BASE}_E.3gf`]);
    expect(video.namesOf("gps")).toEqual([`${BASE}_E.gps`]);
  });

  test("tries the plain name before the flagged one", () => {
    const video = recording(`${BASE}_NFL.mp4`);
    expect(video.namesOf("thm")).toEqual([`${BASE}_NF.thm`, `${BASE}_NFL.thm`]);
    expect(video.namesOf("gps")).toEqual([`${BASE}_N.gps`, `${BASE}_NL.gps`]);
  });

  test("gives names that parseArtifact() reads back as the same moment", () => {
    for (const type of `${TYPES_IN_ORDER}CZ`)
      for (const direction of `${DIRECTION_LETTERS}LSX`)
        for (const flag of ["", "L", "S"])
          for (const kind of ["thm", "3gf", "gps"] as const) {
            const video = recording(`${BASE}_${type}${direction}${flag}.mp4`);
            for (const name of video.namesOf(kind))
              expect(parseArtifact(name)).toMatchObject({
                kind,
                base: BASE,
                type,
                direction: kind === "thm" ? direction : "",
              });
          }
  });

  test("a recording's video is fetched before its companions", () => {
    expect(ARTIFACT_KINDS).toEqual(["mp4", "thm", "3gf", "gps"]);
  });
});

describe("what stands in a name", () => {
  const rows: [name: string, group: string, ending: string, type: string, direction: string, iso: string][] = [
    ["20260607_235959_NF.mp4", "20260607_235959_N", "F.mp4", "N", "F", "2026-06-07T23:59:59Z"],
    ["20260401_101112_ERL.thm", "20260401_101112_E", "RL.thm", "E", "R", "2026-04-01T10:11:12Z"],
    ["19700101_000000_AF.mp4", "19700101_000000_A", "F.mp4", "A", "F", "1970-01-01T00:00:00Z"],
    ["20991231_235959_Z.gps", "20991231_235959_Z", ".gps", "Z", ".", "2099-12-31T23:59:59Z"],
  ];
  for (const [name, group, ending, type, direction, iso] of rows)
    test(`${name}, and its group's key and number say the same`, () => {
      expect([groupOf(name), endingOf(name), directionOf(name)]).toEqual([group, ending, direction]);
      expect([hasEnding(name, ending), hasEnding(name, `x${ending}`), hasEnding(name, ".p4")]).toEqual([
        true,
        false,
        false,
      ]);
      expect(endingHash(name)).toBe(endingHash(`20000101_000000_N${ending}`));
      const [date = "", time = ""] = iso.slice(0, -1).split("T");
      for (const text of [name, group]) {
        expect([typeOf(text), dateOf(text), timeOf(text)]).toEqual([type, date, time]);
        expect([baseOf(text), secondsOf(text)]).toEqual([group.slice(0, 15), Date.parse(iso) / 1000]);
      }
      const moment = momentNumber(name);
      expect([momentKey(moment), TYPE_LETTERS[letterOfMoment(moment)]]).toEqual([group, type]);
      expect(baseOfMoment(moment)).toBe(baseOfMoment(momentNumber(`${group.slice(0, 15)}_X`)));
      expect([dayText(dayOfMoment(moment)), dayOfMoment(moment)]).toEqual([date, dayNumber(date)]);
      expect([secondsOfMoment(moment), hasNoAge(moment)]).toEqual([Date.parse(iso) / 1000, hasUnsetClock(name)]);
      expect([isGroupKey(group), isGroupKey(name)]).toEqual([true, false]);
    });

  for (const key of ["", "20260607_101500", "20260607_101500_n", "20260607-101500_N", "2026060x_101500_N"])
    test(`${JSON.stringify(key)} is no group's key and has no number`, () => {
      expect([isGroupKey(key), momentNumber(key)]).toEqual([false, -1]);
    });

  test("a time of the day that cannot be has no number", () => {
    for (const time of ["240000", "006000", "000060"]) expect(momentNumber(`20260607_${time}_N`)).toBe(-1);
  });

  test("the numbers of moments are in the order of their time, type and number, up to the last year", () => {
    const keys = ["00000101_000000_A", "19700101_000010_N", "19700101_000010_N.2", "19700101_000010_N.40"];
    keys.push("19700101_000010_P", "19700101_000011_A", "20260607_101500_N", "99991231_235959_Z.40");
    const numbers = keys.map(momentNumber);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect([numbers.every(Number.isSafeInteger), new Set(numbers).size]).toEqual([true, keys.length]);
    expect(numbers.map(momentKey)).toEqual(keys);
  });

  test("every ending of a video has a number of its own", () => {
    const numbers = VIDEO_ENDINGS.map((ending) => endingNumber(`20260607_101500_N${ending}`));
    expect(numbers).toEqual(VIDEO_ENDINGS.map((_, at) => at));
  });
});

describe("namesakes", () => {
  const rows: [name: string, first: string, key: string, ending: string, ordinal: number][] = [
    ["20180101_000010_NF.2.mp4", "20180101_000010_NF.mp4", "20180101_000010_N.2", "F.mp4", 2],
    ["20180101_000010_NFL.2.mp4", "20180101_000010_NFL.mp4", "20180101_000010_N.2", "FL.mp4", 2],
    ["20180101_000010_NF.2.thm", "20180101_000010_NF.thm", "20180101_000010_N.2", "F.thm", 2],
    ["20180101_000010_N.2.gps", "20180101_000010_N.gps", "20180101_000010_N.2", ".gps", 2],
    ["20180101_000010_N.3.3gf", "20180101_000010_N.3gf", "20180101_000010_N.3", ".3gf", 3],
    ["20180101_000010_NL.40.gps", "20180101_000010_NL.gps", "20180101_000010_N.40", "L.gps", 40],
    ["20180101_000010_NF.2.mp4.failed", "20180101_000010_NF.mp4.failed", "20180101_000010_N.2", "F.mp4.failed", 2],
    ["20180101_000010_N.3gf", "20180101_000010_N.3gf", "20180101_000010_N", ".3gf", 1],
  ];
  for (const [name, first, key, ending, ordinal] of rows)
    test(`${name} is number ${ordinal} of ${first}`, () => {
      expect([ordinalOf(name), groupOf(name), endingOf(name), nameOf(key, ending)]).toEqual([
        ordinal,
        key,
        ending,
        name,
      ]);
      expect([withOrdinal(first, ordinal), withOrdinal(name, 1)]).toEqual([name, first]);
      expect([hasEnding(name, ending), endingHash(name)]).toEqual([true, endingHash(first)]);
      expect([isGroupKey(key), momentKey(momentNumber(name)), momentNumber(key)]).toEqual([
        true,
        key,
        momentNumber(name),
      ]);
      if (!name.endsWith(".failed")) expect(parseArtifact(name)).toMatchObject({ key, ordinal });
    });

  test("a video's companions have its number", () => {
    const video = recording("20180101_000010_NFL.2.mp4");
    expect(video.stem).toBe("20180101_000010_NF.2");
    expect(video.namesOf("thm")).toEqual(["20180101_000010_NF.2.thm", "20180101_000010_NFL.2.thm"]);
    expect(video.namesOf("gps")).toEqual(["20180101_000010_N.2.gps", "20180101_000010_NL.2.gps"]);
    expect(endingNumber(video.name)).toBe(endingNumber("20180101_000010_NFL.mp4"));
  });

  for (const name of [
    "NF.1.mp4",
    "NF.02.mp4",
    "NF.41.mp4",
    "NF.100.mp4",
    "NF.2.3.mp4",
    "NF2.mp4",
    "N.2F.mp4",
    "NF..mp4",
  ])
    test(`…_${name} is no recording's name`, () => {
      expect(readRecordingName(`20180101_000010_${name}`)).toBeNull();
      expect(parseArtifact(`20180101_000010_${name}`)).toBeNull();
    });

  for (const key of ["20180101_000010_N.1", "20180101_000010_N.02", "20180101_000010_N.41", "20180101_000010_NF.2"])
    test(`${key} is no group's key`, () => {
      expect(isGroupKey(key)).toBe(false);
    });
});
