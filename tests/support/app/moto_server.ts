import { join } from "node:path";
import { value } from "../../../server/remote/s3/xml_values.ts";
import { makeCertificates } from "./certificates.ts";
import { freePort, untilListening } from "./other_program.ts";

/** A server that speaks S3 and that others wrote, where Python's package `moto` is with its server. */
export const MOTO = Bun.which("moto_server");

export interface MotoServer extends AsyncDisposable {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** File of the authority that signed its certificate. */
  readonly authority: string;
}

/** A user who may do all, and nobody else: what they are made with is not asked for a signature. */
const FIRST_ACTIONS = 4;
const VERSION = "2010-05-08";
const POLICY = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "s3:*", Resource: "*" }],
});

/**
 * Starts it with a bucket in memory and a certificate of an authority of our own. It checks signatures with the library
 * of the format's inventor, and lists three names a page.
 * @param folder for the certificates
 */
export async function openMotoServer(folder: string): Promise<MotoServer> {
  if (MOTO === null) throw new Error("there is no moto_server");
  makeCertificates(folder);
  const port = freePort();
  const files = ["-c", join(folder, "broker.pem"), "-k", join(folder, "broker.key")];
  const running = Bun.spawn([MOTO, "-H", "127.0.0.1", "-p", String(port), ...files], {
    cwd: folder,
    env: {
      ...process.env,
      INITIAL_NO_AUTH_ACTION_COUNT: String(FIRST_ACTIONS),
      MOTO_S3_DEFAULT_MAX_KEYS: "3",
      PYTHONDONTWRITEBYTECODE: "1",
    },
    stdout: "ignore",
    stderr: "ignore",
  });
  const endpoint = `https://localhost:${port}`;
  const authority = join(folder, "authority.pem");
  const tls = { ca: await Bun.file(authority).text() };
  const ask = async (method: string, path: string, service: string, body: string): Promise<string> => {
    // The name of the service is all that it looks at in these.
    const authorization = `AWS4-HMAC-SHA256 Credential=none/20260101/us-east-1/${service}/aws4_request`;
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
    const answer = await fetch(`${endpoint}${path}`, { method, headers, body, tls });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${service}: ${text}`);
    return text;
  };
  const act = (action: string, more: Record<string, string> = {}) =>
    ask("POST", "/", "iam", String(new URLSearchParams({ Action: action, Version: VERSION, UserName: "us", ...more })));
  await untilListening(port, "moto_server");
  await act("CreateUser");
  await act("PutUserPolicy", { PolicyName: "all", PolicyDocument: POLICY });
  const made = await act("CreateAccessKey");
  const bucket = "our-dashcam";
  await ask("PUT", `/${bucket}`, "s3", "");
  return {
    endpoint,
    bucket,
    region: "us-east-1",
    accessKey: value(made, "AccessKeyId") ?? "",
    secretKey: value(made, "SecretAccessKey") ?? "",
    authority,
    async [Symbol.asyncDispose]() {
      running.kill("SIGKILL");
      await running.exited;
    },
  };
}
