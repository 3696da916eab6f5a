import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { openApi, pathOf } from "../../server/api/openapi.ts";
import { runId } from "../../server/domain/runs/run_id.ts";
import { fieldsOf, SECTION_NAMES } from "../../server/domain/settings/settings.ts";
import type { RouteAddress } from "../../server/http/request/route.ts";
import { needsSignIn } from "../../server/http/request/route.ts";
import { ROUTES } from "../../server/routes.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { nodeOf, refsIn, resolve, schemaProblems } from "../support/app/json_schema.ts";
import { worldMapFile } from "../support/app/map_file.ts";
import { progressed } from "../support/browser/frames.ts";
import { PretendTiles } from "../support/browser/pretend_tiles.ts";
import { putFootage } from "../support/camera/footage.ts";
import { JPEG } from "../support/disk/still_pictures.ts";

setDefaultTimeout(30_000);

type Node = Readonly<Record<string, unknown>>;

const DOCUMENT = nodeOf(JSON.parse(JSON.stringify(await openApi(ROUTES))));
const PASSWORD = "correct horse battery staple";

/** Routes for programs; the others answer people. */
function isDescribed({ path }: RouteAddress): boolean {
  return /^\/(api|film|media|tiles|map)\/|^\/(healthz|readyz|metrics)$/.test(path);
}
const DESCRIBED: readonly RouteAddress[] = ROUTES.filter(isDescribed);

function operationOf({ method, path }: Pick<RouteAddress, "method" | "path">): Node {
  return nodeOf(nodeOf(nodeOf(DOCUMENT["paths"])[pathOf(path)])[method.toLowerCase()]);
}

function responsesOf(route: Pick<RouteAddress, "method" | "path">): Node {
  return nodeOf(operationOf(route)["responses"]);
}

/** Differences between an answer and its description: status, type, and the body if that is JSON. */
async function answerProblems(route: Pick<RouteAddress, "method" | "path">, answer: Response): Promise<string[]> {
  const described = responsesOf(route)[String(answer.status)];
  if (described === undefined) return [`the status ${answer.status} is not described`];
  const content = nodeOf(described)["content"];
  const type = (answer.headers.get("content-type") ?? "").replace(/;.*/, "");
  if (content === undefined) return (await answer.text()) === "" ? [] : ["a body that is not described"];
  const forms = new Map(Object.entries(nodeOf(content)).map(([form, told]) => [form.replace(/;.*/, ""), told]));
  const form = forms.get(type) ?? forms.get("*/*");
  if (form === undefined) return [`the type ${type} is not described`];
  if (type !== "application/json") {
    await answer.body?.cancel();
    return [];
  }
  return schemaProblems(DOCUMENT, nodeOf(form)["schema"], await answer.json());
}

describe("the description", () => {
  test("tells of every route for programs, and of nothing else", () => {
    const told = Object.entries(nodeOf(DOCUMENT["paths"])).flatMap(([path, operations]) =>
      Object.keys(nodeOf(operations)).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(told.sort()).toEqual(DESCRIBED.map(({ method, path }) => `${method} ${pathOf(path)}`).sort());
  });

  test("asks for exactly the sign-in and the token that the routes ask for", () => {
    for (const route of DESCRIBED) {
      const { security } = operationOf(route);
      const byKey = [{ key: [] }, { keyHeader: [] }];
      const keys = ["read", "recordings", "sync"].includes(route.access) ? byKey : [];
      const expected = [route.method === "GET" ? { session: [] } : { session: [], csrf: [] }, ...keys];
      if (route.path === "/metrics") expect(security).toEqual([{}, { collector: [] }, ...byKey]);
      else expect([route.path, security]).toEqual([route.path, needsSignIn(route.access) ? expected : []]);
    }
  });

  test("names every part of a path, and no part that is not there", () => {
    for (const route of DESCRIBED) {
      const parameters = (operationOf(route)["parameters"] ?? []) as readonly Node[];
      const named = parameters.filter((parameter) => parameter["in"] === "path").map((parameter) => parameter["name"]);
      expect(named).toEqual([...pathOf(route.path).matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
  });

  test("is sound: version 3.1, every reference leads somewhere, every name is used, every operation has its own id", () => {
    expect(DOCUMENT["openapi"]).toBe("3.1.0");
    const refs = new Set(refsIn(DOCUMENT));
    for (const ref of refs) resolve(DOCUMENT, ref);
    const schemas = Object.keys(nodeOf(nodeOf(DOCUMENT["components"])["schemas"]));
    // Frames of streams are only spoken of: OpenAPI has no words for them.
    const unused = schemas.filter((name) => !refs.has(`#/components/schemas/${name}`));
    expect(unused).toEqual(["LogFrame", "ProgressUpdate"]);
    const ids = DESCRIBED.map((route) => String(operationOf(route)["operationId"]));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9_]*[a-z0-9]$/);
    expect(JSON.stringify(DOCUMENT)).not.toContain("undefined");
  });

  test("tells of 401 wherever somebody must be signed in, and of 403 wherever something changes", () => {
    for (const route of DESCRIBED.filter(({ access }) => needsSignIn(access))) {
      expect(responsesOf(route)).toHaveProperty("401");
      if (route.method !== "GET") expect(responsesOf(route)).toHaveProperty("403");
    }
  });

  test("takes each section as it is read, and refuses fields and values that are none", async () => {
    const changes = (section: string) => ({ $ref: `#/components/schemas/${section}Changes` });
    const problems = (section: string, body: unknown) => schemaProblems(DOCUMENT, changes(section), body);
    expect(problems("Sync", { priority: "rdate", include: ["P", "NF"], affinity_key: null })).toEqual([]);
    expect(problems("Auth", { password_hash: "***" })).toEqual([]);
    const bad: [section: string, body: unknown][] = [
      ["Sync", { priority: "newest" }],
      ["Sync", { skip_metadata: ["t3"] }],
      ["Sync", { include: "P" }],
      ["Sync", { prioritys: "date" }],
      ["Web", { port: "8080" }],
      ["Web", { port: 80.5 }],
      ["Web", { port: 65_536 }],
      ["Connection", { timeout_seconds: 0 }],
      ["Retention", { max_used_disk_percent: null }],
      ["Auth", { password_hash: "x" }],
      ["Auth", null],
    ];
    for (const [section, body] of bad) expect(problems(section, body)).not.toEqual([]);
  });
});

describe("every setting", () => {
  for (const section of SECTION_NAMES) {
    const changes = resolve(
      DOCUMENT,
      `#/components/schemas/${section.charAt(0).toUpperCase()}${section.slice(1)}Changes`,
    );
    for (const [key, { check, initial, secret }] of fieldsOf(section)) {
      if (secret) continue;
      test(`${section}.${key} is described so that its initial value fits and no value of another type`, () => {
        const schema = nodeOf(nodeOf(changes)["properties"])[key];
        expect(schemaProblems(DOCUMENT, schema, initial)).toEqual([]);
        for (const value of [{}, undefined, true, 1, "x", null, [1], -1, 1e12, 0.5]) {
          // The program refuses all that JSON Schema refuses. It also refuses more, since code knows more.
          if (schemaProblems(DOCUMENT, schema, value).length > 0) expect(v.is(check, value)).toBe(false);
        }
        expect(schemaProblems(DOCUMENT, schema, {})).not.toEqual([]);
      });
    }
  }
});

/** The address of an endpoint with its parts filled in. */
function fill(path: string, { key, media, run }: { key: string; media: string; run: string }): string {
  return path
    .replace(":key", key)
    .replace("*", media)
    .replace(":date", `${key.slice(0, 4)}-${key.slice(4, 6)}-${key.slice(6, 8)}`)
    .replace(":name", "F.mp4")
    .replace(":section", "sync")
    .replace(":id", run)
    .replace(":camera", "main")
    .replace(":picture", `${key}F.jpg`)
    .replace(":still", "F_00001000.jpg")
    .replace(":z/:x/:y", "0/0/0");
}

const NOTHING = { key: "20260607_101500_N", media: "x.mp4", run: "1" } as const;

/** The run that ended last. */
function latestRun({ app }: RunningApp): string {
  const run = app.history.latest();
  return run === null ? "none" : runId(run);
}

describe("the real answers", () => {
  /** An app with recordings, a run in its history and a signed-in user. */
  async function open(): Promise<RunningApp> {
    const running = await startApp({ settings: { retention: { keep: "" }, metrics: { scrape: true } } });
    await running.client.open("/");
    running.app.job.start("manual");
    await running.synced();
    return running;
  }

  async function firstRecording(running: RunningApp): Promise<{ key: string; media: string }> {
    const days = (await (await running.client.fetch("/api/viewer/recordings")).json()) as {
      days: { recordings: { base_filename: string; type: string; videos: Record<string, string> }[] }[];
    };
    const found = days.days[0]?.recordings[0];
    if (!found) throw new Error("the camera's recordings did not come home");
    const [video = ""] = Object.values(found.videos);
    return { key: `${found.base_filename}_${found.type}`, media: video.replace("/media/", "") };
  }

  test("of every GET endpoint are as described", async () => {
    await using tiles = new PretendTiles();
    await using running = await open();
    await running.app.settings.patch("viewer", { map_tiles: true, tile_url: tiles.address });
    const trashed = (await firstRecording(running)).key;
    expect((await running.client.send("DELETE", `/api/recordings/${trashed}`)).status).toBe(200);
    const { key, media } = await firstRecording(running);
    await putFootage(running.destination, [`${media.slice(0, media.indexOf("/") + 1)}${key}F.mp4`]);
    const picture = await running.client.fetch(`/api/recordings/${key}/stills?seconds=1&direction=F`, {
      method: "POST",
      headers: { "x-csrftoken": running.client.token },
      body: Buffer.from(JPEG),
    });
    expect(picture.status).toBe(201);
    writeFileSync(join(running.folder, "config", "area.pmtiles"), worldMapFile());
    for (const route of DESCRIBED.filter(({ method }) => method === "GET")) {
      // With a map file no tile is fetched.
      const map_file = route.path.startsWith("/map/") ? "area.pmtiles" : null;
      await running.app.settings.patch("viewer", { map_file });
      const hangUp = new AbortController();
      const path = fill(route.path, {
        key: route.path.startsWith("/api/trash/") ? trashed : key,
        media,
        run: latestRun(running),
      });
      const choice = /^\/(api\/viewer\/(export|film|pack)|film)\b/.test(path)
        ? `?key=${key}`
        : path === "/api/camera/secret"
          ? "?key=Cloud.sta_pw"
          : /^\/api\/map\/(passes|names)$/.test(path)
            ? "?bbox=-180,-90,180,90"
            : "";
      const answer = await running.client.fetch(path + choice, { signal: hangUp.signal });
      expect([path, answer.status]).toEqual([path, 200]);
      if (path.endsWith("/stream")) {
        expect(answer.headers.get("content-type")).toStartWith("text/event-stream");
        expect(Object.keys(nodeOf(nodeOf(responsesOf(route)["200"])["content"]))).toEqual(["text/event-stream"]);
        hangUp.abort();
      } else expect([path, ...(await answerProblems(route, answer))]).toEqual([path]);
    }
  });

  test("of the job in every state are as described", async () => {
    await using running = await startApp({ rate: 400_000, settings: { retention: { keep: "" } } });
    await running.client.open("/");
    const get = async (path: "/api/sync/last" | "/api/sync/progress" | "/api/status" | "/api/health/dashcam") => {
      const route = { method: "GET", path } as const;
      const answer = await running.client.fetch(path);
      const { status } = answer;
      expect([path, ...(await answerProblems(route, answer))]).toEqual([path]);
      return status;
    };
    const all = async () => [
      await get("/api/sync/last"),
      await get("/api/sync/progress"),
      await get("/api/status"),
      await get("/api/health/dashcam"),
    ];
    const post = async (path: "/api/sync/now" | "/api/sync/stop") => {
      const answer = await running.client.send("POST", path);
      const { status } = answer;
      expect([path, ...(await answerProblems({ method: "POST", path }, answer))]).toEqual([path]);
      return status;
    };
    expect(await all()).toEqual([204, 200, 200, 200]);
    expect(await post("/api/sync/stop")).toBe(404);
    expect(await post("/api/sync/now")).toBe(202);
    expect(await post("/api/sync/now")).toBe(409);
    await progressed(running.client, ({ bytes_downloaded_total: bytes }) => Number(bytes) > 0);
    expect(await all()).toEqual([200, 200, 200, 200]);
    expect(await post("/api/sync/stop")).toBe(202);
    await running.synced();
    expect(await all()).toEqual([200, 200, 200, 200]);
    await running.simulator.close();
    await running.app.settings.patch("connection", { address: "" });
    expect(await get("/api/health/dashcam")).toBe(200);
  });

  test("to changes are as described", async () => {
    await using running = await open();
    const settings = nodeOf(await (await running.client.fetch("/api/settings")).json());
    const patch = { method: "PATCH", path: "/api/settings/:section" } as const;
    const body = nodeOf(nodeOf(nodeOf(operationOf(patch)["requestBody"])["content"])["application/json"])["schema"];
    const rows: [
      route: { method: RouteAddress["method"]; path: string },
      path: string,
      body: unknown,
      status: number,
    ][] = [
      ...SECTION_NAMES.map((name) => [patch, `/api/settings/${name}`, settings[name], 200] as const).map(
        (row) => [...row] as [typeof patch, string, unknown, number],
      ),
      [patch, "/api/settings/sync", { priority: "newest", nonsense: 1 }, 422],
      [patch, "/api/settings/sync", [], 400],
      [patch, "/api/settings/nonsense", {}, 404],
      [patch, "/api/settings/sync", "x".repeat(1_100_000), 413],
      [{ method: "POST", path: "/api/schedule/pause" }, "/api/schedule/pause", undefined, 200],
      [{ method: "POST", path: "/api/schedule/resume" }, "/api/schedule/resume", undefined, 200],
      [{ method: "POST", path: "/api/dashcam/check" }, "/api/dashcam/check", { address: "127.0.0.1:9" }, 200],
      [{ method: "POST", path: "/api/dashcam/check" }, "/api/dashcam/check", { address: "a camera" }, 422],
      [{ method: "POST", path: "/api/auth/password" }, "/api/auth/password", {}, 401],
      [{ method: "POST", path: "/api/auth/password" }, "/api/auth/password", { new_password: 1 }, 422],
      [{ method: "POST", path: "/api/auth/password" }, "/api/auth/password", null, 400],
    ];
    for (const [route, path, sent, status] of rows) {
      const answer = await running.client.send(route.method, path, sent);
      expect([path, answer.status]).toEqual([path, status]);
      expect([path, ...(await answerProblems(route, answer))]).toEqual([path]);
      if (route === patch && status === 200) expect(schemaProblems(DOCUMENT, body, sent)).toEqual([]);
    }
    const tokenless = await running.client.send("POST", "/api/schedule/pause", undefined, { "x-csrftoken": "" });
    expect(tokenless.status).toBe(403);
    expect(await answerProblems({ method: "POST", path: "/api/schedule/pause" }, tokenless)).toEqual([]);
  });

  test("of a signed-in person's password and sessions are as described", async () => {
    await using running = await startApp({ mode: "login", password: PASSWORD });
    await running.client.signIn("admin", PASSWORD);
    const change = { method: "POST", path: "/api/auth/password" } as const;
    for (const [wanted, status] of [
      ["short", 422],
      [`${PASSWORD}!`, 200],
    ] as const) {
      const sent = { current_password: PASSWORD, new_password: wanted };
      const answer = await running.client.send("POST", change.path, sent);
      expect(answer.status).toBe(status);
      expect(await answerProblems(change, answer)).toEqual([]);
      const content = nodeOf(nodeOf(operationOf(change)["requestBody"])["content"]);
      const isAccepted = schemaProblems(DOCUMENT, nodeOf(content["application/json"])["schema"], sent).length === 0;
      expect(isAccepted).toBe(status === 200);
    }
    await running.client.open("/");
    const ended = await running.client.send("DELETE", "/api/auth/sessions");
    expect(ended.status).toBe(200);
    expect(await answerProblems({ method: "DELETE", path: "/api/auth/sessions" }, ended)).toEqual([]);
  });

  test("to strangers and to questions that make no sense are as described", async () => {
    await using stranger = await startApp({ mode: "login", password: PASSWORD });
    for (const route of DESCRIBED.filter(({ access }) => needsSignIn(access))) {
      const answer = await stranger.client.send(route.method, fill(route.path, NOTHING));
      expect([route.path, answer.status]).toEqual([route.path, 401]);
      expect([route.path, ...(await answerProblems(route, answer))]).toEqual([route.path]);
    }
    expect((await stranger.client.fetch("/metrics")).status).toBe(404);

    await using running = await startApp();
    const rows: [path: string, asked: string, status: number][] = [
      ["/api/stats/series", "/api/stats/series?range=8d", 400],
      ["/api/stats/series", "/api/stats/series?range=all", 200],
      ["/api/runs/:id", "/api/runs/yesterday", 404],
      ["/api/viewer/recordings", "/api/viewer/recordings?date=tomorrow", 422],
      ["/api/viewer/recordings", "/api/viewer/recordings?date=1999-01-01", 200],
      ["/api/viewer/recordings/:key/journey", "/api/viewer/recordings/20000101_000000_N/journey", 404],
      ["/api/viewer/recordings/:key/gps", "/api/viewer/recordings/20000101_000000_N/gps", 404],
      ["/api/viewer/recordings/:key/gsensor", "/api/viewer/recordings/nonsense/gsensor", 404],
      ["/api/health/storage", "/api/health/storage", 200],
      ["/api/recordings/recent", "/api/recordings/recent?limit=0", 200],
      ["/media/*", "/media/none.mp4", 404],
      ["/tiles/:z/:x/:y", "/tiles/0/0/0", 404],
      ["/metrics", "/metrics", 404],
    ];
    for (const [path, asked, status] of rows) {
      const answer = await running.client.fetch(asked);
      expect([asked, answer.status]).toEqual([asked, status]);
      expect([asked, ...(await answerProblems({ method: "GET", path }, answer))]).toEqual([asked]);
    }
  });
});
