import { describe, expect, test } from "bun:test";
import { draftProblem } from "../../../server/domain/settings/form_problems.ts";
import { hostNameProblem, isOwnHost } from "../../../server/domain/settings/host_names.ts";
import { initialSettings } from "../../../server/domain/settings/settings.ts";
import { applyPatch } from "../../../server/domain/settings/settings_patch.ts";

const NAMES = { machine: "Box.Example.net", allowed: ["cam.example.org", "Dash.Example.com."] };

describe("isOwnHost()", () => {
  const own = [
    ...["127.0.0.1", "127.0.0.1:8080", "192.168.1.20", "8.8.8.8:80", "[::1]", "[::1]:8080", "[FD00::20]"],
    ...["localhost", "localhost:8080", "LOCALHOST.", "nas", "nas:8080", "my_nas"],
    ...["nas.local", "NAS.Local:8080", "a.b.lan", "nas.home.arpa", "x.internal."],
    ...["box.example.net", "cam.example.org", "CAM.example.org:8443", "dash.example.com", "cam.example.org."],
  ];
  for (const host of own) test(`takes ${host}`, () => expect(isOwnHost(host, NAMES)).toBe(true));

  const foreign = [
    ...["", ".", "evil.example", "evil.example:8080", "evil.local.example", "notlocal.x", "local.evil", "home.arpa"],
    ...["x.cam.example.org", "xcam.example.org", "cam.example.org.evil.example", "127.0.0.1.evil.example"],
    ...["192.168.1.256", "1.2.3", "::1", "[::1", "[evil.example]", "evil.example@nas", "nas/evil.example", "nas evil"],
    ...["nas,evil.example", "nas:x", `${"a".repeat(300)}`, ".lan", ".local"],
  ];
  for (const host of foreign) test(`refuses "${host.slice(0, 40)}"`, () => expect(isOwnHost(host, NAMES)).toBe(false));

  test("refuses what is allowed nowhere", () => {
    expect(isOwnHost("box.example.net", { machine: "", allowed: [] })).toBe(false);
    expect(isOwnHost("", { machine: "", allowed: [] })).toBe(false);
  });
});

describe("web.allowed_hosts", () => {
  const set = (allowed_hosts: unknown) => applyPatch(initialSettings(), "web", { allowed_hosts }).web.allowed_hosts;
  test("takes names", () => expect(set(["cam.example.org", "nas"])).toEqual(["cam.example.org", "nas"]));
  for (const wrong of [
    "",
    "http://cam.example.org",
    "cam.example.org:8080",
    "*.example.org",
    "a b",
    "10.0.0.1",
    5,
    null,
  ])
    test(`refuses ${JSON.stringify(wrong)}`, () => expect(() => set([wrong])).toThrow());

  test("is told wrong when it is saved, shortly", () => {
    const field = { widget: { kind: "lines", reading: "host_name" } } as const;
    expect(draftProblem(field, "http://cam.example.org")).toBeNull();
    expect(hostNameProblem("http://cam.example.org")).toContain("is not a host name");
    expect(hostNameProblem(`${"a.".repeat(600)}`)?.length).toBeLessThan(250);
  });
});
