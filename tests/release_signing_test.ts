import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keyFrom } from "../assets/ship/release_signing.ts";
import { released } from "../assets/ship/release_texts.ts";
import { type Ended, type Place, startCommand, temporaryPlace } from "./support/app/process.ts";

setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, "..");
const NAMES = { version: "1.2.3", repository: "https://code.example/some/dashdock", image: "images.example/dashdock" };
const INSTALL = released("assets/guide/install.md", readFileSync(join(ROOT, "assets/guide/install.md"), "utf8"), NAMES);
/** The command that a release's guide shows, as it stands there. */
const [VERIFY = ""] = /^ssh-keygen -Y verify .*$/m.exec(INSTALL) ?? [];
const [CHECK = ""] = /sha256sum --check .*$/m.exec(INSTALL) ?? [];

const pem = (key: KeyObject) => key.export({ format: "pem", type: "pkcs8" }).toString();
const newKey = () => pem(generateKeyPairSync("ed25519").privateKey);

/** A folder of a release with its list of checksums. */
async function release(): Promise<Place> {
  const place = await temporaryPlace();
  await Bun.write(place.at("dashdock-linux-x64"), "a program");
  expect((await command(place, "checksums")).code).toBe(0);
  return place;
}

async function command(place: Place, name: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const words = [process.execPath, join(ROOT, "assets/ship/release.ts"), name, place.home];
  await using running = startCommand(words, { cwd: place.cwd, env });
  return await running.ended;
}

async function shell(place: Place, line: string): Promise<Ended> {
  await using running = startCommand(["sh", "-c", line], { cwd: place.home });
  return await running.ended;
}

const FILES = ["SHA256SUMS", "SHA256SUMS.sig", "allowed_signers", "dashdock-linux-x64"];

describe("bun run release sign", () => {
  test.skipIf(!Bun.which("ssh-keygen"))(
    "makes what the commands of the guide find good, and refuse once a byte has changed",
    async () => {
      await using place = await release();
      const signed = await command(place, "sign", { RELEASE_SIGNING_KEY: newKey() });
      expect(signed).toMatchObject({ code: 0, err: "" });
      const [, fingerprint = ""] = /^SHA256SUMS is signed with the key (SHA256:\S{43})\.\n$/.exec(signed.out) ?? [];
      expect(readdirSync(place.home).sort()).toEqual(FILES);
      expect(await shell(place, CHECK)).toMatchObject({ code: 0, out: "dashdock-linux-x64: OK\n" });
      expect(await shell(place, VERIFY)).toMatchObject({
        code: 0,
        out: `Good "dashdock-release" signature for release@dashdock with ED25519 key ${fingerprint}\n`,
      });
      // A pack's signature is none of a release.
      expect((await shell(place, VERIFY.replace("-n dashdock-release", "-n dashdock"))).code).not.toBe(0);
      const sums = await Bun.file(place.at("SHA256SUMS")).text();
      await Bun.write(
        place.at("SHA256SUMS"),
        sums.replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
      );
      expect((await shell(place, VERIFY)).code).not.toBe(0);
      expect((await shell(place, CHECK)).code).not.toBe(0);
    },
  );

  test("takes the key from a file, and the list that is made again has none of its own files", async () => {
    await using place = await release();
    await Bun.write(join(place.cwd, "key.pem"), newKey());
    const sums = await Bun.file(place.at("SHA256SUMS")).text();
    const env = { RELEASE_SIGNING_KEY_FILE: join(place.cwd, "key.pem") };
    expect(await command(place, "sign", env)).toMatchObject({ code: 0, err: "" });
    const signature = await Bun.file(place.at("SHA256SUMS.sig")).text();
    expect((await command(place, "checksums")).code).toBe(0);
    expect(await Bun.file(place.at("SHA256SUMS")).text()).toBe(sums);
    // The same list and the same key make the same signature.
    await command(place, "sign", env);
    expect(await Bun.file(place.at("SHA256SUMS.sig")).text()).toBe(signature);
  });

  test("says that there is no key, and leaves no signature of an earlier list", async () => {
    await using place = await release();
    await command(place, "sign", { RELEASE_SIGNING_KEY: newKey() });
    expect(await command(place, "sign", { RELEASE_SIGNING_KEY: "" })).toEqual({
      code: 0,
      out: "SHA256SUMS is not signed: neither RELEASE_SIGNING_KEY nor RELEASE_SIGNING_KEY_FILE is set.\n",
      err: "",
    });
    expect(readdirSync(place.home).sort()).toEqual(["SHA256SUMS", "dashdock-linux-x64"]);
  });

  test("refuses a key that is none in one line that does not tell it", async () => {
    await using place = await release();
    const { code, out, err } = await command(place, "sign", { RELEASE_SIGNING_KEY: "a secret" });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^RELEASE_SIGNING_KEY is no key of Ed25519\. (?!.*secret).+\n$/);
    expect(readdirSync(place.home).sort()).toEqual(["SHA256SUMS", "dashdock-linux-x64"]);
  });

  const rsa = () => pem(generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey);
  test.each([
    ["a key of another kind", { RELEASE_SIGNING_KEY: rsa() }, /^RELEASE_SIGNING_KEY is no key of Ed25519\. /],
    ["a file that is not there", { RELEASE_SIGNING_KEY_FILE: "/none" }, /^RELEASE_SIGNING_KEY_FILE names a file /],
    ["a file without a key", { RELEASE_SIGNING_KEY_FILE: import.meta.path }, /^RELEASE_SIGNING_KEY_FILE is no key /],
    ["two keys", { RELEASE_SIGNING_KEY: "x", RELEASE_SIGNING_KEY_FILE: "/none" }, /are both set; keep one of them\.$/],
  ])("refuses %s", (_, env, said) => {
    expect(() => keyFrom(env)).toThrow(said);
  });

  test("needs the list of checksums", async () => {
    await using place = await temporaryPlace();
    expect(await command(place, "sign")).toMatchObject({ code: 1, err: expect.stringContaining("release checksums") });
  });
});
