import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { simulatedCard, syntheticFootage } from "../server/dashcam/simulator/simulated_card.ts";
import { openSimulator } from "../server/dashcam/simulator/simulator.ts";
import { Client } from "./support/app/client.ts";
import {
  type Container,
  type ContainerOptions,
  ImageContent,
  noContainers,
  startContainer,
} from "./support/app/container.ts";
import { EXECUTABLE } from "./support/app/executable.ts";
import { freePort } from "./support/app/other_program.ts";
import { treeOf } from "./support/app/process.ts";
import { LISTENING, openSettings } from "./support/app/service.ts";

// Processes may have to wait for their turn.
setDefaultTimeout(60_000);

interface InstalledAs extends Omit<ContainerOptions, "config" | "recordings"> {
  /** User and group that the files belong to. */
  readonly owner: [uid: number, gid: number];
  /** The folder of the settings below what is mounted. */
  readonly kept: string;
}

const deployed = (path: string) => readFileSync(join(import.meta.dir, "../assets/deploy", path), "utf8");

/** Users, capabilities and variables of the files for NAS devices, as they stand there. */
const PLACES: [string, InstalledAs][] = [
  ...["synology", "qnap", "truenas"].map((nas): [string, InstalledAs] => {
    const [, user = "", group = ""] = /user: "(\d+):(\d+)"/.exec(deployed(`compose.${nas}.yaml`)) ?? [];
    return [`the compose file for ${nas}`, { user: +user, group: +group, owner: [+user, +group], kept: "" }];
  }),
  ["the template for Unraid", unraid()],
  ["the app for Home Assistant", homeAssistant()],
];

function unraid(): InstalledAs {
  const text = deployed("unraid/templates/dashdock.xml");
  const filledIn = (name: string) => new RegExp(`Target="${name}"[^>]*>([^<]*)<`).exec(text)?.[1] ?? "";
  const [PUID, PGID, UMASK] = [filledIn("PUID"), filledIn("PGID"), filledIn("UMASK")];
  const capabilities = (["chown", "setgid", "setuid"] as const).filter((name) =>
    text.includes(`--cap-add=${name.toUpperCase()}`),
  );
  return { env: { PUID, PGID, UMASK }, capabilities, owner: [+PUID, +PGID], kept: "" };
}

function homeAssistant(): InstalledAs {
  const { environment: env } = Bun.YAML.parse(deployed("home-assistant/dashdock/config.yaml")) as {
    environment: Record<string, string>;
  };
  const { SERVICE_CONFIG_DIR: config = "", SERVICE_DESTINATION: recordings = "" } = env;
  const capabilities = ["chown", "setgid", "setuid"] as const;
  return { env, capabilities, at: [dirname(config), dirname(recordings)], owner: [0, 0], kept: basename(config) };
}

const why = noContainers();
if (why !== null) console.warn(`The image's content is not tried here: ${why}`);

describe.skipIf(why !== null)("the image's content (needs root and mount namespaces)", () => {
  let image: ImageContent;
  beforeAll(() => {
    image = new ImageContent();
  });
  afterAll(() => image[Symbol.dispose]());

  /** On loopback, for recordings of any age, and with a zone that nothing else has. */
  const LISTEN = { SERVICE_HOST: "127.0.0.1", SERVICE_PORT: "", KEEP: "36500d", TZ: "Asia/Kathmandu" };

  /** Starts the service on a port that is free. */
  async function served(options: ContainerOptions): Promise<{ container: Container; url: string }> {
    const env = { ...LISTEN, SERVICE_PORT: String(freePort()), ...options.env };
    const container = startContainer(image, ["serve"], { ...options, env });
    await container.says(LISTENING);
    const url = LISTENING.exec(container.out)?.[1] ?? "";
    while (!(await fetch(`${url}/readyz`)).ok);
    return { container, url };
  }

  test("is the program, its libraries, two users and two folders: no shell, nothing that gives rights", async () => {
    const files = (await treeOf(image.root))?.filter((path) => statSync(join(image.root, path)).isFile()) ?? [];
    expect(files.filter((path) => path.includes("/bin/"))).toEqual(["usr/local/bin/dashdock"]);
    expect(files.filter((path) => statSync(join(image.root, path)).mode & 0o6000)).toEqual([]);
    const size = files.reduce((sum, path) => sum + statSync(join(image.root, path)).size, 0);
    expect(size - statSync(EXECUTABLE).size).toBeLessThan(5_000_000);
    const owners = ["config", "recordings", "usr"].map((path) => statSync(join(image.root, path)).uid);
    expect(owners).toEqual([1000, 1000, 0]);
    expect(statSync(join(image.root, "tmp")).mode & 0o7777).toBe(0o1777);
  });

  test("has every library that the program is linked with", async () => {
    const told = Bun.spawnSync(["ldd", EXECUTABLE]).stdout.toString();
    const linked = [...told.matchAll(/(\S+\.so[.0-9]*)(?= \(| =>)/g)].map(([, path = ""]) => path.split("/").pop());
    expect(linked.length).toBeGreaterThan(3);
    const present = ((await treeOf(image.root)) ?? []).map((path) => path.split("/").pop());
    expect(linked.filter((name) => !name?.startsWith("linux-vdso") && !present.includes(name))).toEqual([]);
  });

  test("brings certificates and time zones within the program", async () => {
    const script = `const { rootCertificates } = require("node:tls");
      const time = new Intl.DateTimeFormat("en", { timeZone: "Asia/Kathmandu", timeStyle: "short" }).format(0);
      console.log(JSON.stringify({ certificates: rootCertificates.length > 100, time }));`;
    const config = image.volume(1000);
    const recordings = image.volume(1000);
    // Bun's own switch turns the program into Bun itself, which can be asked.
    const env = { BUN_BE_BUN: "1" };
    await using container = startContainer(image, ["-e", script], { config, recordings, env, user: 1000 });
    const { code, out } = await container.ended;
    expect([code, JSON.parse(out)]).toEqual([0, { certificates: true, time: "5:30 AM" }]);
  });

  test("believes an authority of your own whose certificate NODE_EXTRA_CA_CERTS names, and no other", async () => {
    const config = image.volume(1000);
    const recordings = image.volume(1000);
    const certificate = join(config, "ca.pem");
    const key = join(config, "ca.key");
    const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1"];
    const files = ["-keyout", key, "-out", certificate];
    const made = Bun.spawnSync(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject, ...files]);
    expect(made.exitCode).toBe(0);
    const tls = { cert: Bun.file(certificate), key: Bun.file(key) };
    await using server = Bun.serve({ port: 0, hostname: "127.0.0.1", tls, fetch: () => new Response("reached") });
    const script = `fetch("https://127.0.0.1:${server.port}").then((answer) => answer.text()).catch(({ code }) => code).then(console.log)`;
    const asked = async (env: Record<string, string>) => {
      const more = { BUN_BE_BUN: "1", ...env };
      await using container = startContainer(image, ["-e", script], { config, recordings, env: more, user: 1000 });
      return (await container.ended).out.trim();
    };
    chownSync(certificate, 1000, 1000);
    expect(await asked({ NODE_EXTRA_CA_CERTS: "/config/ca.pem" })).toBe("reached");
    expect(await asked({})).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  });

  test("unprivileged, read-only and without any capability it syncs, tells its health, and ends on SIGTERM with 0", async () => {
    const now = Date.now();
    const card = simulatedCard({ recordings: 1, now, footage: syntheticFootage(10_000) });
    await using camera = await openSimulator({ card });
    const config = image.volume(1000);
    const recordings = image.volume(1000);
    writeSettings(config, openSettings(camera.address, { system: { destination: "/recordings" } }));
    const env = { UMASK: "027" };
    const { container, url } = await served({ config, recordings, env, user: 1000, groups: [44444] });
    await using _ = container;
    expect(container.status("Uid")).toStartWith("1000\t1000");
    expect([container.status("CapEff"), container.status("NoNewPrivs")]).toEqual(["0000000000000000", "1"]);
    expect(container.status("NSpid")).toEndWith("\t1");
    expect(container.status("Groups")).toContain("44444");

    const client = new Client(url);
    await client.open("/");
    expect((await client.send("POST", "/api/sync/now")).status).toBe(202);
    for (;;) {
      const { state } = (await (await fetch(`${url}/api/sync/progress`)).json()) as { state: string };
      if (state === "completed") break;
      expect(["idle", "running"]).toContain(state);
    }
    const videos = ((await treeOf(recordings)) ?? []).filter((path) => path.endsWith(".mp4"));
    expect(videos).toHaveLength(1);
    const { uid, gid, mode } = statSync(join(recordings, videos[0] ?? ""));
    expect([uid, gid, mode & 0o777]).toEqual([1000, 1000, 0o640]);

    expect(await container.exec(["healthcheck"])).toMatchObject({ code: 0, err: "" });
    container.stop();
    const { code, err } = await container.ended;
    expect([code, err]).toEqual([0, expect.stringContaining("Stopping")]);
    // The image's own files have not changed.
    expect(readdirSync(join(image.root, "config"))).toEqual([]);
  });

  test("the health check follows the port of the settings, and fails when nothing answers", async () => {
    const config = image.volume(1000);
    const recordings = image.volume(1000);
    const port = freePort();
    writeSettings(config, openSettings("", { web: { port }, system: { destination: "/recordings" } }));
    const { container, url } = await served({ config, recordings, user: 1000 });
    await using _ = container;
    expect(new URL(url).port).toBe(String(port));
    expect(await container.exec(["healthcheck"])).toMatchObject({ code: 0 });
    expect(await container.exec(["healthcheck", "--port", String(freePort())])).toMatchObject({ code: 1 });
  });

  test("started as root it owns a fresh config folder, and gives root up for PUID and PGID and further groups", async () => {
    const config = image.volume(0);
    const recordings = image.volume(12345, 23456);
    const env = { PUID: "12345", PGID: "23456" };
    const capabilities = ["chown", "setuid", "setgid"] as const;
    const { container } = await served({ config, recordings, env, capabilities, groups: [44444] });
    await using _ = container;
    expect([container.status("Uid"), container.status("Gid")]).toEqual([
      "12345\t12345\t12345\t12345",
      "23456\t23456\t23456\t23456",
    ]);
    expect([container.status("Groups"), container.status("CapEff")]).toEqual(["44444", "0000000000000000"]);
    expect(container.err).toContain("Running as user 12345, group 23456, also in 44444");
    for (const path of ["", "settings.json"]) expect(statSync(join(config, path)).uid).toBe(12345);
    // It is root's container: what is asked beside it has root's few rights, and gives them up as well.
    expect(await container.exec(["healthcheck"])).toMatchObject({ code: 0, err: "" });
    container.stop();
    expect((await container.ended).code).toBe(0);
  });

  test.each(PLACES)("started as %s does it, it writes into the folders that it gets there", async (_, options) => {
    const { owner, kept, ...how } = options;
    await using camera = await openSimulator({
      card: simulatedCard({ recordings: 1, now: Date.now(), footage: syntheticFootage(10_000) }),
    });
    // As the machine makes them: that of the settings is root's where the program starts as root.
    const config = image.volume(how.user === undefined ? 0 : owner[0], how.user === undefined ? 0 : owner[1]);
    const recordings = image.volume(...owner);
    const env = { ...how.env, ADDRESS: camera.address };
    const { container } = await served({ ...how, config, recordings, env });
    await using _container = container;
    await container.says(/ Sync finished: /, "err");
    const files = ((await treeOf(recordings)) ?? []).filter((path) => path.endsWith(".mp4"));
    expect(files).toHaveLength(1);
    for (const path of [join(recordings, files[0] ?? ""), join(config, kept, "settings.json")]) {
      const { uid, gid } = statSync(path);
      expect([path, uid, gid]).toEqual([path, ...owner]);
    }
    container.stop();
    expect((await container.ended).code).toBe(0);
  });

  test("a config folder that is in use already is not made its own", async () => {
    const config = image.volume(0);
    const recordings = image.volume(12345);
    writeFileSync(join(config, "note"), "of another program");
    const capabilities = ["chown", "setuid", "setgid"] as const;
    await using container = startContainer(image, [], { config, recordings, env: { PUID: "12345" }, capabilities });
    const { code, err } = await container.ended;
    const remedy = "It holds files of others: choose a folder that Dashdock has for itself.";
    const sentence = `/config belongs to 0:0 and cannot be written by 12345:1000. ${remedy}`;
    expect([code, err]).toEqual([2, `Dashdock cannot start: ${sentence}\n`]);
    expect(statSync(config).uid).toBe(0);
  });

  test("as root without the rights to give it up it says so in one line", async () => {
    const config = image.volume(0);
    const recordings = image.volume(0);
    await using container = startContainer(image, [], { config, recordings });
    const { code, out, err } = await container.ended;
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^Root cannot be given up for 1000:1000 \(EPERM\): .* user: "1000:1000" .*\.\n$/);
  });

  test("recordings that cannot be written are told with the command that changes it, and the pages work", async () => {
    const config = image.volume(1000);
    const recordings = image.volume(0);
    const { container, url } = await served({ config, recordings, user: 1000 });
    await using _ = container;
    expect(container.err).toMatch(
      /WARNING No recording can be saved: \/recordings belongs to 0:0 and cannot be written by 1000:1000\. Run on the host: sudo chown -R 1000:1000 FOLDER/,
    );
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test("an upgrade takes over the config folder of an earlier version", async () => {
    const config = image.volume(1000);
    const recordings = image.volume(1000);
    const earlier = {
      version: 1,
      ...openSettings("192.0.2.1"),
      metrics: { state_file: "/config/metrics-state.json" },
      web: { port: freePort() },
    };
    writeSettings(config, earlier);
    const { container, url } = await served({ config, recordings, user: 1000 });
    await using _ = container;
    const { connection, metrics } = (await (await fetch(`${url}/api/settings`)).json()) as Record<string, unknown>;
    expect(connection).toMatchObject({ address: "192.0.2.1" });
    expect(metrics).toMatchObject({ state_file: "" });
    container.stop();
    expect((await container.ended).code).toBe(0);
  });
});

/** Settings of the user that the image runs as. */
function writeSettings(config: string, settings: unknown): void {
  const path = join(config, "settings.json");
  writeFileSync(path, JSON.stringify(settings));
  chmodSync(path, 0o600);
  chownSync(path, 1000, 1000);
}

test("the image's variables are those of the test", async () => {
  const { IMAGE_ENV } = await import("./support/app/container.ts");
  const dockerfile = readFileSync(join(import.meta.dir, "../Dockerfile"), "utf8");
  const [, lines = ""] = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile) ?? [];
  const pairs = [...lines.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]);
  expect(Object.fromEntries(pairs)).toEqual({ ...IMAGE_ENV });
});
