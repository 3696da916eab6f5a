import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { released, UNRAID_FILE } from "../assets/ship/release_texts.ts";
import { description, version } from "../package.json";
import { fieldsOf, SECTION_NAMES } from "../server/domain/settings/settings.ts";
import { seedSettings } from "../server/domain/settings/settings_seed.ts";
import { startApp } from "./support/app/app.ts";
import { INGRESS_PATH, SUPERVISOR, startIngress } from "./support/app/ingress.ts";
import { readXml, type XmlElement } from "./support/app/xml.ts";

const ROOT = join(import.meta.dir, "..");
const DEPLOY = "assets/deploy";
const NAMES = { version: "1.2.3", repository: "https://code.example/some/dashdock", image: "images.example/dashdock" };
const read = (path: string) => readFileSync(join(ROOT, DEPLOY, path), "utf8");
/** A file as a release has it. */
const ofRelease = (path: string) => released(`${DEPLOY}/${path}`, read(path), NAMES);

const SEEDED = SECTION_NAMES.flatMap((name) => fieldsOf(name).flatMap(([, { env }]) => (env ? [env.name] : [])));
/** Variables that every start reads; the guide's chapter about variables lists them. */
const READ_AT_START = ["SERVICE_CONFIG_DIR", "SERVICE_HOST", "SERVICE_TRUST_PROXY", "TZ", "UMASK", "PUID", "PGID"];
const KNOWN = [...SEEDED, ...READ_AT_START];

/** Facts about the image, as the Dockerfile has them. */
const DOCKERFILE = readFileSync(join(ROOT, "Dockerfile"), "utf8");
const [, PORT = ""] = /^EXPOSE (\d+)$/m.exec(DOCKERFILE) ?? [];
const FOLDERS = JSON.parse(/^VOLUME (.*)$/m.exec(DOCKERFILE)?.[1] ?? "[]") as string[];

test("variables that a start reads are those that the guide names", () => {
  const guide = readFileSync(join(ROOT, "assets/guide/variables.md"), "utf8");
  expect(READ_AT_START.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  expect([SEEDED.includes("ADDRESS"), PORT, FOLDERS]).toEqual([true, "8080", ["/config", "/recordings"]]);
});

describe("the reader of XML", () => {
  test("reads elements, attributes, text and comments", () => {
    expect(readXml(`<?xml version="1.0"?>\n<a b="1 &amp; 2" c=''><!-- - --><d/>x &lt;&#65;&#x42;</a>\n`)).toEqual({
      name: "a",
      attributes: { b: "1 & 2", c: "" },
      children: [{ name: "d", attributes: {}, children: [], text: "" }],
      text: "x <AB",
    });
  });

  test.each([
    ...["", "text", "<a>", "</a>", "<a></b>", "<a><b></a></b>", "<a/><b/>", "<a/>text"],
    ...["<a>Tom & Jerry</a>", "<a>&nbsp;</a>", '<a b="<"/>', "<a b=1/>", '<a b="1" b="2"/>', "<a>1 < 2</a>"],
    ...["<a><!-- -- --></a>", ' <?xml version="1.0"?><a/>', "<1/>", '<a b="1/>'],
  ])("refuses %p", (text) => {
    expect(() => readXml(text)).toThrow();
  });
});

describe("the template for Unraid", () => {
  const FILE = "unraid/templates/dashdock.xml";
  const template = readXml(ofRelease(FILE));
  const own = (name: string) => template.children.filter((one) => one.name === name).map(({ text }) => text);
  const configs = template.children.filter(({ name }) => name === "Config");
  const ofType = (type: string) => configs.filter(({ attributes }) => attributes["Type"] === type);
  const pairs = (found: XmlElement[]) => found.map(({ attributes, text }) => [attributes["Target"], text]);

  test("is a container of version 2 with every element that Community Apps asks for, each once", () => {
    expect([template.name, template.attributes]).toEqual(["Container", { version: "2" }]);
    const asked = ["Name", "Repository", "Overview", "Category", "Icon", "Project", "Support", "TemplateURL"];
    for (const name of [...asked, "Registry", "Network", "Privileged", "WebUI"])
      expect([name, own(name)]).toEqual([name, [expect.stringMatching(/\S/)]]);
    expect([own("Name"), own("Network"), own("Privileged")]).toEqual([["dashdock"], ["bridge"], ["false"]]);
    expect(own("Repository")).toEqual([`${NAMES.image}:1.2.3`]);
    expect(own("WebUI")).toEqual([`http://[IP]:[PORT:${PORT}]/`]);
    for (const name of ["Icon", "Project", "Support", "TemplateURL", "Registry"])
      expect(own(name)[0]).toMatch(/^https:\/\/\S+$/);
    expect(own("TemplateURL")[0]).toEndWith(`/${UNRAID_FILE}`);
    // Unraid shows PNG only; the picture is in the source of the release.
    const [icon = ""] = own("Icon");
    const picture = readFileSync(join(ROOT, icon.replace(`${NAMES.repository}/raw/v1.2.3/`, "")));
    expect(picture.subarray(1, 4).toString()).toBe("PNG");
  });

  test("has categories that Community Apps knows, and no block of an older form", () => {
    const known = ["Backup:", "MediaServer:Video", "Tools:Utilities"];
    expect(
      own("Category")[0]
        ?.split(" ")
        .filter((name) => !known.includes(name)),
    ).toEqual([]);
    const older = ["Networking", "Data", "Environment", "DateInstalled", "Description"];
    expect(template.children.filter(({ name }) => older.includes(name))).toEqual([]);
    expect(template.children.filter(({ children }) => children.length > 0)).toEqual([]);
  });

  test("names settings with all that Unraid writes, on one line each", () => {
    const attributes = ["Name", "Target", "Default", "Mode", "Description", "Type", "Display", "Required", "Mask"];
    for (const config of configs) {
      expect(Object.keys(config.attributes)).toEqual(attributes);
      const { Type: type = "", Display: display = "", Required: required = "", Default: first } = config.attributes;
      expect(["Port", "Path", "Variable"]).toContain(type);
      expect(["always", "advanced"]).toContain(display);
      expect(["true", "false"]).toContain(required);
      expect(config.text).toBe(first ?? "");
    }
    expect(read(FILE).match(/<Config [^>]*\n/)).toBeNull();
    const names = configs.map((one) => one.attributes["Name"]);
    expect(new Set(names).size).toBe(names.length);
  });

  test("names the port, the folders and variables that the image has", () => {
    expect(pairs(ofType("Port"))).toEqual([[PORT, PORT]]);
    expect(
      pairs(ofType("Path"))
        .map(([target]) => target)
        .sort(),
    ).toEqual(FOLDERS);
    for (const [, host] of pairs(ofType("Path"))) expect(host).toStartWith("/mnt/user/");
    const variables = ofType("Variable").map(({ attributes }) => attributes["Target"] ?? "");
    expect(variables).toContain("ADDRESS");
    expect(variables.filter((name) => !KNOWN.includes(name))).toEqual([]);
    expect(Object.fromEntries(pairs(ofType("Variable")))).toMatchObject({ PUID: "99", PGID: "100" });
  });

  test("gives the container no right but those that it changes its user with", () => {
    const words = own("ExtraParams")[0]?.split(" ") ?? [];
    expect(words).toContain("--user=0:0");
    expect(words).toContain("--cap-drop=ALL");
    expect(words).toContain("--read-only");
    expect(words.filter((word) => word.startsWith("--cap-add")).sort()).toEqual([
      ...["--cap-add=CHOWN", "--cap-add=SETGID", "--cap-add=SETUID"],
    ]);
    expect(words.filter((word) => /privileged|--device|--network|--pid|--ipc/.test(word))).toEqual([]);
  });

  test("lies beside the profile that Community Apps asks a repository for", () => {
    const profile = readXml(ofRelease("unraid/ca_profile.xml"));
    expect(profile.name).toBe("CommunityApplications");
    expect(Object.fromEntries(profile.children.map(({ name, text }) => [name, text.trim()]))).toEqual({
      Profile: expect.stringMatching(/\S/),
      Icon: expect.stringMatching(/^https:\S+\.png$/),
      WebPage: NAMES.repository,
    });
  });
});

interface AppConfig {
  readonly arch: string[];
  readonly environment: Record<string, string>;
  readonly ports: Record<string, number | null>;
  readonly map: { type: string; read_only?: boolean }[];
  readonly [key: string]: unknown;
}

describe("the app for Home Assistant", () => {
  const FOLDER = "home-assistant/dashdock";
  const config = Bun.YAML.parse(ofRelease(`${FOLDER}/config.yaml`)) as AppConfig;

  test("has what a configuration has to have, and nothing that the Supervisor does not know", () => {
    expect(config).toMatchObject({ name: "Dashdock", version, slug: "dashdock", description, url: NAMES.repository });
    expect(config.arch).toEqual(["aarch64", "amd64"]);
    const optional = ["url", "ports", "ports_description", "watchdog", "panel_icon", "map", "environment"];
    const required = ["name", "version", "slug", "description", "arch"];
    const known = [
      ...required,
      ...optional,
      "tmpfs",
      "backup",
      "ingress",
      "ingress_port",
      "ingress_stream",
      "panel_title",
    ];
    expect(Object.keys(config).filter((key) => !known.includes(key))).toEqual([]);
    expect(config["backup"]).toBe("cold");
    expect(config["watchdog"]).toBe(`http://[HOST]:[PORT:${PORT}]/healthz`);
    expect(config.ports).toEqual({ [`${PORT}/tcp`]: null });
    expect(Object.keys(config["ports_description"] as object)).toEqual(Object.keys(config.ports));
  });

  test("is shown within Home Assistant, and believes the name of the user from the Supervisor alone", () => {
    expect(config).toMatchObject({ ingress: true, ingress_port: Number(PORT), ingress_stream: true });
    const { auth } = seedSettings(config.environment);
    expect(auth).toMatchObject({
      mode: "proxy",
      trusted_proxies: ["172.30.32.2"],
      proxy_user_header: "X-Remote-User-Name",
    });
  });

  test("a first start with its variables lets in whom the Supervisor names, and nobody else", async () => {
    const { mode, proxy_user_header } = seedSettings(config.environment).auth;
    // The Supervisor has another address here than in Home Assistant.
    const auth = { trusted_proxies: [SUPERVISOR], proxy_user_header };
    await using app = await startApp({ mode, settings: { auth } });
    await using ingress = await startIngress(app.listening.port, "ada");
    const page = await fetch(`${ingress.url}${INGRESS_PATH}/`);
    expect([page.status, (await page.text()).includes(`href="${INGRESS_PATH}/viewer"`)]).toEqual([200, true]);
    const direct = { headers: { "x-remote-user-name": "ada", "x-ingress-path": INGRESS_PATH } };
    expect((await fetch(`${app.url}/`, direct)).status).toBe(401);
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  });

  test("writes into folders that Home Assistant gives it, and sets variables that the program reads", () => {
    const { environment, map } = config;
    // Values of variables are texts there.
    for (const value of Object.values(environment)) expect(typeof value).toBe("string");
    expect(Object.keys(environment).filter((name) => !KNOWN.includes(name))).toEqual([]);
    const folders = ["/data", ...map.filter((one) => one.read_only === false).map(({ type }) => `/${type}`)];
    expect(map.map(({ type }) => type)).toEqual(["media"]);
    for (const name of ["SERVICE_CONFIG_DIR", "SERVICE_DESTINATION"]) {
      const [, folder = ""] = /^(\/\w+)\/\w+$/.exec(environment[name] ?? "") ?? [];
      expect(folders).toContain(folder);
    }
  });

  test("is made of the image of the release, with the labels that the Supervisor looks for", () => {
    const dockerfile = ofRelease(`${FOLDER}/Dockerfile`);
    expect(dockerfile).toContain(`FROM ${NAMES.image}:1.2.3\nUSER 0:0\n`);
    const labels = Object.fromEntries(
      [...dockerfile.matchAll(/(io\.hass\.\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    expect(labels).toEqual({
      "io.hass.version": version,
      "io.hass.type": "app",
      "io.hass.arch": config.arch.join("|"),
    });
  });

  test("has a page of help that names the folders it uses, and a store that has a name", () => {
    expect(read(`${FOLDER}/DOCS.md`)).toContain("`dashdock` of `media`");
    expect(config.environment["SERVICE_DESTINATION"]).toBe("/media/dashdock");
    expect(Bun.YAML.parse(ofRelease("home-assistant/repository.yaml"))).toEqual({
      name: "Dashdock",
      url: NAMES.repository,
    });
  });
});

interface Service {
  build?: string;
  image: string;
  user: string;
  environment: Record<string, unknown>;
  volumes: string[];
  ports: string[];
}

const compose = (text: string) => (Bun.YAML.parse(text) as { services: { dashdock: Service } }).services.dashdock;
const WHOLE = compose(readFileSync(join(ROOT, "compose.yaml"), "utf8"));

describe.each([
  ["synology", "1026:100", /^\/volume1\/\w+/],
  ["qnap", "1000:100", /^\/share\/\w+/],
  ["truenas", "568:568", /^\/mnt\/tank\/\w+/],
])("the compose file for %s", (nas, user, place) => {
  const path = `compose.${nas}.yaml`;
  const service = compose(read(path));

  test("is that of the repository, but for user and folders", () => {
    const { volumes, user: _, build: __, ...rest } = service;
    const { volumes: ___, user: ____, build: _____, ...whole } = WHOLE;
    expect(rest).toEqual(whole);
    expect(service.user).toBe(user);
    expect(volumes.map((volume) => volume.split(":")[1])).toEqual(FOLDERS);
    for (const volume of volumes) expect(volume).toMatch(place);
    expect(resolve(ROOT, DEPLOY, service.build ?? "")).toBe(ROOT);
  });

  test("takes the image of a release there, and sets variables that the program reads", () => {
    const { build: _, ...rest } = service;
    expect(compose(ofRelease(path))).toEqual({ ...rest, image: `${NAMES.image}:1.2.3` });
    expect(Object.keys(service.environment).filter((name) => !KNOWN.includes(name))).toEqual([]);
    expect(service.ports).toEqual([`${PORT}:${PORT}`]);
  });
});
