import { LEVELS } from "../../domain/logs/log_line.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { formatJson, formatText, type Log } from "../../log.ts";
import { clientAddress, isNear } from "../request/client_address.ts";
import type { RequestContext } from "../request/request_context.ts";
import { isSame } from "../request/sessions.ts";
import { isFirstRun } from "./access.ts";
import { WRONG_GUESS_MS } from "./guess_count.ts";
import type { SignInParts } from "./sign_in.ts";

const LOGGER = "auth";
/** Without those that are taken for others; 32, so that each is as likely in a random byte. */
const SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const LENGTH = 8;

interface AuthSource {
  readonly current: Pick<Settings, "auth">;
  onChange(listener: (now: Pick<Settings, "auth">) => void): () => void;
}

/**
 * The code that a first run from outside has to bring: who can read what the service prints is its owner. There is one while
 * no password is set, and a new one should that ever be so again.
 */
export class FirstRunCode {
  readonly #settings: AuthSource;
  readonly #print: (code: string) => void;
  #code: string | null = null;

  /** @param print prints it where only the one who started the service reads it; never the log, which pages show */
  constructor(settings: AuthSource, print: (code: string) => void) {
    this.#settings = settings;
    this.#print = print;
  }

  /** From here on there is a code whenever one is needed; before that it would be printed by a service that does not run. */
  start(): void {
    this.#update(this.#settings.current);
    this.#settings.onChange((now) => this.#update(now));
  }

  /** True when the typed text is the code, in any spelling; false when there is no code. */
  isRight(typed: string): boolean {
    return this.#code !== null && isSame(plain(typed), plain(this.#code));
  }

  #update({ auth }: Pick<Settings, "auth">): void {
    if (!isFirstRun(auth)) this.#code = null;
    else if (this.#code === null) {
      const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
      const signs = Array.from(bytes, (byte) => SIGNS[byte % SIGNS.length]).join("");
      this.#code = `${signs.slice(0, LENGTH / 2)}-${signs.slice(LENGTH / 2)}`;
      this.#print(this.#code);
    }
  }
}

/**
 * True when the visitor who sets the first password has to enter the code: the client is neither on this machine nor in
 * a private network. A provider's shared addresses (100.64.0.0/10) count as foreign. Every address that some proxy on
 * the way has passed on counts, trusted or not: here it can only make things stricter.
 */
export function isCodeAsked(context: RequestContext): boolean {
  return (
    !isNear(context.address) || passedOn(context.request.headers).some((hop) => !isNear(clientAddress("", hop, true)))
  );
}

/** The addresses that proxies named as the source, in any of the headers that are in use for that. */
function passedOn(headers: Headers): string[] {
  const lists = HOP_HEADERS.map((name) => headers.get(name) ?? "").filter((text) => text !== "");
  const elements = [...(headers.get("forwarded") ?? "").matchAll(/\bfor=("[^"]*"|[^;,\s]*)/gi)];
  return [...lists.flatMap((text) => text.split(",")), ...elements.map(([, text = ""]) => text.replaceAll('"', ""))];
}
const HOP_HEADERS: readonly string[] = [
  "x-forwarded-for",
  "x-real-ip",
  "x-client-ip",
  "true-client-ip",
  "cf-connecting-ip",
];

interface CodeParts extends Pick<SignInParts, "clock" | "throttle"> {
  readonly log: Log;
  readonly firstRunCode: FirstRunCode;
}

/**
 * True when the typed text is the code. A wrong one counts as a failed sign-in of that address, and answers late.
 * @throws AppError RATE_LIMITED
 */
export async function codeHolds(
  context: RequestContext,
  { throttle, firstRunCode, clock, log }: CodeParts,
  typed: string,
): Promise<boolean> {
  const attempt = throttle.begin(context.address);
  if (firstRunCode.isRight(typed)) {
    attempt.succeed();
    return true;
  }
  log.warning(LOGGER, `A wrong code for the first run came from ${context.address}`);
  await clock.sleep(WRONG_GUESS_MS);
  return false;
}

/** In capital letters, without the dash and blanks that people put between. */
function plain(code: string): string {
  return code.toUpperCase().replaceAll(/[\s-]/g, "");
}

/** The code of a first run from outside as a line beside those of the log, in their form. */
export function codeLine(code: string, now: number, format: Settings["logging"]["format"]): string {
  const message = `No password is set yet. Setting it from outside of your own network asks for this code: ${code}`;
  const line = {
    seq: 0,
    ts: new Date(now).toISOString(),
    level: "INFO",
    level_no: LEVELS.INFO,
    logger: "auth",
  } as const;
  return format === "json" ? formatJson({ ...line, message }, {}) : formatText({ ...line, message });
}
