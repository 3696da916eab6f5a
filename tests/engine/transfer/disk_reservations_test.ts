import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiskBudget } from "../../../server/engine/transfer/disk_budget.ts";
import { DiskReservations } from "../../../server/engine/transfer/disk_reservations.ts";
import { FakeClock } from "../../support/app/clock.ts";

/** Steps of two runs: `car` reads the disk once, then this happens, and it sees so many bytes of the van's. */
const PLAN: readonly [does: string, steps: (van: Van) => void, sees: number][] = [
  ["has begun nothing", () => {}, 0],
  ["has begun a file", (van) => van.begin(500), 500],
  [
    "has written half of a file",
    (van) => {
      van.begin(500);
      van.file.wrote(250);
    },
    // The reading of the car is from before these bytes.
    500,
  ],
  [
    "has written half of a file, and the disk was read since",
    (van) => {
      van.begin(500);
      van.file.wrote(250);
      van.carReads();
    },
    250,
  ],
  [
    "has brought its file home, and the disk was read since",
    (van) => {
      van.begin(500);
      van.file.wrote(500);
      van.file.end();
      van.carReads();
    },
    0,
  ],
  [
    "has given up the rest of its file",
    (van) => {
      van.begin(500);
      van.file.wrote(100);
      van.file.end();
    },
    100,
  ],
  [
    "goes on with the file that it had given up",
    (van) => {
      van.begin(500);
      van.file.wrote(100);
      van.file.end();
      van.begin(400);
    },
    500,
  ],
  [
    "sends more than was reserved",
    (van) => {
      van.begin(500);
      van.carReads();
      van.file.wrote(800);
      van.carReads();
    },
    0,
  ],
  [
    "was stopped in the middle of a file",
    (van) => {
      van.begin(500);
      van.file.wrote(100);
      van.run.end();
    },
    100,
  ],
  [
    "was stopped in the middle of a file, and the disk was read since",
    (van) => {
      van.begin(500);
      van.file.wrote(100);
      van.run.end();
      van.carReads();
    },
    0,
  ],
  [
    "was stopped, and its file ends only now",
    (van) => {
      van.begin(500);
      van.run.end();
      van.file.end();
      van.carReads();
    },
    0,
  ],
  [
    "goes on to another disk",
    (van) => {
      van.begin(500);
      van.run.beginReading(8);
    },
    0,
  ],
];

class Van {
  readonly run;
  readonly carReads: () => void;
  #file: ReturnType<Van["run"]["reserve"]> | null = null;

  constructor(all: DiskReservations, carReads: () => void) {
    this.run = all.begin();
    this.run.beginReading(7);
    this.carReads = carReads;
  }
  begin(bytes: number): void {
    this.#file = this.run.reserve(bytes);
  }
  get file() {
    if (this.#file === null) throw new Error("no file was begun");
    return this.#file;
  }
}

describe("a camera that shares its disk with another one, which", () => {
  test.each(PLAN)("%s, leaves it the room beside that", (_, steps, sees) => {
    const all = new DiskReservations();
    const car = all.begin();
    const carReads = () => car.beginReading(7);
    const van = new Van(all, carReads);
    carReads();
    steps(van);
    expect(car.ofOthers).toBe(sees);
  });
});

test("a run that begins later is seen by those that read the disk before", () => {
  const all = new DiskReservations();
  const car = all.begin();
  car.beginReading(7);
  const van = all.begin();
  van.beginReading(7);
  van.reserve(300);
  expect([car.ofOthers, van.ofOthers]).toEqual([300, 0]);
});

test("a run sees nothing of another disk, nor of one that cannot be named", () => {
  const all = new DiskReservations();
  const [car, van, bus] = [all.begin(), all.begin(), all.begin()];
  car.beginReading(7);
  van.beginReading(8);
  bus.beginReading(null);
  for (const run of [car, van, bus]) run.reserve(100);
  expect([car, van, bus].map((run) => run.ofOthers)).toEqual([0, 0, 0]);
});

describe("two budgets on one disk", () => {
  function twoBudgets() {
    const root = mkdtempSync(join(tmpdir(), "reserve-"));
    const reservations = new DiskReservations();
    const clock = new FakeClock();
    const budget = () => new DiskBudget({ root, clock, written: () => 0, reservations });
    return { car: budget(), van: budget(), clock, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
  }

  test("give the last room to one of two that ask for it at the same moment", async () => {
    using both = twoBudgets();
    await Promise.all([both.car.read(), both.van.read()]);
    const { room } = await both.car.reserve(100, 0);
    // Other processes may write to the disk of the tests.
    const most = Math.floor(room * 0.7);
    const answers = await Promise.all([both.car.reserve(100, most), both.van.reserve(100, most)]);
    expect(answers.map(({ reservation }) => reservation?.left ?? null)).toEqual([most, null]);
    expect(answers[1]?.room).toBeLessThan(most);
  });

  test("give it back when its run ends, also when that ends before its file", async () => {
    using both = twoBudgets();
    await Promise.all([both.car.read(), both.van.read()]);
    const { room } = await both.car.reserve(100, 0);
    const most = Math.floor(room * 0.7);
    await both.car.reserve(100, most);
    expect((await both.van.reserve(100, most)).reservation).toBeNull();
    both.car.end();
    expect((await both.van.reserve(100, most)).reservation?.left).toBe(most);
  });

  test("give a file of unknown length as much as there is, and nothing when that is too little", async () => {
    using both = twoBudgets();
    await Promise.all([both.car.read(), both.van.read()]);
    const { room } = await both.car.reserve(100, 0);
    const first = await both.car.reserve(100, 10, room * 2);
    expect(first.reservation?.left).toBeWithin(1, room * 2);
    expect((await both.van.reserve(100, room)).reservation).toBeNull();
  });
});
