import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext, createServer as createTlsServer, TLSSocket } from "node:tls";

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came, without the dots that were doubled. */
  readonly text: string;
  readonly isEncrypted: boolean;
  /** `user:password`; null when the client did not sign in. */
  readonly login: string | null;
}

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly Mail[];
  /** Every command that came, in order, `*` before those that came encrypted. */
  readonly commands: readonly string[];
}

interface Options {
  readonly hasTls?: boolean;
  /** TLS begins with the connection. */
  readonly isSecure?: boolean;
  readonly host?: string;
  readonly port?: number;
  /** Answers in place of the usual ones, by the first word of the command; `hello` is the first of all. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** A mail server of our own on loopback, which speaks SMTP with STARTTLS and AUTH PLAIN. */
export async function openMailServer(options: Options = {}): Promise<MailServer> {
  const { hasTls = true, isSecure = false, host = "127.0.0.1", answers = {} } = options;
  const mails: Mail[] = [];
  const commands: string[] = [];
  const open = new Set<Socket>();
  const certificate = hasTls ? ownCertificate() : null;
  const serve = (first: Socket) => {
    open.add(first);
    first.on("error", () => {});
    first.on("close", () => open.delete(first));
    let socket: Socket = first;
    let isEncrypted = isSecure;
    let login: string | null = null;
    let mail: { from: string; to: string[] } = { from: "", to: [] };
    let data: string | null = null;
    let rest = "";
    const say = (usual: string, command: string) => socket.write(`${answers[command] ?? usual}\r\n`);
    const command = (line: string) => {
      const [word = "", argument = ""] = line.split(/ (.*)/s);
      commands.push(`${isEncrypted ? "*" : ""}${word === "AUTH" ? "AUTH" : line}`);
      switch (word) {
        case "EHLO":
          return say(
            ["250-own", ...(hasTls && !isEncrypted ? ["250-STARTTLS"] : []), "250-AUTH PLAIN", "250 SIZE 9999999"].join(
              "\r\n",
            ),
            word,
          );
        case "STARTTLS": {
          say("220 go on", word);
          if (certificate === null) return;
          first.removeAllListeners("data");
          const secure = new TLSSocket(first, { isServer: true, secureContext: createSecureContext(certificate) });
          secure.on("error", () => {});
          socket = secure;
          isEncrypted = true;
          secure.on("data", take);
          return;
        }
        case "AUTH":
          login = Buffer.from(argument.replace(/^PLAIN /, ""), "base64")
            .toString()
            .split("\0")
            .slice(1)
            .join(":");
          return say("235 welcome", word);
        case "MAIL":
          mail = { from: /<(.*?)>/.exec(line)?.[1] ?? "", to: [] };
          return say("250 ok", word);
        case "RCPT":
          mail.to.push(/<(.*?)>/.exec(line)?.[1] ?? "");
          return say("250 ok", word);
        case "DATA":
          data = "";
          return say("354 go on", word);
        case "QUIT":
          say("221 bye", word);
          return socket.end();
        default:
          return say("500 what?", word);
      }
    };
    const take = (bytes: Buffer) => {
      rest += bytes.toString("latin1");
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (data === null) command(line);
        else if (line !== ".") data += `${line.replace(/^\./, "")}\r\n`;
        else {
          if (answers["."] === undefined) mails.push({ ...mail, text: data, isEncrypted, login });
          data = null;
          say("250 taken", ".");
        }
      }
    };
    first.on("data", take);
    say("220 own mail server", "hello");
  };
  const server = isSecure && certificate ? createTlsServer(certificate, serve) : createServer(serve);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const place = server.address();
  return {
    port: typeof place === "object" && place !== null ? place.port : 0,
    mails,
    commands,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A certificate that is signed by itself, and its key. */
function ownCertificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "mail-"));
  try {
    const args = "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 9 -subj /CN=own".split(" ");
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args], { cwd: folder });
    if (exitCode !== 0) throw new Error(`openssl: ${stderr}`);
    return { key: readFileSync(join(folder, "key.pem"), "utf8"), cert: readFileSync(join(folder, "cert.pem"), "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
