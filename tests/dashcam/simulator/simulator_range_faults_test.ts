import { describe, expect, test } from "bun:test";
import { PATH, raw, SIZE, simulatedCameras } from "../../support/camera/simulated_camera.ts";

const { faulty } = simulatedCameras();

describe("faults", () => {
  test("ignores-range gives 200 and everything", async () => {
    const { status, headers, body, content } = await faulty({ name: "ignores-range" }, { range: "bytes=1000-" });
    expect([status, headers.has("Content-Range"), body.equals(content)]).toEqual(["HTTP/1.1 200 OK", false, true]);
    expect((await faulty({ name: "ignores-range" }, { range: `bytes=${SIZE}-` })).body).toHaveLength(SIZE);
  });

  test("wrong-range gives another range than asked for, and says so", async () => {
    const first = await faulty({ name: "wrong-range" }, { range: "bytes=1000-" });
    expect([first.headers.get("Content-Range"), first.body.length]).toEqual([`bytes 0-${SIZE - 1}/${SIZE}`, SIZE]);
    const second = await faulty({ name: "wrong-range", value: 1003 }, { range: "bytes=1000-" });
    expect(second.headers.get("Content-Range")).toBe(`bytes 1003-${SIZE - 1}/${SIZE}`);
    expect(second.body.equals(second.content.subarray(1003))).toBe(true);
  });

  test("range-416 refuses a range that exists, with the true size", async () => {
    const { status, headers } = await faulty({ name: "range-416" }, { range: "bytes=1000-" });
    expect([status.slice(9, 12), headers.get("Content-Range")]).toEqual(["416", `bytes */${SIZE}`]);
  });

  test("no-content-range and unknown-total leave the client without the range or the total", async () => {
    const none = await faulty({ name: "no-content-range" }, { range: "bytes=1000-" });
    expect([none.status.slice(9, 12), none.headers.has("Content-Range"), none.body.length]).toEqual([
      "206",
      false,
      SIZE - 1000,
    ]);
    const star = await faulty({ name: "unknown-total" }, { range: "bytes=1000-" });
    expect(star.headers.get("Content-Range")).toBe(`bytes 1000-${SIZE - 1}/*`);
  });

  test("range faults do not bring a missing file to life", async () => {
    for (const name of [
      "ignores-range",
      "wrong-range",
      "range-416",
      "no-content-range",
      "range-empty",
      "range-empty-206",
    ] as const) {
      const answer = await faulty({ name }, { range: "bytes=0-" }, "/Record/20260101_000000_NF.mp4");
      expect(answer.status).toBe("HTTP/1.1 404 Not Found");
    }
  });
});

describe("faults of a range request", () => {
  test.each([400, 403, 404, 405, 500, 501, 204])(
    "range-status %p refuses the range and nothing else",
    async (value) => {
      const { status, body, content, simulator } = await faulty({ name: "range-status", value }, { range: "bytes=5-" });
      expect(status).toStartWith(`HTTP/1.1 ${value} `);
      expect(body.length < 20).toBe(true);
      expect((await raw(simulator, PATH)).body.equals(content)).toBe(true);
      expect((await raw(simulator, PATH, { range: "bytes=5-9" })).status).toStartWith(`HTTP/1.1 ${value} `);
    },
  );

  test("range-hang-up and range-reset say nothing to a range request", async () => {
    for (const [name, end] of [
      ["range-hang-up", "closed"],
      ["range-reset", "reset"],
    ] as const) {
      const answer = await faulty({ name }, { range: "bytes=5-" });
      expect([answer.all.length, answer.end]).toEqual([0, end]);
      expect((await raw(answer.simulator, PATH)).body.equals(answer.content)).toBe(true);
    }
  });

  test("range-empty answers 200 and no bytes", async () => {
    const { status, headers, body } = await faulty({ name: "range-empty" }, { range: "bytes=5-" });
    expect([status, headers.get("Content-Length"), body.length]).toEqual(["HTTP/1.1 200 OK", "0", 0]);
    expect((await faulty({ name: "range-empty" })).body).toHaveLength(SIZE);
  });

  test("range-empty-206 names the range and sends none of it, at the very end too", async () => {
    for (const start of [5, SIZE]) {
      const answer = await faulty({ name: "range-empty-206" }, { range: `bytes=${start}-` });
      expect(answer.status).toBe("HTTP/1.1 206 Partial Content");
      expect(answer.headers.get("Content-Range")).toBe(`bytes ${start}-${SIZE - 1}/${SIZE}`);
      expect([answer.headers.get("Content-Length"), answer.body.length]).toEqual(["0", 0]);
    }
  });

  test("unasked-206 answers a plain request as if a range had been asked for", async () => {
    const bare = await faulty({ name: "unasked-206" });
    expect(bare.status).toBe("HTTP/1.1 206 Partial Content");
    expect([bare.headers.has("Content-Range"), bare.body.equals(bare.content)]).toEqual([false, true]);
    const told = await faulty({ name: "unasked-206", value: "with-range" });
    expect(told.headers.get("Content-Range")).toBe(`bytes 0-${SIZE - 1}/${SIZE}`);
    expect(told.body.equals(told.content)).toBe(true);
    const asked = await faulty({ name: "unasked-206" }, { range: "bytes=5-" });
    expect(asked.headers.get("Content-Range")).toBe(`bytes 5-${SIZE - 1}/${SIZE}`);
  });
});
