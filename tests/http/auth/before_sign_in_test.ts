import { describe, expect, spyOn, test } from "bun:test";
import { HttpStage, PASSWORD, SAMPLES } from "../../support/app/http.ts";

const KIB = 1024;

describe("before somebody has signed in", () => {
  for (const path of ["/login", "/first-run"])
    test(`${path} reads 16 KiB and no more, announced or not`, async () => {
      await using stage = await HttpStage.open({ password: path === "/login" ? PASSWORD : null });
      const browser = stage.browser();
      const csrf_token = await browser.token(path);
      const type = "application/x-www-form-urlencoded";
      const filled = (length: number) => `csrf_token=${csrf_token}&password=x&username=`.padEnd(length, "u");
      const headers = { "content-type": type };
      const statusOf = async (body: string) => (await browser.ask(path, { body, headers })).status;
      const withinMs = statusOf(filled(16 * KIB));
      if (path === "/login") {
        await stage.clock.asleep(1500);
        await stage.clock.advance(1500);
      }
      expect(await withinMs).toBe(path === "/login" ? 401 : 400);
      expect(await statusOf(filled(16 * KIB + 1))).toBe(413);
      expect((await browser.ask(path, { body: "{", method: "POST", headers: { "content-length": "1" } })).status).toBe(
        403,
      );
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const chunks = new ReadableStream({
        start(controller) {
          for (let index = 0; index < 20; index++) controller.enqueue(new TextEncoder().encode("u".repeat(KIB)));
          controller.close();
        },
      });
      const unannounced = await fetch(stage.listening.url + path, {
        method: "POST",
        body: chunks,
        headers: { cookie, "content-type": type },
      });
      expect([unannounced.status, await unannounced.text()]).toEqual([413, expect.stringContaining("at most 16 KiB")]);
    });

  test("nothing of what was sent comes back at length", async () => {
    for (const password of [PASSWORD, null]) {
      await using stage = await HttpStage.open({ password, routes: SAMPLES });
      const path = password === null ? "/first-run" : "/login";
      const long = { username: `${"u".repeat(3000)}`, next: `/${"n".repeat(3000)}`, keep: "k".repeat(3000) };
      const browser = stage.browser();
      for (const csrf_token of ["wrong", await browser.token(path)]) {
        const asked = browser.ask(path, { form: { ...long, csrf_token, password: "p".repeat(3000), confirm: "x" } });
        if (password !== null && csrf_token !== "wrong") {
          await stage.clock.asleep(1500);
          await stage.clock.advance(1500);
        }
        const text = await (await asked).text();
        expect(text).toContain("u".repeat(256));
        for (const letter of "unkp") expect(text).not.toContain(letter.repeat(257));
      }
      const query = await (await browser.ask(`${path}?next=/${"n".repeat(3000)}`)).text();
      expect(query).not.toContain("n".repeat(257));
      const led = await browser.ask(`/settings?${"n".repeat(3000)}`);
      expect(led.headers.get("location")?.length).toBeLessThan(300);
    }
  });

  test("a form is taken apart once", async () => {
    await using stage = await HttpStage.open();
    const taken = spyOn(Response.prototype, "formData");
    try {
      const browser = stage.browser();
      await browser.ask("/login", { form: { csrf_token: "wrong", username: "u" } });
      expect(taken).toHaveBeenCalledTimes(1);
      expect((await browser.signIn("admin", PASSWORD)).status).toBe(302);
      expect(taken).toHaveBeenCalledTimes(2);
    } finally {
      taken.mockRestore();
    }
  });
});
