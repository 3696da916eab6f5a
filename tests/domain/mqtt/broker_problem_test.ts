import { expect, test } from "bun:test";
import {
  type BrokerFailure,
  brokerProblemInWords,
  mayBeOlder,
  refusalInWords,
} from "../../../server/domain/mqtt/broker_problem.ts";

const NONE: BrokerFailure = { reason: null, code: null, isSilent: false, words: "" };

test("each cause has a sentence that says what to do", () => {
  const rows: readonly (readonly [Partial<BrokerFailure>, string])[] = [
    [{ reason: 4 }, "does not accept this user and password"],
    [{ reason: 134 }, "does not accept this user and password"],
    [{ reason: 5 }, "does not let this user in"],
    [{ reason: 135 }, "does not let this user in"],
    [{ reason: 142 }, "Another program connected"],
    [{ reason: 136 }, "busy"],
    [{ reason: 132 }, "neither MQTT 5 nor 3.1.1"],
    [{ reason: 155 }, "reason 155"],
    [{ isSilent: true }, "mqtts://"],
    [{ code: "ECONNREFUSED" }, "refused"],
    [{ code: "ENOTFOUND" }, "No host of this name"],
    [{ code: "EHOSTUNREACH" }, "does not answer"],
    [{ code: "ECONNRESET" }, "closed the connection"],
    [{ code: "ECONNRESET", isRepeated: true }, "again and again"],
    [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "not trusted"],
    [{ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, "not trusted"],
    [{ code: "CERT_HAS_EXPIRED" }, "expired"],
    [{ code: "ERR_TLS_CERT_ALTNAME_INVALID" }, "another name"],
    [{ code: "ENOENT_CA" }, "mqtt.ca_file"],
    [{ code: "ETIME" }, "too slow"],
    [{ code: "EMSGSIZE" }, "more than any message"],
    [{ words: "Invalid CA" }, "damaged"],
    [{ words: "error:1000045c:SSL routines:OPENSSL_internal:TLSV1_ALERT_CERTIFICATE_REQUIRED" }, "of its clients"],
    [{ words: "error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER" }, "wrong version number"],
    [{ reason: 128 }, "does not let this user in"],
    [{ code: "EWHATEVER", words: "it broke." }, "The connection failed: it broke."],
  ];
  for (const [failure, words] of rows) {
    const sentence = brokerProblemInWords({ ...NONE, ...failure }, false);
    expect(sentence).toContain(words);
    expect(sentence).toMatch(/^[A-Z].*\.$/);
  }
  expect(brokerProblemInWords({ ...NONE, isSilent: true }, true)).toContain("one without encryption needs mqtt://");
});

test("a broker that knows no MQTT 5 says so, or nothing", () => {
  const older = [{ reason: 1 }, { reason: 132 }, { isSilent: true }].map((one) => mayBeOlder({ ...NONE, ...one }));
  const not = [{ reason: 4 }, { reason: 135 }, { code: "ECONNREFUSED" }].map((one) => mayBeOlder({ ...NONE, ...one }));
  expect([older, not]).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
});

test("what the broker does not take is told where it gave a reason", () => {
  const words = [135, 149, 151].map((reason) => refusalInWords({ ...NONE, reason }));
  expect(words).toEqual([
    expect.stringContaining("does not let this user publish everything"),
    "The picture is too large for the broker.",
    "The broker does not take everything, with reason 151.",
  ]);
  expect(refusalInWords({ ...NONE, code: "ECONNRESET" })).toBeNull();
});
