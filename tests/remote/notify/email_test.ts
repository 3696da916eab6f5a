import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Letter } from "../../../server/domain/notify/message.ts";
import { tell } from "../../../server/remote/notify/tell.ts";
import { openMailServer } from "../../support/app/mail_server.ts";

setDefaultTimeout(20_000);

const PICTURE = Uint8Array.from({ length: 600 }, (_, at) => (at * 7) & 255);
const LETTER: Letter = {
  id: "msg_1",
  code: "event",
  at: Date.parse("2026-11-21T07:43:00Z"),
  title: "Событие\r\nBcc: evil@example.org",
  text: "Two\n.\nand more",
  level: "error",
  key: null,
  camera: null,
  url: "https://cam.example/",
  picture: PICTURE,
};
const { signal } = new AbortController();
const ASKING = { signal, userAgent: "Dashdock/test" };
const ENDS = "?from=cam@example.org&to=me@example.org,you+car@example.org";

describe("email", () => {
  test("goes encrypted where that is offered, with sign-in, picture and every script", async () => {
    await using server = await openMailServer();
    const told = await tell(`smtp://me@example.org:p%2Fss%C3%A9@127.0.0.1:${server.port}/${ENDS}`, LETTER, ASKING);
    expect(told).toMatchObject({ ok: true, status: 250, answer: "250 taken" });
    expect(server.mails).toMatchObject([
      {
        from: "cam@example.org",
        to: ["me@example.org", "you+car@example.org"],
        isEncrypted: true,
        login: "me@example.org:p/ssé",
      },
    ]);
    const text = server.mails[0]?.text ?? "";
    const [head = ""] = text.split("\r\n\r\n");
    expect(head).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(head).toMatch(/^Message-ID: <msg_1@dashdock\.invalid>$/im);
    expect(head).toMatch(/^Date: Sat, 21 Nov 2026 07:43:00 \+0000$/m);
    expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
    // A title cannot add a line of its own.
    expect(head).not.toMatch(/^Bcc:/im);
    const [, picture = ""] = /filename=event\.jpg.*?\r\n\r\n(.*?)\r\n--/s.exec(text) ?? [];
    expect(new Uint8Array(Buffer.from(picture, "base64"))).toEqual(PICTURE);
    expect(text).toMatch(/\r\nTwo\r\n\.\r\nand more\r\nhttps:\/\/cam\.example\/\r\n/);
    const before = server.commands.indexOf("STARTTLS");
    expect(server.commands.slice(before + 1).filter((command) => !command.startsWith("*"))).toEqual([]);
  });

  test("goes without TLS to a private address only, and without a sign-in where none is set", async () => {
    await using server = await openMailServer({ hasTls: false });
    const plain = { ...LETTER, picture: null };
    expect(await tell(`smtp://u:pass@127.0.0.1:${server.port}/${ENDS}`, plain, ASKING)).toMatchObject({ ok: true });
    expect(await tell(`smtp://127.0.0.1:${server.port}/${ENDS}`, plain, ASKING)).toMatchObject({ ok: true });
    expect(server.mails.map(({ login, isEncrypted }) => [login, isEncrypted])).toEqual([
      ["u:pass", false],
      [null, false],
    ]);
  });

  // The system connects to this machine, but no rule says that it is private.
  const FOREIGN = "0.0.0.0";

  test("sends no password to a foreign address without TLS", async () => {
    await using server = await openMailServer({ hasTls: false, host: FOREIGN });
    const told = await tell(`smtp://u:pass@${FOREIGN}:${server.port}/${ENDS}`, LETTER, ASKING);
    expect(told).toMatchObject({ ok: false, status: null, answer: expect.stringContaining("password was not sent") });
    expect(server.commands.filter((command) => !/^(EHLO|QUIT)/.test(command))).toEqual([]);
  });

  test("sends nothing to a foreign address with a certificate of no authority", async () => {
    await using server = await openMailServer({ host: FOREIGN });
    const told = await tell(`smtp://u:pass@${FOREIGN}:${server.port}/${ENDS}`, LETTER, ASKING);
    expect(told).toMatchObject({ ok: false, status: null, answer: expect.stringContaining("certificate") });
    expect(server.commands.filter((command) => command.includes("AUTH"))).toEqual([]);
    expect(server.mails).toEqual([]);
  });

  test.if(process.getuid?.() === 0)("begins with TLS on port 465", async () => {
    const host = `127.${1 + Math.floor(Math.random() * 250)}.44.3`;
    await using server = await openMailServer({ isSecure: true, host, port: 465 });
    expect(await tell(`smtp://u:pass@${host}:465/${ENDS}`, LETTER, ASKING)).toMatchObject({ ok: true });
    expect(server.commands[0]).toStartWith("*EHLO");
  });

  const refusals: readonly (readonly [name: string, answers: Readonly<Record<string, string>>, status: number])[] = [
    ["a wrong password", { AUTH: "535 5.7.8 not you, passw0rd" }, 535],
    ["a sender that it does not know", { MAIL: "550 no such sender" }, 550],
    ["a receiver that it does not know", { RCPT: "550 no such receiver" }, 550],
    ["a full box", { ".": "452 the box is full" }, 452],
    ["a server that is busy", { hello: "421 come back later" }, 421],
  ];
  for (const [name, answers, status] of refusals)
    test(`tells of ${name}, without the password`, async () => {
      await using server = await openMailServer({ hasTls: false, answers });
      const told = await tell(`smtp://u:passw0rd@127.0.0.1:${server.port}/${ENDS}`, LETTER, ASKING);
      expect(told).toMatchObject({ ok: false, status });
      expect(told.answer).toContain(String(status));
      expect(told.answer).not.toContain("passw0rd");
    });

  test("tells that nothing listens, that no host has the name, and that something else answers", async () => {
    const server = await openMailServer({ hasTls: false });
    await server[Symbol.asyncDispose]();
    const dead = await tell(`smtp://127.0.0.1:${server.port}/${ENDS}`, LETTER, ASKING);
    expect(dead).toMatchObject({
      ok: false,
      status: null,
      answer: "The connection was refused: nothing listens there.",
    });
    const lost = await tell(`smtp://no-such-host.invalid/${ENDS}`, LETTER, ASKING);
    expect(lost).toMatchObject({ ok: false, status: null, answer: "No host of this name was found." });
    await using other = await openMailServer({ hasTls: false, answers: { hello: "HTTP/1.1 400 Bad Request" } });
    expect(await tell(`smtp://127.0.0.1:${other.port}/${ENDS}`, LETTER, ASKING)).toMatchObject({
      ok: false,
      status: null,
    });
  });

  test("gives up a silent server in time, one that talks for ever, and all when the program stops", async () => {
    await using silent = await openMailServer({ hasTls: false, answers: { hello: "220-wait" } });
    const address = `smtp://127.0.0.1:${silent.port}/${ENDS}`;
    expect(await tell(address, LETTER, { ...ASKING, limitMs: 80 })).toMatchObject({
      ok: false,
      status: null,
      answer: "No answer within 0.08 s.",
    });
    const stopping = new AbortController();
    const sending = tell(address, LETTER, { ...ASKING, signal: stopping.signal });
    stopping.abort(new Error("stopping"));
    await expect(sending).rejects.toThrow("stopping");
    await using endless = await openMailServer({ hasTls: false, answers: { hello: `220-${"x".repeat(1_000_000)}` } });
    const told = await tell(`smtp://127.0.0.1:${endless.port}/${ENDS}`, LETTER, { ...ASKING, limitMs: 3000 });
    expect([told.ok, told.answer.length <= 500]).toEqual([false, true]);
  });
});
