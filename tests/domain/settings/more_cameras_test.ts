import { describe, expect, test } from "bun:test";
import { folderBeside } from "../../../server/domain/settings/camera_folder.ts";
import { addressIn, isCameraId, keyIn, keysByCamera, splitKey } from "../../../server/domain/settings/camera_key.ts";
import { idFor } from "../../../server/domain/settings/camera_name.ts";
import { readCameras } from "../../../server/domain/settings/more_cameras.ts";
import { initialSettings, type Settings } from "../../../server/domain/settings/settings.ts";

const MAIN: Settings = {
  ...initialSettings(),
  connection: { ...initialSettings().connection, address: "192.168.1.64" },
  system: { ...initialSettings().system, destination: "/recordings" },
};

function read(more_cameras: unknown, main_camera?: unknown) {
  const { cameras, warnings } = readCameras({ main_camera, more_cameras }, MAIN, []);
  return { cameras, ids: cameras.map(({ id }) => id), warnings };
}

describe("the cameras of a settings file", () => {
  test("are the first one alone where no others are named", () => {
    for (const none of [undefined, []]) expect(read(none)).toMatchObject({ ids: ["main"], warnings: [] });
    expect(read(undefined).cameras[0]).toMatchObject({ name: "Camera", letter: "C", settings: MAIN });
  });

  test("have their own sections, the defaults where these are missing, and share all others", () => {
    const van = { id: "van", name: "Van", connection: { address: "192.168.1.66" }, sync: { priority: "type" } };
    const [, found] = read([van]).cameras;
    expect(found?.settings).toEqual({
      ...MAIN,
      connection: { ...initialSettings().connection, address: "192.168.1.66" },
      schedule: initialSettings().schedule,
      sync: { ...initialSettings().sync, priority: "type" },
      retention: initialSettings().retention,
      system: { ...MAIN.system, destination: "/van" },
    });
  });

  const USABLE = { id: "van", connection: { address: "192.168.1.66" } };
  const LEFT_OUT: readonly (readonly [what: string, entry: unknown, told: string])[] = [
    ["is no object", "van", "number 2"],
    ["has no id", { name: "Van" }, "number 2"],
    ["has an id in capitals", { id: "Van 2" }, "Van 2"],
    ["has the id of the first camera", { id: "main" }, "main"],
    ["has the id that stands for all", { id: "all" }, "all"],
    ["has an id that another has", { id: "van" }, "van"],
    ["has a name that is no text", { id: "truck", name: 7 }, "truck"],
    ["has a folder that is no whole path", { id: "truck", destination: "truck" }, "truck"],
    ["has a section that is a list", { id: "truck", sync: [] }, "truck"],
    ["has the address of another", { id: "truck", connection: { address: "192.168.1.66:80" } }, "van"],
    ["has the folder of another", { id: "truck", destination: "/recordings/" }, "Camera"],
    ["has a folder around another's", { id: "truck", destination: "/" }, "Camera"],
  ];
  test.each(LEFT_OUT)("leave out an entry that %s, with one warning", (_, entry, told) => {
    const { ids, warnings } = read([USABLE, entry]);
    expect([ids, warnings.length]).toEqual([["main", "van"], 1]);
    expect(warnings[0]).toContain(told);
  });

  test("may have a folder below another's", () => {
    expect(read([{ id: "van", destination: "/recordings/van" }])).toMatchObject({ ids: ["main", "van"], warnings: [] });
  });

  test("keep an entry with a wrong value, which falls back as at the top of the file", () => {
    const { cameras, warnings } = read([{ id: "van", retention: { keep: "for ever and a day" } }]);
    expect(warnings).toEqual([expect.stringContaining("retention.keep")]);
    expect(cameras[1]?.settings.retention.keep).toBe("");
    expect(cameras[1]?.unusable).toMatchObject([{ path: "retention.keep" }]);
  });

  test("may lie below another camera's folder, but not where that groups recordings by date", () => {
    const conflictsIn = (folder: string) =>
      readCameras({ more_cameras: [{ id: "van", destination: folder }] }, MAIN, []).conflicts.map(
        ({ message }) => message,
      );
    const { destination } = MAIN.system;
    for (const name of ["2026", "2026-06", "2026-06-07/", "1969-12-29"])
      expect(conflictsIn(`${destination}/${name}`)).toEqual([
        "its folder is one in which Camera groups recordings by date",
      ]);
    for (const name of ["van", "2026-13", "2026/van", "van/2026"])
      expect(conflictsIn(`${destination}/${name}`)).toEqual([]);
  });

  test("are forty where forty are named", () => {
    const forty = Array.from({ length: 40 }, (_, at) => ({ id: `van-${at}`, name: `Van ${at}` }));
    const { cameras, warnings } = read(forty);
    expect([cameras.length, warnings]).toEqual([41, []]);
    expect(new Set(cameras.map(({ letter }) => letter)).size).toBe(41);
  });
});

test("a letter is the first free one of the name, and the number where names begin alike", () => {
  const lettersOf = (names: readonly (string | { name: string; letter: string })[]) => {
    const entries = names.map((one, at) => ({ id: `c${at}`, ...(typeof one === "string" ? { name: one } : one) }));
    return read(entries, { name: "Golf" })
      .cameras.slice(1)
      .map(({ letter }) => letter);
  };
  expect(lettersOf(["Van", "Bus"])).toEqual(["V", "B"]);
  expect(lettersOf(["Trailer", "Truck"])).toEqual(["T", "R"]);
  expect(lettersOf(["Van 1", "Van 2", "Van 12"])).toEqual(["1", "2", "12"]);
  expect(lettersOf(["G"])).toEqual(["1"]);
  expect(lettersOf(["Ärger", "Öl"])).toEqual(["Ä", "Ö"]);
  expect(lettersOf([{ name: "Van", letter: "X" }, "Xylo"])).toEqual(["X", "Y"]);
  expect(lettersOf(["🚐"])).toEqual(["1"]);
});

test("an id comes from the name, and is free", () => {
  expect(idFor("Van", [])).toBe("van");
  expect(idFor("Élodie’s Van 3", [])).toBe("elodie-s-van-3");
  expect(idFor("Van", ["van", "van-2"])).toBe("van-3");
  expect(idFor("货车", [])).toBe("camera");
  for (const name of ["Van", "-", "a".repeat(90), "Élodie’s Van 3"])
    expect(isCameraId(idFor(name, ["camera"]))).toBe(true);
  expect([isCameraId("all"), isCameraId("-van"), isCameraId("van_1"), isCameraId("")]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("a folder for which none is set lies beside that of the first camera", () => {
  expect(folderBeside("/recordings", "van")).toBe("/van");
  expect(folderBeside("/mnt/nas/car/", "van")).toBe("/mnt/nas/van");
  expect(folderBeside("recordings", "van")).toBe("van");
});

test("keys and addresses of a further camera carry its id, those of the first do not", () => {
  const key = "20260607_101500_N";
  expect([keyIn("main", key), keyIn("van", key)]).toEqual([key, `van~${key}`]);
  expect(splitKey(key)).toEqual({ camera: null, bare: key });
  expect(splitKey(`van~${key}`)).toEqual({ camera: "van", bare: key });
  expect(addressIn("van", `/media/2026-06/${key}F.mp4`)).toBe(`/media/~van/2026-06/${key}F.mp4`);
  expect(addressIn("van", `/api/trash/${key}/thumbnail`)).toBe(`/api/trash/van~${key}/thumbnail`);
  expect(addressIn("main", `/media/${key}F.mp4`)).toBe(`/media/${key}F.mp4`);
  expect([...keysByCamera([key, `van~${key}`, `main~${key}`])]).toEqual([
    ["main", [key, key]],
    ["van", [key]],
  ]);
});
