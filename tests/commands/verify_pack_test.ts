import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { verifyPackCommand } from "../../server/commands/verify_pack.ts";
import { syntheticVideo } from "../../server/dashcam/simulator/simulated_video.ts";
import { allowedSigners, signatureText } from "../../server/domain/pack/ssh_signature_format.ts";
import { SUMS_COMMAND, VERIFY_COMMAND } from "../../server/domain/pack/verify_text.ts";
import { Log } from "../../server/log.ts";
import { SigningKeyFile } from "../../server/store/config/pack_signing.ts";
import { startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { entriesOf, UnpackedPack, zipOf } from "../support/pack/unpacked.ts";

const KEY = "20261120_080000_N";
const VIDEO = `originals/${KEY}F.mp4`;
const REAR = `originals/${KEY}R.mp4`;
const hasTools = Boolean(Bun.which("ssh-keygen") && Bun.which("sha256sum"));

let folder: string;
let zip: Uint8Array;
let other: ReadonlyMap<string, Uint8Array>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "verify-"));
  await using app = await startApp();
  mkdirSync(app.destination, { recursive: true });
  for (const [at, name] of [`${KEY}F.mp4`, `${KEY}R.mp4`, "20261121_080000_NF.mp4"].entries())
    writeFileSync(join(app.destination, name), await syntheticVideo(name, 60_000 + at, 60).read(0, 60_000 + at));
  writeFileSync(join(app.destination, `${KEY}F.thm`), "a picture");
  const packOf = async (key: string) => await (await fetch(`${app.url}/api/viewer/export/pack?key=${key}`)).bytes();
  zip = await packOf(KEY);
  other = entriesOf(await packOf("20261121_080000_N"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Exit code and lines of the command. */
async function verified(path: string): Promise<{ code: number; lines: string[] }> {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const io = { env: {}, out: stream, err: stream, onSignal: () => () => {}, onOutputClosed: () => () => {} };
  const code = await verifyPackCommand([path], io as unknown as Parameters<typeof verifyPackCommand>[1]);
  return { code, lines: written.join("").trimEnd().split("\n") };
}
async function verifiedZip(bytes: Uint8Array) {
  const path = join(folder, "some.zip");
  writeFileSync(path, bytes);
  return await verified(path);
}
const reasons = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith("no  ")).map((line) => line.slice(4));

interface Tampering {
  readonly does: (at: (name: string) => string) => void | Promise<void>;
  readonly told: readonly string[];
  /** False where no other tool looks for it. */
  readonly byTools?: false;
}

async function otherKey(): Promise<Awaited<ReturnType<SigningKeyFile["read"]>>> {
  return await new SigningKeyFile(join(folder, "other.pem"), new Log(new FakeClock())).read();
}

const TAMPERINGS: Readonly<Record<string, Tampering>> = {
  "one byte of a video is another": {
    does(at) {
      const bytes = readFileSync(at(VIDEO));
      bytes[30_000] = (bytes[30_000] ?? 0) ^ 1;
      writeFileSync(at(VIDEO), bytes);
    },
    told: [`${VIDEO} was changed.`],
  },
  "a video is cut": { does: (at) => truncateSync(at(VIDEO), 59_999), told: [`${VIDEO} was changed.`] },
  "bytes are added to a video": { does: (at) => appendFileSync(at(REAR), "x"), told: [`${REAR} was changed.`] },
  "a file is taken out": { does: (at) => rmSync(at(REAR)), told: [`${REAR} is missing.`] },
  "a file has another name": {
    does: (at) => renameSync(at(REAR), at(`originals/${KEY}I.mp4`)),
    told: [`${REAR} is missing.`, `originals/${KEY}I.mp4 has no line in SHA256SUMS.`],
  },
  "two files have each other's name": {
    does(at) {
      renameSync(at(VIDEO), at("between"));
      renameSync(at(REAR), at(VIDEO));
      renameSync(at("between"), at(REAR));
    },
    told: [`${VIDEO} was changed.`, `${REAR} was changed.`],
  },
  "the report tells something else": {
    does: (at) =>
      writeFileSync(at("report.html"), readFileSync(at("report.html"), "utf8").replace("08:00:00", "09:00:00")),
    told: ["report.html was changed."],
  },
  "a file and its line are changed together": {
    does(at) {
      writeFileSync(at(VIDEO), "another video");
      const sha256 = new Bun.CryptoHasher("sha256").update("another video").digest("hex");
      const list = readFileSync(at("SHA256SUMS"), "utf8");
      writeFileSync(at("SHA256SUMS"), list.replace(new RegExp(`.{64}(?=  ${VIDEO})`), sha256));
    },
    told: ["SHA256SUMS was changed: its signature does not fit."],
  },
  "a file and its line are taken out together": {
    does(at) {
      rmSync(at(REAR));
      const list = readFileSync(at("SHA256SUMS"), "utf8").split("\n");
      writeFileSync(at("SHA256SUMS"), list.filter((line) => !line.endsWith(REAR)).join("\n"));
    },
    told: ["SHA256SUMS was changed: its signature does not fit."],
  },
  "the signature is that of another pack": {
    does: (at) => writeFileSync(at("SHA256SUMS.sig"), other.get("SHA256SUMS.sig") ?? new Uint8Array()),
    told: ["SHA256SUMS was changed: its signature does not fit."],
  },
  "the list is signed by a key that is not in the pack": {
    async does(at) {
      const { sign } = await otherKey();
      writeFileSync(at("SHA256SUMS.sig"), sign(new Uint8Array(readFileSync(at("SHA256SUMS")))));
    },
    told: ["allowed_signers does not let the key of the signature sign for owner@dashdock."],
  },
  "the key in the pack is another": {
    async does(at) {
      writeFileSync(at("allowed_signers"), allowedSigners((await otherKey()).publicKey));
    },
    told: ["allowed_signers does not let the key of the signature sign for owner@dashdock."],
  },
  "the signature is damaged": {
    does: (at) => writeFileSync(at("SHA256SUMS.sig"), signatureText(new Uint8Array(32), new Uint8Array(64)).slice(40)),
    told: ["SHA256SUMS.sig is no signature that packs have."],
  },
  "the signature is missing": { does: (at) => rmSync(at("SHA256SUMS.sig")), told: ["SHA256SUMS.sig is missing."] },
  "a file is added": {
    does: (at) => copyFileSync(at(VIDEO), at("originals/another.mp4")),
    told: ["originals/another.mp4 has no line in SHA256SUMS."],
    byTools: false,
  },
  "a link is in the place of a file": {
    does(at) {
      renameSync(at(VIDEO), join(folder, "elsewhere.mp4"));
      symlinkSync(join(folder, "elsewhere.mp4"), at(VIDEO));
    },
    told: [`${VIDEO} is a link.`, `${VIDEO} is missing.`],
    byTools: false,
  },
};

describe("verify-pack", () => {
  test("finds a pack whole, as it came and unpacked", async () => {
    using pack = new UnpackedPack(entriesOf(zip));
    const fingerprint = /SHA256:\S{43}/.exec(readFileSync(join(pack.folder, "VERIFY.txt"), "utf8"))?.[0];
    for (const { code, lines } of [await verifiedZip(zip), await verified(pack.folder)]) {
      expect(lines[0]).toMatch(/^ok {2}.* is whole: 5\u00a0files, .*, each as in SHA256SUMS\.$/);
      expect([code, lines[1]]).toEqual([0, `ok  SHA256SUMS is signed by the key ${fingerprint}.`]);
    }
  });

  for (const [name, { does, told, byTools = true }] of Object.entries(TAMPERINGS)) {
    test(`tells when ${name}`, async () => {
      using pack = new UnpackedPack(entriesOf(zip));
      await does((path) => join(pack.folder, path));
      const { code, lines } = await verified(pack.folder);
      expect([code, reasons(lines)]).toEqual([1, [...told]]);
    });
    test.skipIf(!hasTools)(`${byTools ? "as" : "unlike"} stock tools, when ${name}`, async () => {
      using pack = new UnpackedPack(entriesOf(zip));
      await does((path) => join(pack.folder, path));
      const isFound = [SUMS_COMMAND, VERIFY_COMMAND].some((command) => pack.run(command).code !== 0);
      expect(isFound).toBe(byTools);
    });
  }

  test.skipIf(Bun.which("python3") === null)(
    "reads a pack that another program packed anew, in a folder of its own",
    async () => {
      const path = join(folder, "anew.zip");
      using pack = new UnpackedPack(new Map([...entriesOf(zip)].map(([name, bytes]) => [`My pack/${name}`, bytes])));
      const program = "import shutil, sys; shutil.make_archive(sys.argv[1][:-4], 'zip', sys.argv[2])";
      expect(Bun.spawnSync(["python3", "-c", program, path, pack.folder]).exitCode).toBe(0);
      expect(await verified(path)).toMatchObject({ code: 0 });
    },
  );

  test("tells what is wrong with a ZIP itself, and writes nothing", async () => {
    const entries = [...entriesOf(zip)];
    const evil = new TextEncoder().encode("evil");
    for (const [added, told] of [
      [["../evil", evil], '"../evil" leads to a place outside of the pack.'],
      [["/etc/evil", evil], '"/etc/evil" leads to a place outside of the pack.'],
      [["C:evil", evil], '"C:evil" leads to a place outside of the pack.'],
      [["a\\..\\evil", evil], '"a\\\\..\\\\evil" has a backslash in its name.'],
      [["a//b", evil], '"a//b" has a name that is no path.'],
      [["a\u001b[2J", evil], '"a\\u001b[2J" has a control character in its name.'],
      [[VIDEO, evil], `"${VIDEO}" is in the archive more than once.`],
      [["notes.txt", evil], "notes.txt has no line in SHA256SUMS."],
    ] as const) {
      const { code, lines } = await verifiedZip(zipOf([...entries, added]));
      expect([code, reasons(lines)]).toEqual([1, [told]]);
    }
  });

  test("believes no size and no place that a ZIP claims", async () => {
    const isList = ([name]: readonly [string, unknown]) => name === "SHA256SUMS";
    const entries = [...entriesOf(zip)];
    const whole = zipOf([...entries.filter(isList), ...entries.filter((entry) => !isList(entry))]);
    const view = () => {
      const bytes = whole.slice();
      return { bytes, at: new DataView(bytes.buffer) };
    };
    const line = new DataView(whole.buffer).getUint32(whole.length - 22 + 16, true);
    const changed = (place: number, value: number, bits: 16 | 32) => {
      const { bytes, at } = view();
      if (bits === 16) at.setUint16(line + place, value, true);
      else at.setUint32(line + place, value, true);
      return bytes;
    };
    for (const [bytes, told] of [
      [changed(24, 5, 32), '"SHA256SUMS" tells two sizes.'],
      [changed(10, 99, 16), '"SHA256SUMS" is packed in a way that is not known.'],
      [changed(8, 1, 16), '"SHA256SUMS" is encrypted.'],
      [changed(16, 1, 32), "SHA256SUMS does not fit its checksum in the ZIP."],
      [changed(42, whole.length - 30, 32), "SHA256SUMS is not where the directory says."],
      [changed(40, 0o120777, 16), '"SHA256SUMS" is a link.'],
    ] as const) {
      const { code, lines } = await verifiedZip(bytes);
      expect([code, reasons(lines)[0]]).toEqual([1, told]);
    }
  });

  test("unpacks no more than a file says", async () => {
    const bomb = deflateRawSync(new Uint8Array(50_000_000));
    const bytes = zipOf([...entriesOf(zip), ["bomb.mp4", bomb]]);
    const sums = new TextDecoder().decode(entriesOf(zip).get("SHA256SUMS"));
    const list = `${sums}${"0".repeat(64)}  bomb.mp4\n`;
    const packed = zipOf([
      ...[...entriesOf(bytes)].map(
        ([name, own]) => [name, name === "SHA256SUMS" ? new TextEncoder().encode(list) : own] as const,
      ),
    ]);
    const view = new DataView(packed.buffer);
    let line = view.getUint32(packed.length - 22 + 16, true);
    for (let count = view.getUint16(packed.length - 22 + 10, true); count > 1; count--)
      line += 46 + view.getUint16(line + 28, true) + view.getUint16(line + 30, true) + view.getUint16(line + 32, true);
    view.setUint16(line + 10, 8, true);
    view.setUint32(line + 24, 1000, true);
    const { code, lines } = await verifiedZip(packed);
    expect([code, reasons(lines)]).toEqual([
      1,
      ["SHA256SUMS was changed: its signature does not fit.", "bomb.mp4 has more bytes than it says."],
    ]);
  });

  test("says when there is no pack", async () => {
    mkdirSync(join(folder, "empty"));
    for (const [path, told] of [
      [join(folder, "nothing"), `${join(folder, "nothing")} is not there.`],
      [join(folder, "empty"), "There is no SHA256SUMS in it, so it is no pack."],
      [join(folder, "other.pem"), `${join(folder, "other.pem")} is no ZIP, or its end is missing.`],
    ] as const)
      expect(await verified(path)).toEqual({ code: 2, lines: [told] });
    for (const cut of [0, 10, 30_000, zip.length - 1])
      expect(await verifiedZip(zip.subarray(0, cut))).toMatchObject({ code: 2 });
    expect(await verifiedZip(zipOf([["a", new Uint8Array(1)]]))).toMatchObject({ code: 2 });
    await expect(verified("")).rejects.toThrow("Say which pack");
  });
});
