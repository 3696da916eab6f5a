import { describe, expect, test } from "bun:test";
import {
  type BucketFault,
  bucketSentence,
  faultOf,
  isOfOneObject,
  isPassing,
} from "../../../server/domain/offsite/bucket_problem.ts";

const NOTHING = { code: "", message: "", isPage: false };

const rows: readonly (readonly [status: number, code: string, fault: BucketFault])[] = [
  [403, "AccessDenied", "no_right"],
  [403, "InvalidAccessKeyId", "wrong_key"],
  [403, "SignatureDoesNotMatch", "wrong_key"],
  [403, "RequestTimeTooSkewed", "clock"],
  [400, "AuthorizationHeaderMalformed", "wrong_region"],
  [301, "PermanentRedirect", "wrong_region"],
  [307, "TemporaryRedirect", "redirect"],
  [302, "", "redirect"],
  [404, "NoSuchBucket", "no_bucket"],
  [404, "NoSuchKey", "no_object"],
  [404, "NoSuchUpload", "no_upload"],
  [404, "", "no_object"],
  [412, "PreconditionFailed", "taken"],
  [412, "", "taken"],
  [409, "ConditionalRequestConflict", "busy"],
  [403, "QuotaExceeded", "full"],
  [507, "XMinioStorageFull", "full"],
  [507, "", "full"],
  [500, "InternalError", "busy"],
  [503, "SlowDown", "busy"],
  [502, "", "busy"],
  [408, "", "busy"],
  [429, "", "busy"],
  [501, "NotImplemented", "unsupported"],
  [405, "", "unsupported"],
  [400, "BadDigest", "damaged"],
  [401, "", "wrong_key"],
  [403, "", "no_right"],
  [403, "toString", "no_right"],
  [400, "Whatever", "refused"],
];

describe("a refusal of a bucket", () => {
  for (const [status, code, fault] of rows)
    test(`of ${status} ${code} is ${fault}`, () => expect(faultOf({ ...NOTHING, status, code })).toBe(fault));

  test("is told by its words where the code says less", () => {
    const message = "Cannot upload files, storage cap exceeded. See the Caps & Alerts page";
    expect(faultOf({ ...NOTHING, status: 403, code: "AccessDenied", message })).toBe("full");
    expect(faultOf({ ...NOTHING, status: 403, code: "AccessDenied", message: "Access Denied" })).toBe("no_right");
  });

  test("is about a header that the server does not know where it says so", () => {
    const message = "Unsupported header 'x-amz-checksum-sha256' received for this API call.";
    expect(faultOf({ ...NOTHING, status: 400, code: "InvalidArgument", message })).toBe("unsupported");
    expect(faultOf({ ...NOTHING, status: 400, code: "InvalidArgument", message: "Bad name" })).toBe("refused");
  });

  test("is a page where it is one for people, unless the server is busy", () => {
    expect(faultOf({ ...NOTHING, status: 404, isPage: true })).toBe("page");
    expect(faultOf({ ...NOTHING, status: 502, isPage: true })).toBe("busy");
  });

  test("is tried again within seconds where that may mend it, and concerns one file where it does", () => {
    const faults = new Set(rows.map(([, , fault]) => fault));
    expect([...faults].filter(isPassing).sort()).toEqual(["busy", "damaged"]);
    expect(isPassing("page")).toBe(true);
    expect([...faults].filter(isOfOneObject)).toEqual(["taken"]);
  });

  test("has a sentence of its own, without a word that only programmers know", () => {
    const faults = [...new Set(rows.map(([, , fault]) => fault)), "page", "away", "certificate"] as const;
    const sentences = faults.map(bucketSentence);
    expect(new Set(sentences).size).toBe(sentences.length);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][^<>{}]*\.$/);
  });
});
