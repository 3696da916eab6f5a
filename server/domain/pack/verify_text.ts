import { REPORT, SIGNATURE, SIGNERS, SUMS, TIMESTAMP } from "./pack_names.ts";
import { NAMESPACE, PRINCIPAL } from "./ssh_signature_format.ts";

/** Time stamp of a pack: there, not asked for, or not to be had. */
export type StampState = "stamped" | "off" | "failed";

/** The command that checks the signature, on every system that has OpenSSH. */
export const VERIFY_COMMAND = `ssh-keygen -Y verify -f ${SIGNERS} -I ${PRINCIPAL} -n ${NAMESPACE} -s ${SIGNATURE} < ${SUMS}`;
export const SUMS_COMMAND = `sha256sum -c ${SUMS}`;

const STAMPS: Readonly<Record<StampState, string>> = {
  stamped: `${TIMESTAMP} is a time stamp (RFC 3161) of ${SUMS}. A time stamp authority made it.
It proves that the list existed at that time. To read it, and to check it with
the certificate of the authority:

  openssl ts -reply -in ${TIMESTAMP} -text
  openssl ts -verify -data ${SUMS} -in ${TIMESTAMP} -CAfile AUTHORITY.pem`,
  off: "This pack has no time stamp: none was asked for.",
  failed: "This pack has no time stamp: the time stamp authority gave none.",
};

/** The text of `VERIFY.txt`. */
export function verifyText({
  fingerprint,
  stamp,
}: {
  readonly fingerprint: string;
  readonly stamp: StampState;
}): string {
  return `HOW TO CHECK THIS PACK

Unpack it first, and open a terminal in its folder. ${REPORT} tells what is in it.

Linux

  ${SUMS_COMMAND}
  ${VERIFY_COMMAND}

macOS

  shasum -a 256 -c ${SUMS}
  ${VERIFY_COMMAND}

Windows, in the Command Prompt

  For each file, compare what this prints with its line in ${SUMS}:
  certutil -hashfile FILE SHA256

  ${VERIFY_COMMAND}

With Dashdock, which also finds files that are in no list

  dashdock verify-pack FOLDER


WHAT YOU SHOULD SEE

The first command says OK behind every file. The second one says

  Good "${NAMESPACE}" signature for ${PRINCIPAL} with ED25519 key
  ${fingerprint}

Anyone can make a pack with a key of their own. So ask the sender for the
fingerprint on another way, such as by telephone: it is the one above.


WHAT THIS PROVES

No file was changed since this installation of Dashdock signed the list.


WHAT IT DOES NOT PROVE

Who drove. That the camera's clock was right. How fast a car was.


TIME STAMP

${STAMPS[stamp]}
`;
}
