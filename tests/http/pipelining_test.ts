import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import { cheapHash } from "../support/app/http.ts";
import { type Place, temporaryPlace } from "../support/app/process.ts";
import { putSettings, type Service, serve } from "../support/app/service.ts";

setDefaultTimeout(60_000);

const CONNECTIONS = 250;
/** Connections at once: enough to have many in every state, and few enough for the queue of those to be accepted. */
const AT_ONCE = 50;
/** Much longer than any answer takes, and shorter than an idle connection is kept. */
const HANGS_MS = 20_000;
const PROGRAM = { command: [process.execPath, "server/main.ts"], cwd: join(import.meta.dir, "../..") };
const KEY = "20260607_101500_N";
const VIDEO_BYTES = 300_000;

const request = (line: string, more = "", body = "") =>
  `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Remote-User: anna\r\n${more}\r\n${body}`;
const HEALTH = request("GET /healthz");
const PAGE = request("GET /manifest.webmanifest");
const UNKNOWN = request("GET /nosuch");
const UNKNOWN_API = request("GET /api/nosuch");
const ARCHIVE = request(`GET /api/viewer/export/zip?key=${KEY}`);
const VIDEO = request(`GET /media/${KEY}F.mp4`);
const STREAM = request("GET /api/sync/progress/stream");
const JSON_TYPE = "Content-Type: application/json\r\n";
const CHANGE = request("POST /api/sync/now", `${JSON_TYPE}Content-Length: 2\r\n`, "{}");
const CHUNKED = request(
  "PATCH /api/settings/sync",
  `${JSON_TYPE}Transfer-Encoding: chunked\r\n`,
  "2\r\n{}\r\n0\r\n\r\n",
);

interface Pattern {
  readonly requests: readonly string[];
  /** Bytes sent at a time; all at once when left out. */
  readonly pieces?: number;
  /** The last of them is sent when the first answer has begun. */
  readonly overlap?: boolean;
  /** The client says at once that it will send nothing more. */
  readonly ends?: boolean;
}
const PATTERNS: Readonly<Record<string, Pattern>> = {
  "twenty probes, and one for nothing": { requests: [...Array<string>(20).fill(HEALTH), UNKNOWN] },
  "a page, and one for nothing": { requests: [PAGE, UNKNOWN] },
  "a stream, and one for nothing while it is open": { requests: [STREAM, UNKNOWN], overlap: true },
  "a video, and one for nothing while it is sent": { requests: [VIDEO, UNKNOWN], overlap: true },
  "a change, and an archive behind its body": { requests: [CHANGE, ARCHIVE] },
  "a change in chunks, and one for nothing": { requests: [CHUNKED, UNKNOWN] },
  "a probe, and an archive": { requests: [HEALTH, ARCHIVE] },
  "two archives": { requests: [ARCHIVE, ARCHIVE], overlap: true },
  "an archive, and a probe while it is sent": { requests: [ARCHIVE, HEALTH], overlap: true },
  "two for nothing": { requests: [UNKNOWN, UNKNOWN_API] },
  "three in pieces, and an end": { requests: [UNKNOWN_API, VIDEO, UNKNOWN], pieces: 37, ends: true },
};

/** An answer as it came. */
interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The answers in what was received, and the rest that is none. */
function answersIn(received: string, isEvents: (head: string) => boolean): { answers: Answer[]; rest: string } {
  const answers: Answer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return { answers, rest };
    const head = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.1 ([0-9]{3}) /.exec(head)?.[1]);
    if (Number.isNaN(status)) throw new Error(`This is no answer: ${JSON.stringify(rest.slice(0, 200))}`);
    if (isEvents(head)) return { answers, rest: "" };
    const after = rest.slice(end + 4);
    const body = /^transfer-encoding: chunked$/im.test(head)
      ? chunks(after)
      : sized(after, Number(/^content-length: ([0-9]+)$/im.exec(head)?.[1] ?? 0));
    if (body === null) return { answers, rest };
    answers.push({ status, body: body.text });
    rest = after.slice(body.length);
  }
}

type Body = { readonly text: string; readonly length: number } | null;

function sized(text: string, length: number): Body {
  return text.length < length ? null : { text: text.slice(0, length), length };
}

function chunks(text: string): Body {
  let whole = "";
  let at = 0;
  for (;;) {
    const line = text.indexOf("\r\n", at);
    if (line < 0) return null;
    const size = Number.parseInt(text.slice(at, line), 16);
    const end = line + 2 + size + 2;
    if (text.length < end) return null;
    if (size === 0) return { text: whole, length: end };
    whole += text.slice(line + 2, end - 2);
    at = end;
  }
}

const isEvents = (head: string) => /^content-type: text\/event-stream/im.test(head);

/** All answers that a connection gets to these requests, until there are as many or it is closed. */
function converse(port: number, { requests, pieces, overlap, ends }: Pattern): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1");
    const hangs = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The connection hangs after ${JSON.stringify(received.slice(0, 300))}`));
    }, HANGS_MS);
    const look = () => {
      const { answers, rest } = answersIn(received, isEvents);
      return { answers, isDone: answers.length === requests.length && rest === "" };
    };
    const finish = () => {
      clearTimeout(hangs);
      socket.destroy();
      try {
        resolve(look().answers);
      } catch (error) {
        reject(error);
      }
    };
    const send = (text: string) => {
      const size = pieces ?? text.length;
      for (let at = 0; at < text.length; at += size) socket.write(text.slice(at, at + size));
    };
    socket.setNoDelay(true);
    let held = overlap ? (requests.at(-1) ?? "") : "";
    socket.on("connect", () => {
      send(requests.slice(0, overlap ? -1 : undefined).join(""));
      if (ends) socket.end();
    });
    socket.on("data", (data) => {
      received += data.toString("latin1");
      send(held);
      held = "";
      try {
        if (look().isDone) finish();
      } catch (error) {
        clearTimeout(hangs);
        socket.destroy();
        reject(error);
      }
    });
    // Closing a connection that still sends is a reset to its client.
    socket.on("error", () => {});
    socket.on("close", finish);
  });
}

const MODES: Readonly<Record<string, () => Promise<object>>> = {
  "login before a password is set": async () => ({ mode: "login" }),
  login: async () => ({ mode: "login", password_hash: await cheapHash("correct horse battery staple") }),
  none: async () => ({ mode: "none" }),
  proxy: async () => ({ mode: "proxy", trusted_proxies: ["127.0.0.1"], proxy_user_header: "X-Remote-User" }),
};

for (const [mode, auth] of Object.entries(MODES))
  describe(`in mode ${mode}`, () => {
    let place: Place;
    let service: Service;
    let port: number;
    beforeAll(async () => {
      place = await temporaryPlace();
      putSettings(place, { auth: await auth(), retention: { keep: "" } });
      await Bun.write(place.at("recordings", `${KEY}F.mp4`), new Uint8Array(VIDEO_BYTES).fill(65));
      service = await serve(place, [], { program: PROGRAM });
      port = Number(new URL(service.url).port);
    });
    afterAll(async () => {
      await service[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    });

    for (const [name, pattern] of Object.entries(PATTERNS))
      test(`${name}: what is answered is right and in order, and the process lives`, async () => {
        // The very first of a kind take longest, and are still on their way when the next comes: none is asked before.
        const all: Answer[][] = [];
        for (let begun = 0; begun < CONNECTIONS; begun += AT_ONCE)
          all.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => converse(port, pattern)))));
        const alone = await Promise.all(pattern.requests.map((one) => answeredAlone(port, one)));
        // On a busy machine what the first of a kind waits for, such as a page's code, may come after all of them: the listener
        // closes a connection that asks again meanwhile. By now it is there.
        const last = await Promise.all(Array.from({ length: AT_ONCE }, () => converse(port, pattern)));
        all.push(...last);
        for (const answers of all)
          for (const [at, answer] of answers.entries()) expect(alone[at]).toContainEqual(answer);
        if (!pattern.overlap) expect(last.flat()).not.toBeEmpty();
        expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
      });
  });

/**
 * Possible answers to a single request: as it is or, for those with few places, a refusal because others were faster.
 */
async function answeredAlone(port: number, one: string): Promise<Answer[]> {
  if (one !== STREAM) {
    const answers = await converse(port, { requests: [one] });
    return one === ARCHIVE && answers[0]?.status === 200 ? [...answers, tooMany("8 archives", 8)] : answers;
  }
  const headers = { "x-remote-user": "anna" };
  const answer = await fetch(`http://127.0.0.1:${port}/api/sync/progress/stream`, { headers });
  if (answer.status !== 200) return [{ status: answer.status, body: await answer.text() }];
  // A stream that is open has no end: the connection is closed where the next request comes.
  await answer.body?.cancel();
  return [tooMany("16 live views", 16)];
}

function tooMany(what: string, limit: number): Answer {
  const error = `${what} are open already. Close one or try again in a moment.`;
  return { status: 503, body: JSON.stringify({ error, code: "TOO_MANY_STREAMS", details: { limit } }) };
}
