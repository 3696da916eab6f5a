/** Reasons that a bucket does not do what it is asked for. */
export type BucketFault =
  | "full"
  | "no_right"
  | "wrong_key"
  | "wrong_region"
  | "clock"
  | "redirect"
  | "page"
  | "no_bucket"
  | "away"
  | "certificate"
  | "taken"
  /** 5xx, 408, 429, cuts and silence. */
  | "busy"
  /** The bucket has stored something else than what was sent. */
  | "damaged"
  /** The upload has expired, or another program with this key has ended it. */
  | "no_upload"
  | "no_object"
  /** The server does not know this kind of request, or a header of it. */
  | "unsupported"
  /** Any other refusal. */
  | "refused";

/** A refusal in the words of the server. */
export interface BucketAnswer {
  readonly status: number;
  /** Code of its error, such as `NoSuchBucket`; empty without one. */
  readonly code: string;
  readonly message: string;
  /** The answer is a page for people. */
  readonly isPage: boolean;
}

const CODES: Readonly<Record<string, BucketFault>> = {
  AccessDenied: "no_right",
  AccountProblem: "no_right",
  AllAccessDisabled: "no_right",
  AuthorizationHeaderMalformed: "wrong_region",
  BadDigest: "damaged",
  BucketAlreadyExists: "refused",
  ConditionalRequestConflict: "busy",
  Forbidden: "no_right",
  IllegalLocationConstraintException: "wrong_region",
  InsufficientStorage: "full",
  InternalError: "busy",
  InvalidAccessKeyId: "wrong_key",
  InvalidDigest: "damaged",
  InvalidPart: "no_upload",
  InvalidPartOrder: "no_upload",
  InvalidSecurity: "wrong_key",
  InvalidToken: "wrong_key",
  MethodNotAllowed: "unsupported",
  NoSuchBucket: "no_bucket",
  NoSuchKey: "no_object",
  NoSuchUpload: "no_upload",
  NotImplemented: "unsupported",
  OperationAborted: "busy",
  PermanentRedirect: "wrong_region",
  PreconditionFailed: "taken",
  QuotaExceeded: "full",
  RequestExpired: "clock",
  RequestTimeout: "busy",
  RequestTimeTooSkewed: "clock",
  ServiceUnavailable: "busy",
  SignatureDoesNotMatch: "wrong_key",
  SlowDown: "busy",
  StorageFull: "full",
  XAmzContentChecksumMismatch: "damaged",
  XAmzContentSHA256Mismatch: "damaged",
  XMinioAdminBucketQuotaExceeded: "full",
  XMinioStorageFull: "full",
};

/** Some providers have no code of its own for a full account. */
const FULL = /\b(?:storage|quota|capacity|cap)\b.*\b(?:cap|exceeded|full|reached)\b/i;

/** Codes that servers have for a header that they do not know. */
const HEADER_CODES: readonly string[] = ["InvalidArgument", "InvalidRequest", "NotImplemented", "UnsupportedArgument"];

/** Tells the reason of a refusal. */
export function faultOf({ status, code, message, isPage }: BucketAnswer): BucketFault {
  if (status === 507 || FULL.test(message)) return "full";
  // Such as "Unsupported header 'x-amz-checksum-sha256' received for this API call".
  if (HEADER_CODES.includes(code) && /x-amz-checksum|if-none-match/i.test(message)) return "unsupported";
  const known = Object.hasOwn(CODES, code) ? CODES[code] : undefined;
  if (known !== undefined) return known;
  if (status >= 300 && status < 400) return "redirect";
  if (status === 501 || status === 405) return "unsupported";
  if (status >= 500 || status === 408 || status === 429) return "busy";
  if (isPage) return "page";
  if (status === 401) return "wrong_key";
  if (status === 403) return "no_right";
  if (status === 404) return "no_object";
  if (status === 412) return "taken";
  return "refused";
}

/** True for what a second try may mend within seconds. */
export function isPassing(fault: BucketFault): boolean {
  return fault === "busy" || fault === "damaged" || fault === "page";
}

/** True for what concerns one recording alone, so that others are sent. */
export function isOfOneObject(fault: BucketFault): boolean {
  return fault === "taken";
}

const SENTENCES: Readonly<Record<BucketFault, string>> = {
  full: "The bucket is full, or its quota is used up. Free some room at your provider, or raise the quota.",
  no_right: "This key may not do that. It needs the rights to read, write and list the bucket.",
  wrong_key: "The server does not know this access key, or the secret key does not belong to it. Check both.",
  wrong_region: "The bucket is in another region. Set the region that your provider names.",
  clock: "The clock of this machine and the clock of the server differ too much. Set the clock of this machine.",
  redirect: "The server sends us to another address. Set the address of the bucket’s own server.",
  page: "The address answers with a web page, not as an S3 server. Check the address.",
  no_bucket: "There is no bucket of this name. Create the bucket at your provider, or check its name.",
  away: "The server cannot be reached. Check the address, and the Internet connection.",
  certificate: "The certificate of the server is not trusted. Set the file of its certificate authority.",
  taken: "The bucket holds another file of this name. Nothing there is ever written over.",
  busy: "The server is busy, or the connection broke. Dashdock tries again by itself.",
  damaged: "The server received other bytes than Dashdock sent. Dashdock tries again by itself.",
  no_upload: "The server no longer knows an upload that had begun. Dashdock begins it again.",
  no_object: "The file is no longer in the bucket. Dashdock sends it again.",
  unsupported: "The server does not know a request that is needed. Another server, or a newer version, may.",
  refused: "The server refuses the request.",
};

/** One sentence with what to do. */
export function bucketSentence(fault: BucketFault): string {
  return SENTENCES[fault];
}
