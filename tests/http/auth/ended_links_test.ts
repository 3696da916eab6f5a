import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import { until } from "../../support/app/http.ts";
import { type Sharing, sharedClip, startSharing } from "../../support/app/sharing.ts";

setDefaultTimeout(30_000);

const KEY = "20260607_101500_N";
/** More than the system takes from a program on behalf of a client that reads nothing. */
const BYTES = 45_000_000;

let app: Sharing;
beforeEach(async () => {
  app = await startSharing();
  const pictures = Array.from({ length: 60 }, (_, at) => ({ size: BYTES / 60, lasts: 1000, isKey: at % 15 === 0 }));
  app.put(`${KEY}F.mp4`, sharedClip(90, { pictures }));
  await app.app.library.refresh();
});
afterEach(() => app[Symbol.asyncDispose]());

/** Takes the beginning of a film, lets something happen, and then all that still comes. @returns how much that is */
async function takenAround(path: string, more: string, happens: () => Promise<unknown>): Promise<number> {
  const begun = Promise.withResolvers<void>();
  let [bytes, isClosed] = [0, false];
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1", () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}Connection: close\r\n\r\n`),
  );
  socket.on("data", (data) => {
    if (bytes === 0) {
      expect(data.toString("latin1")).toMatch(/^HTTP\/1\.1 20[06] /);
      socket.pause();
      begun.resolve();
    }
    bytes += data.length;
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });
  await begun.promise;
  await happens();
  socket.resume();
  await until(() => isClosed, 20_000);
  return bytes;
}

describe("a film of a link on its way", () => {
  for (const [how, more] of [
    ["whole", ""],
    ["a part that lies in one file", "Range: bytes=2000000-\r\n"],
  ] as const) {
    test(`comes to its end, ${how}, while another link is revoked`, async () => {
      const [one, other] = [await app.share({ span: { key: KEY } }), await app.share({ span: { key: KEY } })];
      const revoke = () => app.client.send("DELETE", `/api/shares/${other.id}`);
      expect(await takenAround(`${one.path}/F.mp4`, more, revoke)).toBeGreaterThan(BYTES - 2_100_000);
    });

    test(`ends, ${how}, when its link is revoked`, async () => {
      const { path, id } = await app.share({ span: { key: KEY } });
      const revoke = () => app.client.send("DELETE", `/api/shares/${id}`);
      expect(await takenAround(`${path}/F.mp4`, more, revoke)).toBeLessThan(BYTES / 2);
    });
  }

  test("ends when links are switched off", async () => {
    const { path } = await app.share({ span: { key: KEY } });
    const off = () => app.app.settings.patch("share", { enabled: false });
    expect(await takenAround(`${path}/F.mp4`, "", off)).toBeLessThan(BYTES / 2);
  });
});
