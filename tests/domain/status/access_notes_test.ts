import { describe, expect, test } from "bun:test";
import { type AccessFacts, accessNotes } from "../../../server/domain/status/access_notes.ts";

type Given = Partial<Omit<AccessFacts, "auth">> & { mode?: AccessFacts["auth"]["mode"]; proxies?: string[] };

function notes({ mode = "login", proxies = [], ...more }: Given): string[] {
  const auth = { mode, trusted_proxies: proxies };
  const found = accessNotes({ auth, trustProxy: false, listensOn: null, cameFrom: null, ...more });
  for (const { section } of found) expect(section).toBe("auth");
  return found.map(({ sentence }) => sentence);
}

describe("accessNotes()", () => {
  for (const network of ["0.0.0.0/0", "::/0", " ::/0 ", "0.0.0.0/1", "::ffff:0:0/96", "::ffff:0.0.0.0/96", "2000::/3"])
    test(`names ${network} among the trusted proxies`, () => {
      const [sentence, ...others] = notes({ mode: "proxy", proxies: ["10.0.0.1", network] });
      expect(sentence).toBe(
        `${network.trim()} makes every machine a trusted proxy: each one that reaches this service can sign in under any name.`,
      );
      expect(others).toEqual([]);
    });

  test("says what it means in the other modes", () => {
    expect(notes({ proxies: ["0.0.0.0/0"], trustProxy: true })).toEqual([expect.stringMatching(/can pretend to have/)]);
    expect(notes({ mode: "none", proxies: ["0.0.0.0/0"] })).toEqual([expect.stringMatching(/could pretend to have/)]);
  });

  test("says nothing of networks of one's own", () => {
    const proxies = ["10.0.0.0/8", "172.16.0.0/12", "fc00::/7", "::1", "::ffff:10.0.0.0/104", "203.0.113.7", "0.0.0.0"];
    expect(notes({ mode: "proxy", proxies, cameFrom: "203.0.113.9", listensOn: "203.0.113.5" })).toEqual([]);
    expect(notes({ cameFrom: "203.0.113.9", listensOn: "203.0.113.5" })).toEqual([]);
  });

  test("says in mode none how the internet gets here", () => {
    expect(notes({ mode: "none" })).toEqual([]);
    const listens = "No password is asked for, and the service listens on 203.0.113.5, an address of the internet.";
    const came = "No password is asked for, and a visitor came from 203.0.113.9, an address of the internet.";
    expect(notes({ mode: "none", cameFrom: "203.0.113.9" })).toEqual([came]);
    expect(notes({ mode: "none", listensOn: "203.0.113.5", cameFrom: "203.0.113.9" })).toEqual([listens]);
  });
});
