import { TOLD_LENGTH, toldText } from "../../domain/notify/answer_text.ts";

/** Time that a service may take in all. */
export const ANSWER_MS = 15_000;
/** So much of an answer is read: services say in a line what they think. */
const MOST_BYTES = 64 * 1024;
const LONGEST_WAIT_SECONDS = 1800;

/** Result of one try to tell a service something. */
export interface Told {
  readonly ok: boolean;
  /** The HTTP status, or the code of a mail server; null when nothing answered. */
  readonly status: number | null;
  /** The answer, on one line or a few. */
  readonly answer: string;
  readonly milliseconds: number;
  /** Seconds that the service asks to be left alone. */
  readonly waitSeconds?: number;
}

/** Parts that all services need. */
export interface Asking {
  /** Aborts when the program stops. */
  readonly signal: AbortSignal;
  /** Names the program. */
  readonly userAgent: string;
  /** Parts of the address that no answer may show. */
  readonly secrets: readonly string[];
  readonly limitMs?: number;
}

interface Request {
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData;
  /** A web page is an answer, too: by this service's own protocol it is none. */
  readonly takesPages?: boolean;
}

/**
 * Sends one request and reads the beginning of the answer. Redirects are not followed: they could lead what is told
 * elsewhere.
 * @throws the signal's reason when that aborts
 */
export async function askService(url: string, request: Request, asking: Asking): Promise<Told> {
  const { signal, userAgent, secrets, limitMs = ANSWER_MS } = asking;
  const began = performance.now();
  const late = AbortSignal.timeout(limitMs);
  const over = new AbortController();
  /** @param own a sentence of ours in front of what came back */
  const told = (part: Omit<Told, "milliseconds" | "answer">, own: string, came = ""): Told => ({
    ...part,
    answer: [own, toldText(came, secrets)].filter(Boolean).join(" ").slice(0, TOLD_LENGTH),
    milliseconds: Math.round(performance.now() - began),
  });
  try {
    const answer = await fetch(url, {
      method: request.method ?? "POST",
      headers: { "user-agent": userAgent, "accept-encoding": "identity", ...request.headers },
      ...(request.body !== undefined && { body: request.body }),
      redirect: "manual",
      // Else a short answer could unpack to any size.
      decompress: false,
      signal: AbortSignal.any([signal, late, over.signal]),
    });
    const { status, headers } = answer;
    const text = await beginningOf(answer).catch((error: unknown) => {
      if (signal.aborted || !late.aborted) throw error;
      return "";
    });
    const wait = waitOf(headers.get("retry-after"), text);
    const rest = wait === null ? {} : { waitSeconds: wait };
    if (status >= 300 && status < 400)
      return told({ ok: false, status }, "The service sent Dashdock elsewhere, which is not followed.");
    const isPage = /^\s*text\/html\b/i.test(headers.get("content-type") ?? "");
    if (answer.ok && isPage && request.takesPages !== true)
      return told({ ok: false, status }, "A web page came back: another service answers there.", withoutTags(text));
    return told({ ok: answer.ok, status, ...rest }, "", isPage ? withoutTags(text) : text);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (late.aborted) return told({ ok: false, status: null }, `No answer within ${limitMs / 1000} s.`);
    return told({ ok: false, status: null }, unreachable(error));
  } finally {
    // A body that was not read would keep its connection.
    over.abort();
  }
}

/** Reads text until there is enough to tell, or all the bytes that are read at most have come. */
async function beginningOf(answer: Response): Promise<string> {
  if (answer.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of answer.body) {
    const part = piece.subarray(0, MOST_BYTES - bytes);
    bytes += part.length;
    text += decoder.decode(part, { stream: true });
    if (bytes >= MOST_BYTES) break;
  }
  return text;
}

/** A page is read for what it says. */
function withoutTags(html: string): string {
  return html
    .slice(0, TOLD_LENGTH * 20)
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>?/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** The seconds to wait, by the header or by what Discord and Telegram write into their answers. */
function waitOf(header: string | null, text: string): number | null {
  const [, written] = /"retry_after"\s*:\s*([0-9]{1,9}(?:\.[0-9]+)?)/.exec(text) ?? [];
  const seconds = Math.ceil(Number(header ?? written ?? Number.NaN));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, LONGEST_WAIT_SECONDS) : null;
}

const REASONS: Readonly<Record<string, string>> = {
  ConnectionRefused: "The connection was refused: nothing listens there.",
  ECONNREFUSED: "The connection was refused: nothing listens there.",
  ConnectionClosed: "The connection was closed without an answer.",
  ECONNRESET: "The connection was closed without an answer.",
  FailedToOpenSocket: "The host could not be reached.",
  ENOTFOUND: "No host of this name was found.",
  EAI_AGAIN: "No host of this name was found.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is signed by itself, so nobody vouches for it.",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate is of an authority that is not known here.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate is of an authority that is not known here.",
  CERT_HAS_EXPIRED: "The certificate has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is of another host.",
};

/** A sentence about a connection that did not come about; the error's own text would repeat the address. */
export function unreachable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? `The service could not be reached${code === "" ? "" : ` (${code})`}.`;
}
