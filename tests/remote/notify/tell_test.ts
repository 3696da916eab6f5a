import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import type { Letter } from "../../../server/domain/notify/message.ts";
import { tell } from "../../../server/remote/notify/tell.ts";
import { openReceiver, partsOf, type Receiver } from "../../support/app/receivers.ts";

const PICTURE = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0, 255, 13, 10]);
const LETTER: Letter = {
  id: "msg_1",
  code: "event",
  at: Date.parse("2026-11-21T07:43:00Z"),
  title: "Событие <b>&\nх",
  text: "Two & more <i>",
  level: "warning",
  key: "20261121_074300_E",
  camera: "Van",
  url: "https://cam.example/viewer?key=1&t=2",
  picture: PICTURE,
};
const { signal } = new AbortController();
const ASKING = { signal, userAgent: "Dashdock/test" };

let receiver: Receiver;
beforeEach(() => {
  receiver = openReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

const send = (
  address: string,
  changes: Partial<Letter> = {},
  asking: Partial<typeof ASKING & { limitMs: number }> = {},
) => tell(address.replace("HOST", receiver.host), { ...LETTER, ...changes }, { ...ASKING, ...asking });
const bytesOf = async (part: FormDataEntryValue | null) => (part instanceof Blob ? await part.bytes() : null);

describe("ntfy", () => {
  test("gets the picture with everything beside it, in every script", async () => {
    expect(await send("ntfy://user:p%40ss@HOST/car?scheme=http")).toMatchObject({ ok: true, status: 200 });
    const [one] = receiver.received;
    const url = new URL(`http://x${one?.path}`);
    expect([one?.method, url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
      "PUT",
      "/car",
      { title: LETTER.title, message: LETTER.text, priority: "4", filename: "event.jpg", click: String(LETTER.url) },
    ]);
    expect(one?.body).toEqual(PICTURE);
    expect(one?.headers.get("authorization")).toBe(`Basic ${btoa("user:p@ss")}`);
    expect(one?.headers.get("user-agent")).toBe("Dashdock/test");
  });

  test("gets text as JSON at the root, with a token", async () => {
    await send("ntfy://:tk_1@HOST/car?scheme=http", { picture: null, url: null, level: "error" });
    const [one] = receiver.received;
    expect([one?.method, one?.path, JSON.parse(one?.text ?? "")]).toEqual([
      "POST",
      "/",
      { topic: "car", title: LETTER.title, message: LETTER.text, priority: 5 },
    ]);
    expect(one?.headers.get("authorization")).toBe("Bearer tk_1");
  });

  test("gets the text alone where the server takes no pictures", async () => {
    receiver.instead = ({ method }) =>
      method === "PUT"
        ? Response.json({ code: 40014, error: "attachments not allowed" }, { status: 400 })
        : Response.json({});
    expect(await send("ntfy://HOST/car?scheme=http")).toMatchObject({ ok: true });
    expect(receiver.received.map(({ method }) => method)).toEqual(["PUT", "POST"]);
  });
});

describe("a webhook", () => {
  test("gets a signed message of Standard Webhooks, with the time of this try", async () => {
    const key = Buffer.from("a key of twenty-four by.");
    await send(`generic://u:p@HOST/hook?x=1&disabletls=yes&secret=whsec_${key.toString("base64")}`);
    const [one] = receiver.received;
    expect([one?.method, one?.path]).toEqual(["POST", "/hook?x=1"]);
    expect(JSON.parse(one?.text ?? "")).toEqual({
      type: "dashdock.event",
      timestamp: "2026-11-21T07:43:00.000Z",
      data: {
        title: LETTER.title,
        text: LETTER.text,
        level: "warning",
        key: LETTER.key,
        url: LETTER.url,
        camera: "Van",
      },
    });
    const stamp = Number(one?.headers.get("webhook-timestamp"));
    expect(Math.abs(stamp - (one?.at ?? 0) / 1000)).toBeLessThan(5);
    const signed = createHmac("sha256", key).update(`msg_1.${stamp}.${one?.text}`).digest("base64");
    expect(one?.headers.get("webhook-id")).toBe("msg_1");
    expect(one?.headers.get("webhook-signature")).toBe(`v1,${signed}`);
    expect(one?.headers.get("authorization")).toBe(`Basic ${btoa("u:p")}`);
  });

  test("gets no signature without a secret, and may answer with a page", async () => {
    receiver.instead = () => new Response("<p>ok", { headers: { "content-type": "text/html" } });
    expect(await send("generic://HOST/hook?disabletls=yes")).toMatchObject({ ok: true, answer: "ok" });
    expect(receiver.received[0]?.headers.has("webhook-signature")).toBe(false);
  });
});

test("Gotify gets the text and the link, and its token in a header", async () => {
  await send("gotify://HOST/push/ToK?scheme=http");
  const [one] = receiver.received;
  expect([one?.path, one?.headers.get("x-gotify-key"), JSON.parse(one?.text ?? "")]).toEqual([
    "/push/message",
    "ToK",
    {
      title: LETTER.title,
      message: LETTER.text,
      priority: 6,
      extras: { "client::notification": { click: { url: LETTER.url } } },
    },
  ]);
});

describe("Telegram", () => {
  test("gets the picture in every chat, its caption escaped and short enough", async () => {
    await send("telegram://12:AB-c@telegram?chats=@me,-100&api=http://HOST", { text: "<&>".repeat(2000) });
    expect(receiver.received.map(({ path }) => path)).toEqual(["/bot12:AB-c/sendPhoto", "/bot12:AB-c/sendPhoto"]);
    const forms = await Promise.all(receiver.received.map(partsOf));
    expect(forms.map((form) => form.get("chat_id"))).toEqual(["@me", "-100"]);
    const caption = String(forms[0]?.get("caption")).replaceAll("\r\n", "\n");
    expect(forms[0]?.get("parse_mode")).toBe("HTML");
    expect(caption).toStartWith("<b>Событие &lt;b&gt;&amp;\nх</b>\n&lt;&amp;&gt;&lt;");
    expect(caption).toEndWith("…\nhttps://cam.example/viewer?key=1&amp;t=2");
    // It counts what is left when the marks are read.
    const read = caption.replaceAll(/<\/?b>/g, "").replaceAll(/&(lt|gt|amp);/g, "x");
    expect(read.length).toBeLessThanOrEqual(1024);
    expect(read.length).toBeGreaterThan(1010);
    expect(await bytesOf(forms[0]?.get("photo") ?? null)).toEqual(PICTURE);
  });

  test("gets a message without a picture; a chat that refuses decides over a test, and repeats no other message", async () => {
    let chats = 0;
    receiver.instead = () =>
      ++chats % 2 === 1
        ? Response.json({ ok: false, description: "chat not found" }, { status: 400 })
        : Response.json({});
    const address = "telegram://12:AB@telegram?chats=1,2&api=http://HOST";
    const told = await send(address, { picture: null, code: "test" });
    expect(told).toMatchObject({ ok: false, status: 400, answer: expect.stringContaining("chat not found") });
    expect(receiver.received.map(({ path }) => path)).toEqual(["/bot12:AB/sendMessage", "/bot12:AB/sendMessage"]);
    expect(await send(address, { picture: null })).toMatchObject({ ok: true, status: 200 });
  });
});

test("Discord gets text, link and picture, and calls no one", async () => {
  await send("discord://T-o@12?api=http://HOST", { text: `@everyone ${"x".repeat(3000)}` });
  const [one] = receiver.received;
  expect(one?.path).toBe("/api/webhooks/12/T-o?wait=true");
  const form = one && (await partsOf(one));
  const { content, allowed_mentions } = JSON.parse(String(form?.get("payload_json")));
  expect(allowed_mentions).toEqual({ parse: [] });
  expect(content).toStartWith(`**${LETTER.title}**\n@everyone x`);
  expect(content.length).toBe(2000);
  expect(await bytesOf(form?.get("files[0]") ?? null)).toEqual(PICTURE);
});

describe("Apprise", () => {
  test("gets JSON, and with a picture a form", async () => {
    await send("apprise://HOST/car?scheme=http", { picture: null, level: "error" });
    await send("apprise://HOST/car?scheme=http");
    const [plain, pictured] = receiver.received;
    const fields = { title: LETTER.title, body: `${LETTER.text}\n${LETTER.url}` };
    expect([plain?.path, JSON.parse(plain?.text ?? "")]).toEqual(["/notify/car", { ...fields, type: "failure" }]);
    const form = pictured && (await partsOf(pictured));
    expect([form?.get("body"), form?.get("type")]).toEqual([`${fields.body.replace("\n", "\r\n")}`, "warning"]);
    expect(await bytesOf(form?.get("attach") ?? null)).toEqual(PICTURE);
  });
});

test("a picture that is refused is left out, but for refusals of the message itself", async () => {
  receiver.instead = ({ path, body }) =>
    path.includes("sendPhoto") || body.length > 2500 ? new Response("bad picture", { status: 400 }) : Response.json({});
  const address = "telegram://12:AB@telegram?chats=1&api=http://HOST";
  expect(await send(address)).toMatchObject({ ok: true });
  expect(receiver.received.map(({ path }) => path)).toEqual(["/bot12:AB/sendPhoto", "/bot12:AB/sendMessage"]);
  receiver.instead = () => new Response("", { status: 403 });
  expect(await send(address)).toMatchObject({ ok: false, status: 403 });
  expect(receiver.received).toHaveLength(3);
});

describe("a service that", () => {
  const NTFY = "ntfy://:tk_secret@HOST/car?scheme=http";
  const plain = { picture: null };

  test("refuses is told with its words, but for secrets", async () => {
    receiver.instead = () => new Response("no tk_secret\u0000 here", { status: 403 });
    expect(await send(NTFY, plain)).toMatchObject({ ok: false, status: 403, answer: "no ***  here" });
  });

  test("redirects is not followed", async () => {
    receiver.instead = () => new Response("", { status: 302, headers: { location: `http://${receiver.host}/other` } });
    expect(await send(NTFY, plain)).toMatchObject({
      ok: false,
      status: 302,
      answer: expect.stringContaining("not followed"),
    });
    expect(receiver.received).toHaveLength(1);
  });

  test("answers with a page is another one", async () => {
    const html = "<html><script>x()</script><h1>Please sign in</h1>";
    receiver.instead = () => new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
    expect(await send(NTFY, plain)).toMatchObject({
      ok: false,
      status: 200,
      answer: "A web page came back: another service answers there. Please sign in",
    });
  });

  test("sends a gigabyte is read for 64 KiB", async () => {
    let sent = 0;
    const cancelled = Promise.withResolvers<void>();
    const piece = new Uint8Array(65_536).fill(120);
    receiver.instead = () =>
      new Response(
        new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              sent += piece.length;
              controller.enqueue(piece);
              if (sent >= 1e9) controller.close();
            },
            cancel() {
              cancelled.resolve();
            },
          },
          { highWaterMark: 0 },
        ),
      );
    const told = await send(NTFY, plain);
    expect([told.ok, told.status, told.answer.length]).toEqual([true, 200, 500]);
    await cancelled.promise;
    expect(sent).toBeLessThan(50_000_000);
  });

  test("is busy says for how long", async () => {
    receiver.instead = () => Response.json({ retry_after: 64.2 }, { status: 429 });
    expect(await send(NTFY, plain)).toMatchObject({ ok: false, status: 429, waitSeconds: 65 });
    receiver.instead = () => new Response("", { status: 429, headers: { "retry-after": "99999" } });
    expect((await send(NTFY, plain)).waitSeconds).toBe(1800);
  });

  test("is silent is given up in time", async () => {
    receiver.instead = () => new Promise<Response>(() => {});
    expect(await send(NTFY, plain, { limitMs: 60 })).toMatchObject({
      ok: false,
      status: null,
      answer: "No answer within 0.06 s.",
    });
  });

  test("stops in the middle of its answer has answered", async () => {
    receiver.instead = () =>
      new Response(new ReadableStream<Uint8Array>({ start: (control) => control.enqueue(new Uint8Array([111, 107])) }));
    expect(await send(NTFY, plain, { limitMs: 200 })).toMatchObject({ ok: true, status: 200 });
  });

  test("is not there is told in plain words, without its address", async () => {
    const { host } = receiver;
    await receiver[Symbol.asyncDispose]();
    const told = await tell(`ntfy://:tk_secret@${host}/car?scheme=http`, { ...LETTER, ...plain }, ASKING);
    expect(told).toMatchObject({
      ok: false,
      status: null,
      answer: "The connection was refused: nothing listens there.",
    });
    const lost = await tell("ntfy://no-such-host.invalid/car", { ...LETTER, ...plain }, ASKING);
    expect([lost.ok, lost.status, lost.answer]).toEqual([false, null, expect.stringMatching(/^[A-Z][a-z ]+/)]);
    expect(lost.answer).not.toContain("invalid");
  });

  test("hangs when the program stops is left at once", async () => {
    const stopping = new AbortController();
    receiver.instead = () => new Promise<Response>(() => {});
    const sending = send(NTFY, plain, { signal: stopping.signal });
    await receiver.has(0);
    stopping.abort(new Error("stopping"));
    await expect(sending).rejects.toThrow("stopping");
  });
});
