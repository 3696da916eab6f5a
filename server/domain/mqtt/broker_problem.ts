/** Causes for which there is no connection to the broker, and what helps. */

export interface BrokerFailure {
  /** Reason code of the broker's answer; null without an answer. */
  readonly reason: number | null;
  /** Code of the system or of the encryption, such as `ECONNREFUSED`. */
  readonly code: string | null;
  /** Nothing was answered in time, or the connection was closed without an answer. */
  readonly isSilent: boolean;
  /** The connection was lost soon after it began, several times in a row. */
  readonly isRepeated?: true;
  /** Words of the error, for causes that are not known here. */
  readonly words: string;
}

const BAD_VERSION: ReadonlySet<number> = new Set([1, 132]);
const BAD_PASSWORD: ReadonlySet<number> = new Set([4, 134]);
const NOT_ALLOWED: ReadonlySet<number> = new Set([5, 128, 135, 138]);
const BAD_ID: ReadonlySet<number> = new Set([2, 133]);
const UNAVAILABLE: ReadonlySet<number> = new Set([3, 136, 137, 151, 159]);
/** The broker has ended this connection, as another one came with the same id. */
export const TAKEN_OVER = 142;

/** True when a broker may speak only MQTT 3.1.1. */
export function mayBeOlder({ reason, isSilent }: BrokerFailure): boolean {
  return isSilent || (reason !== null && BAD_VERSION.has(reason));
}

/** Says why there is no connection. */
export function brokerProblemInWords(failure: BrokerFailure, isEncrypted: boolean): string {
  const { reason, code, isSilent, isRepeated, words } = failure;
  if (reason !== null) return reasonInWords(reason);
  if (isSilent) {
    const hint = isEncrypted
      ? "Check the port: one without encryption needs mqtt://."
      : "Check the port: an encrypted one needs mqtts://.";
    return `There is something at this address, but it does not answer like a broker. ${hint}`;
  }
  if (isRepeated)
    return "The connection is lost again and again. Perhaps another program connects with the id of this one, such as a copy of its config folder. Dashdock tries again in five minutes.";
  if (code === "ENOENT_CA") return "The file of your certificate authority cannot be read. Check mqtt.ca_file.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EAI_NONAME") return "No host of this name was found.";
  if (code === "ECONNREFUSED") return "The broker is not there: the connection was refused.";
  if (code === "ETIMEDOUT" || code === "EHOSTUNREACH" || code === "ENETUNREACH" || code === "EHOSTDOWN")
    return "The host of the broker does not answer.";
  if (code === "ETIME") return "The broker is too slow: it did not take a message in 20 seconds.";
  if (code === "EMSGSIZE") return "The broker sends more than any message to Dashdock has.";
  if (code === "ECONNRESET" || code === "EPIPE") return "The broker closed the connection.";
  if (code !== null && UNTRUSTED.has(code))
    return "The certificate of the broker is not trusted. Set the file of your certificate authority.";
  if (code === "CERT_HAS_EXPIRED") return "The certificate of the broker has expired.";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID" || code === "HOSTNAME_MISMATCH")
    return "The certificate of the broker is for another name.";
  if (/^Invalid CA/i.test(words)) return "The file of your certificate authority is damaged. Check mqtt.ca_file.";
  const [, encryption] = /SSL routines:[^:]*:(\w+)/.exec(words) ?? [];
  if (encryption?.endsWith("CERTIFICATE_REQUIRED"))
    return "The broker asks for a certificate of its clients. Dashdock has none: allow it a user and a password.";
  if (encryption !== undefined)
    return `The encrypted connection failed: ${encryption.toLowerCase().replaceAll("_", " ")}.`;
  return `The connection failed: ${words.replace(/\.$/, "")}.`;
}

/** Says why the broker does not take what is published; null for a cause that has to do with the connection. */
export function refusalInWords({ reason }: BrokerFailure): string | null {
  if (reason === null) return null;
  if (NOT_ALLOWED.has(reason))
    return "The broker does not let this user publish everything. Allow it both prefixes in the rules of the broker.";
  if (reason === 149) return "The picture is too large for the broker.";
  return `The broker does not take everything, with reason ${reason}.`;
}

const UNTRUSTED: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function reasonInWords(reason: number): string {
  if (reason === TAKEN_OVER)
    return "Another program connected with the id of this one, perhaps a copy of its config folder. Dashdock tries again in five minutes.";
  if (BAD_PASSWORD.has(reason)) return "The broker does not accept this user and password.";
  if (NOT_ALLOWED.has(reason)) return "The broker does not let this user in. Check user, password and its rules.";
  if (BAD_ID.has(reason)) return "The broker does not accept the id of this program.";
  if (UNAVAILABLE.has(reason)) return "The broker is busy. Dashdock tries again.";
  if (BAD_VERSION.has(reason)) return "The broker speaks neither MQTT 5 nor 3.1.1.";
  return `The broker refused, with reason ${reason}.`;
}
