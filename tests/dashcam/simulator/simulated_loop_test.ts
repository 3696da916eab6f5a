import { expect, test } from "bun:test";
import { LoopRecording, type Overwriting, type Stored } from "../../../server/dashcam/simulator/simulated_loop.ts";

/** Names that are overwritten by each of these recordings, of size 1, and what is left in the end. */
function written(overwriting: Overwriting, capacity: number, types: string) {
  const loop = new LoopRecording<Stored>(capacity, overwriting);
  const gone = [...types].map((type, index) =>
    loop.write({ name: `${type}${index}`, type, size: 1 }).map(({ name }) => name),
  );
  return { gone, left: [...loop.stored()].map(({ name }) => name) };
}

test("The oldest of all goes when a card without shares is full, whatever it is", () => {
  expect(written("oldest", 3, "ENPNN")).toEqual({ gone: [[], [], [], ["E0"], ["N1"]], left: ["P2", "N3", "N4"] });
});

test("With shares the oldest of its own kind goes, and the others stay", () => {
  const { gone, left } = written("quotas", 10, "EPNNNNNNNNPPEIM");
  expect(gone).toEqual([[], [], [], [], [], [], [], [], ["N2"], ["N3"], [], ["P1"], ["E0"], ["E12"], ["I13"]]);
  expect(left).toEqual(["N4", "N5", "N6", "N7", "N8", "N9", "P10", "P11", "M14"]);
});

test("A large recording takes the room of several, and the newest stays on a card that is too small for it", () => {
  const loop = new LoopRecording<Stored>(10, "oldest");
  for (const name of ["a", "b", "c"]) loop.write({ name, type: "N", size: 3 });
  expect(loop.write({ name: "d", type: "N", size: 6 }).map(({ name }) => name)).toEqual(["a", "b"]);
  expect(loop.write({ name: "e", type: "N", size: 60 }).map(({ name }) => name)).toEqual(["c", "d"]);
  expect([...loop.stored()].map(({ name }) => name)).toEqual(["e"]);
});

test("A card that is written over many times keeps what it holds", () => {
  const loop = new LoopRecording<Stored>(50, "oldest");
  let gone = 0;
  for (let index = 0; index < 5000; index++) gone += loop.write({ name: String(index), type: "N", size: 1 }).length;
  expect(gone).toBe(4950);
  expect([...loop.stored()].map(({ name }) => Number(name))).toEqual(Array.from({ length: 50 }, (_, i) => 4950 + i));
});
