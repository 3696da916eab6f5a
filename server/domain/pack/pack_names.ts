/** Names of the files at the top of a pack. */
export const SUMS = "SHA256SUMS";
export const SIGNATURE = "SHA256SUMS.sig";
export const TIMESTAMP = "SHA256SUMS.tsr";
export const SIGNERS = "allowed_signers";
export const STEPS = "VERIFY.txt";
export const REPORT = "report.html";

/** Files without a line in `SHA256SUMS`: the list itself, and what is made of it or tells how to check it. */
export const UNLISTED: readonly string[] = [SUMS, SIGNATURE, TIMESTAMP, SIGNERS, STEPS];
