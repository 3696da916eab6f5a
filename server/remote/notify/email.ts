import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection, { type SMTPConnectionSendInfo } from "nodemailer/lib/smtp-connection";
import { toldText } from "../../domain/notify/answer_text.ts";
import { type Letter, withLink } from "../../domain/notify/message.ts";
import type { TargetOf } from "../../domain/settings/notify_address.ts";
import { ANSWER_MS, type Asking, type Told, unreachable } from "./ask_service.ts";

/** The port at which TLS begins with the connection. */
const TLS_PORT = 465;
/** A mail server says what it thinks in a line or a few. */
const MOST_BYTES = 64 * 1024;

/** Addresses of this machine and of private networks: messages to them stay at home. */
const PRIVATE: readonly (readonly [net: string, prefix: number, family: "ipv4" | "ipv6"])[] = [
  ["127.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["::1", 128, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
];

/** The mail server said no, or something went wrong on the way to it. */
interface MailError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/**
 * Sends an email. TLS is used from the start on port 465, and on others where the server offers it. Without TLS a
 * password goes to private addresses only.
 * @throws the signal's reason when that aborts
 */
export async function tellByMail(target: TargetOf<"smtp">, letter: Letter, asking: Asking): Promise<Told> {
  const { signal, secrets, limitMs = ANSWER_MS } = asking;
  const began = performance.now();
  const told = (ok: boolean, status: number | null, answer: string): Told => ({
    ok,
    status,
    answer,
    milliseconds: Math.round(performance.now() - began),
  });
  const late = AbortSignal.timeout(limitMs);
  try {
    const info = await ended(send(target, letter, AbortSignal.any([signal, late])), AbortSignal.any([signal, late]));
    const refused = info.rejected.length === 0 ? "" : `\nNot taken for ${info.rejected.join(", ")}.`;
    const taken = toldText(`${info.response}${refused}`, secrets);
    return told(true, Number(/^[0-9]{3}/.exec(info.response)?.[0] ?? 250), taken);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (late.aborted) return told(false, null, `No answer within ${limitMs / 1000} s.`);
    const { responseCode, response, code, message } = error as MailError;
    if (responseCode !== undefined) return told(false, responseCode, toldText(response ?? message, secrets));
    // The library has one code for all troubles of a socket.
    const isTls = /certificate|altname|self.signed|\bTLS\b|\bSSL\b/i.test(message) && code !== NO_TLS;
    return told(false, null, REASONS[isTls ? "ETLS" : (code ?? "")] ?? unreachable(causeOf(error)));
  }
}

const NO_TLS = "NO_TLS";
const REASONS: Readonly<Record<string, string>> = {
  NO_TLS: "The mail server offers no encryption, so the password was not sent.",
  ETLS: "The encrypted connection failed: the certificate is not valid for this host, or its authority is not known.",
  EPROTOCOL: "Something else than a mail server answers there.",
};

/** The library keeps the code of the system's own error in its message. */
function causeOf(error: unknown): unknown {
  const { code, message = "" } = error as MailError;
  const [own] = /\b(ECONN[A-Z]+|ENOTFOUND|EAI_AGAIN|CERT_[A-Z_]+|[A-Z_]*SELF_SIGNED[A-Z_]*)\b/.exec(message) ?? [];
  return Object.assign(new Error(message), { code: own ?? code });
}

/** Resolves or rejects as the work does, or rejects as soon as the signal aborts. */
async function ended<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = Promise.withResolvers<never>();
  const stop = () => over.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
    // Its end is known already.
    work.catch(() => {});
  }
}

async function send(
  { host, port, user, password, from, to }: TargetOf<"smtp">,
  letter: Letter,
  signal: AbortSignal,
): Promise<SMTPConnectionSendInfo> {
  // Asked once: the address that is judged is the one that is connected to.
  const name = host.replace(/^\[|\]$/g, "");
  const address = isIP(name) > 0 ? name : (await lookup(name)).address;
  const isNear = isPrivate(address);
  const connection = new SMTPConnection({
    host: address,
    port,
    secure: port === TLS_PORT,
    ...(isIP(name) === 0 && { servername: name }),
    // At home certificates are often signed by themselves, and without one it would go as well.
    tls: { rejectUnauthorized: !isNear },
    maxResponseSize: MOST_BYTES,
    socketCloseTimeout: 0,
    connectionTimeout: ANSWER_MS,
    greetingTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
  });
  const close = () => connection.close();
  signal.addEventListener("abort", close, { once: true });
  const failed = new Promise<never>((_, reject) => {
    connection.once("error", reject);
    connection.once("end", () => reject(Object.assign(new Error("ended"), { code: "ConnectionClosed" })));
  });
  failed.catch(() => {});
  /** A step of the conversation, which an error of the connection ends. */
  const step = <T>(begin: (done: (error?: Error | null, result?: T) => void) => void): Promise<T> => {
    const own = new Promise<T>((resolve, reject) => {
      begin((error, result) => (error ? reject(error) : resolve(result as T)));
    });
    return Promise.race([own, failed]);
  };
  try {
    signal.throwIfAborted();
    await step<void>((done) => connection.connect(done));
    if (password !== null) {
      if (!connection.secure && !isNear) throw Object.assign(new Error("no TLS"), { code: NO_TLS });
      await step<boolean>((done) => connection.login({ user: user ?? "", pass: password }, done));
    }
    const mail = await written(letter, { from, to });
    return await step<SMTPConnectionSendInfo>((done) => connection.send({ from, to: [...to] }, mail, done));
  } finally {
    signal.removeEventListener("abort", close);
    connection.close();
  }
}

async function written(letter: Letter, { from, to }: Pick<TargetOf<"smtp">, "from" | "to">): Promise<Buffer> {
  const { id, title, at, level, picture } = letter;
  const mail = new MailComposer({
    from: { name: "Dashdock", address: from },
    to: to.map((address) => ({ name: "", address })),
    subject: title,
    text: withLink(letter),
    date: new Date(at),
    // The same at every try: mail programs show a repetition once.
    messageId: `<${id}@dashdock.invalid>`,
    ...(level === "error" && { priority: "high" as const }),
    headers: { "Auto-Submitted": "auto-generated" },
    attachments:
      picture === null ? [] : [{ filename: "event.jpg", contentType: "image/jpeg", content: Buffer.from(picture) }],
  }).compile();
  return await new Promise((resolve, reject) => {
    mail.build((error, message) => (error || !message ? reject(error) : resolve(message)));
  });
}

function isPrivate(address: string): boolean {
  const near = new BlockList();
  for (const [net, prefix, family] of PRIVATE) near.addSubnet(net, prefix, family);
  return near.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
