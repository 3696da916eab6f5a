/**
 * A camera behind Wi-Fi, as a process of its own: so many bytes a second for all it sends, in small pieces, each of
 * which a client gets by itself. Every name on its list is served from one file in memory.
 * `bun wifi_camera.ts PORT LIST_FILE VIDEO_FILE COMPANION_FILE '{"rate":10000000}'`
 */
interface Manner {
  /** Bytes a second. */
  rate: number;
  /** Seconds after the first request at which the connection breaks. */
  cuts?: readonly number[];
  /** Nothing is sent from this second on, for so many. */
  silence?: { at: number; for: number };
  /** The camera drives off after so many seconds. */
  leaves?: number;
}

interface Client {
  /** Received bytes that are not yet a whole request. */
  heard: string;
  /** Answers still to be sent, the first one first. */
  answers: { bytes: Uint8Array; at: number }[];
}

/** Bytes that one packet holds, and that a burst of some brings. */
const LEAST = 1448;
const MOST = 8192;
/** A pause is not made good later. */
const LONGEST_CREDIT_MS = 20;

const [port = "0", listPath = "", videoPath = "", companionPath = "", mannerText = "{}"] = process.argv.slice(2);
const manner = JSON.parse(mannerText) as Manner;
const list = await Bun.file(listPath).bytes();
const video = await Bun.file(videoPath).bytes();
const companions = new Map<string, Uint8Array>();
for (const kind of ["thm", "gps", "3gf"]) companions.set(kind, await Bun.file(`${companionPath}.${kind}`).bytes());

const clients = new Set<Bun.Socket<Client>>();
let pieces = 0;
let credit = 0;
let lastTurn = performance.now();
let silentUntil = 0;

const server = Bun.listen<Client>({
  hostname: "127.0.0.1",
  port: Number(port),
  socket: {
    open(socket) {
      socket.data = { heard: "", answers: [] };
      socket.setNoDelay(true);
      clients.add(socket);
    },
    data(socket, bytes) {
      begin();
      const requests = (socket.data.heard + bytes.toString("latin1")).split("\r\n\r\n");
      socket.data.heard = requests.pop() ?? "";
      for (const request of requests)
        socket.data.answers.push(...answerTo(request).map((part) => ({ bytes: part, at: 0 })));
    },
    close: (socket) => void clients.delete(socket),
    error: (socket) => void clients.delete(socket),
  },
});
setInterval(turn, 1);
console.log(server.port);

/** The first request starts the clock of what shall happen. */
let hasBegun = false;
function begin(): void {
  if (hasBegun) return;
  hasBegun = true;
  for (const at of manner.cuts ?? []) setTimeout(cut, at * 1000);
  const { silence, leaves } = manner;
  if (silence) setTimeout(() => (silentUntil = performance.now() + silence.for * 1000), silence.at * 1000);
  if (leaves !== undefined) setTimeout(() => process.exit(0), leaves * 1000);
}

function cut(): void {
  for (const socket of clients) socket.terminate();
}

/** Sends what the time since the last turn allows, piece by piece. */
function turn(): void {
  const now = performance.now();
  credit = Math.min(credit + ((now - lastTurn) * manner.rate) / 1000, (LONGEST_CREDIT_MS * manner.rate) / 1000);
  lastTurn = now;
  if (now < silentUntil) credit = 0;
  for (const socket of clients) {
    for (let answer = socket.data.answers[0]; answer && credit > 0; answer = socket.data.answers[0]) {
      // Pieces have all sizes in between, in the same order each time.
      const length = LEAST + ((++pieces * 7919) % (MOST - LEAST));
      const written = socket.write(answer.bytes, answer.at, Math.min(length, answer.bytes.length - answer.at));
      // A client that does not read has to catch up first.
      if (written <= 0) break;
      credit -= written;
      answer.at += written;
      if (answer.at >= answer.bytes.length) socket.data.answers.shift();
    }
  }
}

/** The head and the body. */
function answerTo(request: string): Uint8Array[] {
  const [, method = "", path = ""] = /^([A-Z]+) (\S+)/.exec(request) ?? [];
  const found = path.endsWith(".cgi")
    ? list
    : path.endsWith(".mp4")
      ? video
      : path.startsWith("/Record/")
        ? companions.get(path.slice(-3))
        : undefined;
  const head = (status: string, length: number, more = "") =>
    new TextEncoder().encode(`HTTP/1.1 ${status}\r\nContent-Length: ${length}\r\n${more}\r\n`);
  if (found === undefined) return [head("404 Not Found", 0)];
  const range = /^range: *bytes=([0-9]+)-([0-9]*)/im.exec(request);
  const start = Number(range?.[1] ?? 0);
  const end = range?.[2] ? Math.min(found.length, Number(range[2]) + 1) : found.length;
  if (start >= found.length)
    return [head("416 Range Not Satisfiable", 0, `Content-Range: bytes */${found.length}\r\n`)];
  const part = range ? `Content-Range: bytes ${start}-${end - 1}/${found.length}\r\n` : "";
  const answer = head(range ? "206 Partial Content" : "200 OK", end - start, part);
  return method === "HEAD" ? [answer] : [answer, found.subarray(start, end)];
}

export {};
