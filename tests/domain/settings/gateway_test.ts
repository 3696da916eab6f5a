import { describe, expect, test } from "bun:test";
import { credentialsIn, gatewayProblem, withoutCredentials } from "../../../server/domain/settings/gateway.ts";

describe("gatewayProblem()", () => {
  for (const address of [
    "",
    "http://pushgateway:9091",
    "http://pushgateway:9091/",
    "HTTPS://push.example/below/here",
    "http://[fd00::7]:9091",
    "http://user:secret@gate:9091/p",
    "http://user@gate",
    "http://us%40er:p%2Fw@gate",
    "http://gate/@path",
  ])
    test(`takes ${address || "nothing"}`, () => expect(gatewayProblem(address)).toBeNull());

  const rows: [address: string, says: RegExp][] = [
    ["pushgateway:9091", /such as http:\/\/pushgateway:9091$/],
    ["ftp://gate", /such as/],
    ["http://", /such as/],
    ["http:///gate", /such as/],
    ["http:gate", /such as/],
    ["http:user:secret@gate", /^"\*\*\*@gate" is not/],
    ["http:\\\\gate", /such as/],
    ["http://gate\\x", /such as/],
    ["http://gate:99999", /such as/],
    [" http://gate", /such as/],
    ["http://gate /x", /such as/],
    ["http://gate\t", /such as/],
    ["http://user:sec\nret@gate", /^"\*\*\*@gate" is not/],
    ["http://gate?a=b", /without \? and #$/],
    ["http://gate#a", /without \? and #$/],
    ["http://gate/p?", /without \? and #$/],
    ["http://***@gate", /type both anew$/],
  ];
  for (const [address, says] of rows)
    test(`refuses ${JSON.stringify(address)}, and shows no secret`, () => {
      expect(gatewayProblem(address)).toMatch(says);
      expect(gatewayProblem(address)).not.toContain("sec");
    });

  test("takes no longer for a long one", () => {
    for (const long of ["@", "/", ":", "a@", "http://", " "].map((part) => `http://${part.repeat(4096)}`))
      expect(gatewayProblem(long)?.length ?? 0).toBeLessThan(250);
  });
});

test("withoutCredentials() hides user and password, and nothing else", () => {
  const rows: [address: string, shown: string, credentials: string | null][] = [
    ["http://gate:9091/p", "http://gate:9091/p", null],
    ["http://user:secret@gate:9091/p", "http://***@gate:9091/p", "user:secret"],
    ["https://user@gate", "https://***@gate", "user"],
    ["http://a@b:c@gate", "http://***@gate", "a@b:c"],
    ["http://gate/a@b", "http://gate/a@b", null],
    ["http://@gate", "http://***@gate", ""],
    ["", "", null],
  ];
  for (const [address, shown, credentials] of rows)
    expect([withoutCredentials(address), credentialsIn(address)]).toEqual([shown, credentials]);
});
