import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { HttpStage } from "../../support/app/http.ts";

const LOCKED = "203.0.113.7";
const LOCKED_IPV6 = "2001:db8:7::1";

let stage: HttpStage;
beforeAll(async () => {
  stage = await HttpStage.open({ trustProxy: true });
  for (const address of [LOCKED, LOCKED_IPV6]) for (let time = 0; time < 10; time++) stage.app.throttle.begin(address);
});
afterAll(() => stage[Symbol.asyncDispose]());

/** The whole answer to a request with these header lines, as they are. */
function asked(lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const head = ["GET /login HTTP/1.1", "Host: 127.0.0.1", "Connection: close", ...lines];
    const socket = connect(stage.listening.port, "127.0.0.1", () => socket.write(`${head.join("\r\n")}\r\n\r\n`));
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      answer += text;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

describe("what a request says of where it comes from", () => {
  const rows: [name: string, lines: string[], isLocked: boolean][] = [
    ["is the address of its proxy's header", [`X-Forwarded-For: ${LOCKED}`], true],
    ["is its last element, whatever stands before", [`X-Forwarded-For: 10.0.0.1, ${LOCKED}`], true],
    ["is the last of two headers", ["X-Forwarded-For: 10.0.0.1", `x-forwarded-for: ${LOCKED}`], true],
    ["is not the first of two headers", [`X-Forwarded-For: ${LOCKED}`, "X-Forwarded-For: 10.0.0.1"], false],
    ["is the same as IPv4 in IPv6", [`X-Forwarded-For: ::ffff:${LOCKED}`], true],
    ["is the same in hexadecimal", ["X-Forwarded-For: ::FFFF:cb00:7107"], true],
    ["is the same with a port", [`X-Forwarded-For: ${LOCKED}:4711`], true],
    ["is the same with a zone", [`X-Forwarded-For: ${LOCKED_IPV6}%eth0`], true],
    ["is the last one, also where a zone holds a comma", [`X-Forwarded-For: ${LOCKED_IPV6}%, 10.0.0.1%`], false],
    ["is the same anywhere in the /64", ["X-Forwarded-For: [2001:db8:7::ffff]:4711"], true],
    ["is the peer where the header makes no sense", [`X-Forwarded-For: ${LOCKED} x`], false],
    [
      "is in no other header",
      [`X_Forwarded_For: ${LOCKED}`, `Forwarded: for=${LOCKED}`, `X-Real-IP: ${LOCKED}`],
      false,
    ],
  ];
  for (const [name, lines, isLocked] of rows)
    test(name, async () => {
      const answer = await asked(lines);
      expect(answer).toStartWith("HTTP/1.1 200 ");
      expect(answer.includes("Too many failed attempts")).toBe(isLocked);
    });

  for (const lines of [
    [`X-Forwarded-For : ${LOCKED}`],
    ["X-Forwarded-For: 10.0.0.1", ` , ${LOCKED}`],
    ["Content-Length: 4", "Content-Length: 40"],
    ["Content-Length: 4", "Transfer-Encoding: chunked"],
  ])
    test(`is refused with ${JSON.stringify(lines)}`, async () => {
      expect(await asked(lines)).toStartWith("HTTP/1.1 400 ");
    });
});
