import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { DomPage } from "../support/browser/dom.ts";

setDefaultTimeout(20_000);

/** The zone of the machine must not matter. */
async function open(options: Parameters<typeof startApp>[0] = {}): Promise<RunningApp> {
  const running = await startApp(options);
  Object.defineProperty(running.app, "zone", { value: new ZoneTime("Australia/Sydney"), configurable: true });
  return running;
}

/** The page as a browser without script has it. */
async function page(running: RunningApp, path = "/logs"): Promise<DomPage> {
  const { response, text } = await running.client.open(path);
  expect(response.status).toBe(200);
  expect(text).not.toMatch(/ style=/);
  return new DomPage(text.slice(text.indexOf("<body"), text.indexOf("</body>")));
}

const all = ({ page: { body } }: DomPage, selector: string) =>
  [...body.querySelectorAll(selector)].map(({ textContent }) => textContent);
const pressed = (dom: DomPage) => all(dom, '[aria-pressed="true"]');

describe("GET /logs", () => {
  test("has all lines in memory without any script, and says what needs one", async () => {
    await using running = await open();
    for (let number = 1; number <= 3; number++) running.app.log.warning("camera", `message ${number}`);
    await using dom = await page(running);
    expect(all(dom, ".ln .ms")).toEqual(running.app.log.lines.map(({ message }) => message));
    expect(all(dom, ".ln-w").map((text) => text.replace(/^[0-9:.]+/, ""))).toEqual(
      [1, 2, 3].map((number) => `warningcameramessage ${number}`),
    );
    expect(dom.page.body.querySelector("noscript")?.textContent).toContain("JavaScript");
    expect(pressed(dom)).toEqual(["Debug", "AEDT", "Wrap"]);
    expect((dom.get("log-capture") as HTMLSelectElement).value).toBe("normal");
  });

  test("says times in the zone of the service, with the other one as the title, or the other way round", async () => {
    await using running = await open();
    const ts = running.app.log.lines.at(-1)?.ts ?? "";
    const sydney = new Date(ts).toLocaleTimeString("en-GB", { timeZone: "Australia/Sydney" });
    for (const [path, shown, title] of [
      ["/logs", sydney, ts.slice(11, 19)],
      ["/logs?times=utc", ts.slice(11, 19), sydney],
    ] as const) {
      await using dom = await page(running, path);
      const last = [...dom.page.querySelectorAll(".ln time")].at(-1);
      expect(last?.textContent).toStartWith(shown);
      expect(last?.getAttribute("title")).toContain(` ${title}`);
    }
  });

  test("offers no choice of zone where the service itself is in UTC", async () => {
    await using running = await open();
    Object.defineProperty(running.app, "zone", { value: new ZoneTime("UTC"), configurable: true });
    await using dom = await page(running);
    expect(pressed(dom)).toEqual(["Debug", "Wrap"]);
  });

  test("has the lines that its address asks for, marked", async () => {
    await using running = await open();
    running.app.log.error("sync", "The disk is full");
    running.app.log.error("sync", "The camera is away");
    await using dom = await page(running, "/logs?level=error&q=DISK");
    expect(all(dom, ".ln .ms")).toEqual(["The disk is full"]);
    expect(all(dom, ".ln mark")).toEqual(["disk"]);
    expect(pressed(dom)).toEqual(["Error", "AEDT", "Wrap"]);
    expect((dom.get("log-find") as HTMLInputElement).value).toBe("DISK");
    expect(all(dom, ".log-foot span")[0]).toBe("1\u00a0match in 2\u00a0lines");
  });

  test("has the lines that this browser wanted last time", async () => {
    await using running = await open();
    running.app.log.warning("test", "careful");
    running.client.setCookie("dashdock_logs", "level=warning&times=utc&wrap=off");
    await using dom = await page(running);
    expect(pressed(dom)).toEqual(["Warning", "UTC"]);
    expect(all(dom, ".ln .ms")).toEqual(["careful"]);
    running.client.setCookie("dashdock_logs", "%%%=&level=__proto__;");
    await using other = await page(running);
    expect(pressed(other)).toEqual(["Debug", "AEDT", "Wrap"]);
  });

  test("says why there is nothing to see, and how to see something", async () => {
    await using running = await open();
    for (const [path, title, action] of [
      ["/logs?level=error", "No errors", "Show all lines"],
      ["/logs?level=warning&logger=nobody", "No warnings or errors from nobody", "Show all lines"],
      ["/logs?q=nothing+like+it", "Nothing matches “nothing like it”", "Clear search"],
    ] as const) {
      await using dom = await page(running, path);
      expect([all(dom, ".log-empty h2"), all(dom, ".log-empty button")]).toEqual([[title], [action]]);
    }
  });

  test("draws what a message holds as text", async () => {
    await using running = await open();
    running.app.log.info("test", '<img src=x onerror=alert(1)> "quoted" & <b>bold</b>');
    await using dom = await page(running, "/logs?q=%3Cb%3E");
    expect(all(dom, ".ln .ms")).toEqual(['<img src=x onerror=alert(1)> "quoted" & <b>bold</b>']);
    expect(dom.page.body.querySelector(".ln img, .ln b")).toBeNull();
  });

  test("draws the newest of a long log, and leaves the rest to the script", async () => {
    await using running = await open({ settings: { logging: { ring_buffer_capacity: 2000 } } });
    for (let number = 1; number <= 900; number++) running.app.log.info("test", `message ${number}`);
    await using dom = await page(running);
    const rows = all(dom, ".ln .ms");
    expect([rows.length, rows.at(-1)]).toEqual([500, "message 900"]);
    expect(all(dom, ".log-foot span").at(-1)).toBe("2\u202f000 lines kept in memory");
  });

  test("names the log file and leads to it only while there is one", async () => {
    await using running = await open();
    await running.app.logFile.flush();
    await using dom = await page(running);
    const link = dom.page.body.querySelector('a[href="/api/logs/file"]');
    expect(link?.textContent).toBe(running.app.logFile.path);
    await rm(running.app.logFile.path);
    await using without = await page(running);
    expect(without.page.body.querySelector('a[href="/api/logs/file"]')).toBeNull();
  });
});
