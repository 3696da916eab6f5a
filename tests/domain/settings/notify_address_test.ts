import { describe, expect, test } from "bun:test";
import {
  readTarget,
  secretsIn,
  shownTarget,
  targetIds,
  targetName,
  targetProblem,
  withHiddenParts,
} from "../../../server/domain/settings/notify_address.ts";
import { pastedTarget } from "../../../server/domain/settings/pasted_target.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Numbers from 0 to 1, the same for the same seed. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

describe("an address of a service", () => {
  const rows: readonly (readonly [address: string, target: object])[] = [
    ["ntfy://ntfy.sh/car", { kind: "ntfy", base: "https://ntfy.sh", topic: "car", user: null, password: null }],
    ["ntfy://u:p%40s@h:81/car?scheme=http", { base: "http://h:81", topic: "car", user: "u", password: "p@s" }],
    ["ntfy://:tk_1@[fd00::1]:81/car", { base: "https://[fd00::1]:81", user: "", password: "tk_1" }],
    ["generic://h/a/b?x=1&y=%2F", { kind: "generic", url: "https://h/a/b?x=1&y=%2F", basic: null, secret: null }],
    ["generic://h?disabletls=yes&secret=whsec_AB+/", { url: "http://h/", secret: "whsec_AB+/" }],
    ["generic://u:p@h/a", { url: "https://h/a", basic: "u:p" }],
    ["gotify://h:80/push/ToK?scheme=http", { kind: "gotify", base: "http://h:80/push", token: "ToK" }],
    ["telegram://12:AB-c@telegram?chats=@me,-100", { api: "https://api.telegram.org", chats: ["@me", "-100"] }],
    ["discord://T-o@123456", { kind: "discord", api: "https://discord.com", id: "123456", token: "T-o" }],
    ["apprise://h:8000/car?scheme=http", { kind: "apprise", base: "http://h:8000", key: "car" }],
    [
      "smtp://me@x.org:p%2Fw@h:25/?from=a@x.org&to=b+c@x.org,d@x.org",
      {
        kind: "smtp",
        host: "h",
        port: 25,
        user: "me@x.org",
        password: "p/w",
        from: "a@x.org",
        to: ["b+c@x.org", "d@x.org"],
      },
    ],
    ["smtp://[fd00::1]?from=a@x.org&to=b@x.org", { host: "[fd00::1]", port: 587, user: null, password: null }],
    ["ntfy://h/car#My%20phone", { name: "My phone" }],
  ];
  for (const [address, target] of rows)
    test(`${address} is read`, () => {
      expect(targetProblem(address)).toBeNull();
      expect(readTarget(address)).toMatchObject(target);
    });

  for (const address of [
    "",
    "car",
    "https://ntfy.sh/car",
    "pushover://token@user",
    "ntfy://ntfy.sh",
    "ntfy://ntfy.sh/a/b",
    "ntfy://h/to pic",
    "ntfy://h/t\u0000",
    "ntfy://token@h/car",
    "ntfy://h/car?scheme=ftp",
    "ntfy://h/car?tags=x",
    "ntfy://h:0/car",
    "ntfy://h:70000/car",
    "ntfy://h/%zz",
    "ntfy://1.2.3/car",
    "generic://",
    "generic://h/a?secret=abc",
    "generic://h/a?secret=whsec_!",
    "gotify://h",
    "gotify://u:p@h/token",
    "telegram://token@telegram?chats=1",
    "telegram://12:AB@elsewhere?chats=1",
    "telegram://12:AB@telegram",
    "telegram://12:AB@telegram?chats=a b",
    "telegram://12:AB@telegram?chats=1&api=http://h/path",
    "discord://token@name",
    "discord://token@1/path",
    "smtp://h",
    "smtp://h/?from=a@x.org",
    "smtp://h/?from=a&to=b@x.org",
    "smtp://h/?from=a@x.org&to=b@x.org&to2=c",
    "smtp://h/box?from=a@x.org&to=b@x.org",
    "smtp://user@h/?from=a@x.org&to=b@x.org",
    "smtp://u:p@/?from=a@x.org&to=b@x.org",
    "smtp://h/?from=a@x.org%0d%0aBcc:&to=b@x.org",
    "apprise://h",
    "apprise://h/a/b",
    "ntfy://:***@h/car",
    `ntfy://h/car#${"n".repeat(41)}`,
  ])
    test(`${JSON.stringify(address)} is refused, with nothing of it in the sentence`, () => {
      const problem = targetProblem(address);
      expect(problem).toEqual(expect.any(String));
      for (const part of ["token", "abc", "AB", "pic"].filter((one) => address.includes(`${one}@`)))
        expect(problem?.replaceAll(/TOKEN|access token|the token/g, "")).not.toContain(part);
    });

  test("is shown without what is secret in it", () => {
    const long = "0123456789abcdef";
    expect(
      [
        "ntfy://u:p@h/car",
        "ntfy://:tk@h/car",
        "ntfy://ntfy.sh/my-secret-topic#Phone",
        `generic://h/hook/${long}?disabletls=yes&secret=whsec_AAAA&key=1`,
        "gotify://h/push/ToKen?scheme=http",
        "telegram://12:AB@telegram?chats=1",
        "discord://T-o@12",
        "smtp://me@x.org:pw@h:25/?from=a@x.org&to=b@x.org",
        "apprise://h/car",
        "something else",
        "other://u@h/p?q",
      ].map(shownTarget),
    ).toEqual([
      "ntfy://u:***@h/car",
      "ntfy://:***@h/car",
      "ntfy://ntfy.sh/my-***#Phone",
      "generic://h/hook/***?disabletls=yes&secret=***&key=***",
      "gotify://h/push/***?scheme=http",
      "telegram://***@telegram?chats=1",
      "discord://***@12",
      "smtp://me@x.org:***@h:25/?from=a@x.org&to=b@x.org",
      "apprise://h/car",
      "***",
      "other://***@h/***?***",
    ]);
  });

  test("tells its secrets as they are written and as they are sent, for answers and the log", () => {
    expect(secretsIn("ntfy://u:p%40ss@h/car")).toEqual(expect.arrayContaining(["p%40ss", "p@ss"]));
    expect(secretsIn("generic://h/hook?secret=whsec_AAAA")).toEqual(["whsec_AAAA"]);
    expect(secretsIn("gotify://h/ToKen")).toEqual(["ToKen"]);
    expect(secretsIn("ntfy://h/my-secret")).toEqual(["my-secret"]);
    expect(secretsIn("apprise://h/car")).toEqual([]);
  });

  test("comes back with its secret, wherever it stands and whatever it is called now", () => {
    const stored = ["ntfy://:one@h/car", "gotify://h/two", "discord://three@1", "discord://four@1"];
    expect(
      withHiddenParts(
        ["discord://***@1", "gotify://h/***#Home", "ntfy://:***@h/car", "discord://***@1", "ntfy://:new@h/car"],
        stored,
      ),
    ).toEqual([
      "discord://three@1",
      "gotify://h/two#Home",
      "ntfy://:one@h/car",
      "discord://four@1",
      "ntfy://:new@h/car",
    ]);
    // Elsewhere, the secret would go to another service.
    expect(withHiddenParts(["ntfy://:***@evil/car", 1], stored)).toEqual(["ntfy://:***@evil/car", 1]);
    expect(withHiddenParts(["gotify://h/***", "gotify://h/***"], stored)).toEqual(["gotify://h/two", "gotify://h/***"]);
  });

  test("of any kind gives no secret away, and gets it back in any order", () => {
    const random = mulberry(7);
    const word = () =>
      Array.from({ length: 6 + Math.floor(random() * 20) }, () => LETTERS[Math.floor(random() * 62)]).join("");
    for (let round = 0; round < 200; round++) {
      const secrets = Array.from({ length: 7 }, () => `S3CRET${word()}`);
      const [one, two, three, four, five, six, seven] = secrets;
      const stored = [
        `ntfy://user:${one}@${word()}.example/topic`,
        `ntfy://:${two}@h${round}/topic?scheme=http#My%20phone`,
        `generic://h/${"x".repeat(random() * 9)}?secret=whsec_AAAA${three}&disabletls=yes&a=1`,
        `gotify://h/${four}`,
        `telegram://12:${five}@telegram?chats=1,@me`,
        `discord://${six}@12`,
        `smtp://me@x.org:${seven}@h/?from=a@x.org&to=b@x.org`,
      ];
      const shown = stored.map(shownTarget);
      expect(shown.join(" ")).not.toContain("S3CRET");
      const order = stored.map((_, at) => at).sort(() => random() - 0.5);
      const back = withHiddenParts(
        order.map((at) => shown[at]),
        stored,
      );
      expect(back).toEqual(order.map((at) => stored[at]));
      expect(secrets.filter((secret) => !stored.flatMap(secretsIn).some((piece) => piece.includes(secret)))).toEqual(
        [],
      );
    }
  });

  test("has an id that tells nothing of its secret, and another one where the same is there twice", () => {
    const ids = targetIds(["ntfy://:a@h/car", "ntfy://:b@h/car#Name", "ntfy://:a@h/bus"]);
    expect(new Set(ids).size).toBe(3);
    expect(targetIds(["ntfy://:other@h/car"])).toEqual(ids.slice(0, 1));
  });

  test("has a name", () => {
    expect(
      [
        "ntfy://h:81/car",
        "ntfy://h/car#My%20phone",
        "telegram://1:a@telegram?chats=1",
        "smtp://u:p@h/?from=a@x.org&to=b@x.org,c@x.org",
      ].map(targetName),
    ).toEqual(["ntfy at h:81", "My phone", "Telegram", "Email to b@x.org, c@x.org"]);
  });

  const pasted: readonly (readonly [Parameters<typeof pastedTarget>[0], string, string])[] = [
    ["ntfy", "https://ntfy.sh/car", "ntfy://ntfy.sh/car"],
    ["ntfy", " http://h:81/car/ ", "ntfy://h:81/car?scheme=http"],
    ["ntfy", "h/car", "ntfy://h/car"],
    ["ntfy", "gotify://h/token", "gotify://h/token"],
    ["generic", "http://h/a?b=1", "generic://h/a?b=1&disabletls=yes"],
    ["ntfy", "generic+http://h/a", "generic://h/a?disabletls=yes"],
    ["discord", "https://discord.com/api/webhooks/12/T-o", "discord://T-o@12"],
    ["gotify", "http://h:80/message?token=ToK", "gotify://h:80/ToK?scheme=http"],
    ["apprise", "http://h:8000/notify/car", "apprise://h:8000/car?scheme=http"],
  ];
  for (const [kind, text, address] of pasted)
    test(`${text} for ${kind} becomes ${address}`, () => {
      expect(pastedTarget(kind, text)).toBe(address);
      expect(targetProblem(address)).toBeNull();
    });
});
