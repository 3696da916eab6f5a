import { describe, expect, test } from "bun:test";
import { Trash } from "../../../islands/trash/trash.ts";
import type { TrashProps } from "../../../islands/trash/trash_props.ts";
import type { TrashedRecording } from "../../../server/domain/retention/deletion.ts";
import { contentsOf, dayOf, keysOf, trashed } from "../../support/app/trash.ts";
import { DomPage } from "../../support/browser/dom.ts";

const FRIDAY = "2026-06-05";
const SATURDAY = "2026-06-06";
type Days = Record<string, TrashedRecording[]>;
const few = (): Days => ({
  [FRIDAY]: keysOf(5).map((key) => trashed(key)),
  [SATURDAY]: keysOf(2, "P").map((key) => trashed(key, { recordings: 2 })),
});
const many = (count: number): Days => ({ [FRIDAY]: keysOf(count).map((key) => trashed(key)) });

/** A page about a trash that is answered for here. */
class Scene implements AsyncDisposable {
  readonly dom = new DomPage('<div id="toasts"></div><div id="no-connection" hidden></div>', { path: "/trash" });
  readonly trash: Trash;
  /** Requests that changed something, with their bodies. */
  readonly asked: [request: string, body: { keys?: string[]; all?: true }][] = [];
  /** Reasons by key why a recording cannot be restored. */
  readonly stuck: Record<string, string> = {};
  /** Answers instead of the trash, as long as it has something to say. */
  instead: (request: string) => Response | null = () => null;
  days: Days;

  constructor(days: Days) {
    this.days = days;
    this.trash = new Trash(this.#contents(), { page: this.dom.page, ask: (path, init) => this.#answer(path, init) });
  }

  #contents(): TrashProps {
    const shown = Object.entries(this.days).filter(([, list]) => list.length > 0);
    return contentsOf(shown.map(([date, list]) => dayOf(date, list)));
  }

  async #answer(path: string, { method = "GET", body }: RequestInit = {}): Promise<Response> {
    const url = new URL(path, "http://dashdock.test");
    const request = `${method} ${url.pathname}`;
    const instead = this.instead(request);
    if (instead) return instead;
    if (url.pathname === "/hx/trash") {
      const holder = this.dom.page.createElement("div");
      holder.id = "trash";
      holder.dataset["props"] = JSON.stringify(this.#contents());
      return new Response(holder.outerHTML);
    }
    if (method === "GET") return Response.json(this.#page(url.searchParams));
    const sent = JSON.parse(String(body));
    this.asked.push([request, sent]);
    const all = Object.values(this.days).flat();
    const wanted = new Set<string>(sent.keys ?? all.map(({ key }) => key));
    const failed = method === "POST" ? Object.entries(this.stuck).filter(([key]) => wanted.has(key)) : [];
    for (const [key] of failed) wanted.delete(key);
    for (const [date, list] of Object.entries(this.days)) this.days[date] = list.filter(({ key }) => !wanted.has(key));
    if (method === "DELETE") return Response.json({ deleted: wanted.size, bytes: 0 });
    return Response.json({ restored: wanted.size, failed: failed.map(([key, reason]) => ({ key, reason })) });
  }

  #page(query: URLSearchParams): { days: { date: string; recordings: TrashedRecording[] }[] } {
    const date = query.get("date") ?? "";
    const list = this.days[date] ?? [];
    const from = list.findIndex(({ key }) => key === query.get("after")) + 1;
    return { days: [{ date, recordings: list.slice(from, from + Number(query.get("limit"))) }] };
  }

  day(date: string) {
    const found = this.trash.contents.value.days.find((one) => one.date === date);
    if (!found) throw new Error(`There is no ${date}`);
    return found;
  }

  choose(date: string, ...keys: (string | undefined)[]): void {
    for (const key of keys) this.trash.choose(date, key ?? "", true, false);
  }

  /** Shown rows of each day, and the number of all its rows. */
  get shown(): string[] {
    return this.trash.contents.value.days.map(
      ({ date, recordings, entries }) => `${date}: ${recordings.length} of ${entries}`,
    );
  }

  get toasts(): string[] {
    return [...this.dom.page.querySelectorAll(".toast span")].map(({ textContent }) =>
      (textContent ?? "").replaceAll(/[\u00a0\u202f]/g, " "),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dom[Symbol.asyncDispose]();
  }
}

const refused = (code: string, error: string) => Response.json({ error, code }, { status: 503 });

describe("the trash restores and deletes", () => {
  test("one recording, and shows the next in its place", async () => {
    await using scene = new Scene(few());
    const { trash } = scene;
    const [first] = scene.day(FRIDAY).recordings;
    if (!first) throw new Error("There is nothing");
    await trash.workOnOne("restore", FRIDAY, first);
    expect(scene.asked).toEqual([["POST /api/trash/restore", { keys: [first.key] }]]);
    expect(scene.shown).toEqual([`${FRIDAY}: 3 of 4`, `${SATURDAY}: 2 of 2`]);
    expect(trash.contents.value.totals).toMatchObject({ entries: 6, recordings: 8, bytes: 600_000_000 });
    expect(scene.toasts).toEqual([
      "1 recording is restored. Rules leave it alone for at least a week, and until you change them.",
    ]);
    // The row below it takes the focus over.
    expect(trash.focusRow).toBe(`${FRIDAY}/${keysOf(5)[1]}`);
    expect(trash.task.value).toBeNull();
  });

  test("several; what could not be restored stays, with the reason", async () => {
    await using scene = new Scene(few());
    const [kept = "", other = ""] = keysOf(5);
    const [pair = ""] = keysOf(2, "P");
    scene.stuck[kept] = "Another recording has its name.";
    scene.choose(FRIDAY, kept, other);
    scene.choose(SATURDAY, pair);
    expect(await scene.trash.workOnChosen("restore")).toBe(true);
    expect(scene.asked).toEqual([["POST /api/trash/restore", { keys: [kept, other, pair] }]]);
    expect(scene.shown).toEqual([`${FRIDAY}: 3 of 4`, `${SATURDAY}: 1 of 1`]);
    expect(scene.trash.failures.value).toEqual([{ key: kept, reason: "Another recording has its name." }]);
    expect(scene.trash.choice.value.size).toBe(0);
    expect(scene.toasts).toEqual([
      "3 recordings are restored. Rules leave them alone for at least a week, and until you change them. 1 recording could not be restored.",
    ]);
    // The next attempt begins without old reasons.
    scene.choose(FRIDAY, keysOf(5)[2]);
    await scene.trash.workOnChosen("delete");
    expect(scene.trash.failures.value).toEqual([]);
    expect(scene.toasts.at(-1)).toBe("1 recording, 100 MB, is deleted for good.");
  });

  test("a whole day, also what was never shown, part by part and less what was let go", async () => {
    await using scene = new Scene({ ...many(2300), [SATURDAY]: few()[SATURDAY] ?? [] });
    const all = keysOf(2300);
    scene.trash.chooseDay(FRIDAY, true);
    scene.trash.choose(FRIDAY, all[1] ?? "", false, false);
    const through: (number | undefined)[] = [];
    const end = scene.trash.through.subscribe((value) => through.push(value?.done));
    expect(await scene.trash.workOnChosen("delete")).toBe(true);
    end();
    expect(through).toEqual([undefined, 0, 1000, 2000, undefined]);
    expect(scene.asked.map(([request, { keys }]) => [request, keys?.length])).toEqual(
      [1000, 1000, 299].map((count) => ["DELETE /api/trash", count]),
    );
    expect(scene.asked.flatMap(([, { keys = [] }]) => keys)).toEqual(all.filter((_, at) => at !== 1));
    expect(scene.shown).toEqual([`${FRIDAY}: 1 of 1`, `${SATURDAY}: 2 of 2`]);
    expect(scene.toasts).toEqual(["2 299 recordings, 230 GB, are deleted for good."]);
  });

  test("no further than the service allows: what was done is done, what was not stays chosen", async () => {
    await using scene = new Scene(many(2200));
    scene.trash.chooseDay(FRIDAY, true);
    scene.instead = (request) =>
      request.startsWith("POST") && scene.asked.length === 2
        ? refused("TRASH_UNUSABLE", "The trash cannot be written to.")
        : null;
    expect(await scene.trash.workOnChosen("restore")).toBe(false);
    expect(scene.shown).toEqual([`${FRIDAY}: 3 of 200`]);
    expect(scene.trash.trouble.value).toMatchObject({ of: "chosen", words: "The trash cannot be written to." });
    expect(scene.toasts).toEqual([
      "2 000 recordings are restored. Rules leave them alone for at least a week, and until you change them.",
    ]);
    expect([...scene.trash.choice.value]).toEqual([[FRIDAY, { isAll: true, keys: new Set() }]]);
    scene.instead = () => null;
    expect(await scene.trash.workOnChosen("restore")).toBe(true);
    expect(scene.trash.trouble.value).toBeNull();
    expect(scene.shown).toEqual([]);
  });

  test("what is chosen, and leaves chosen what is chosen meanwhile", async () => {
    await using scene = new Scene(few());
    const [kept = "", other = "", later = "", last = ""] = keysOf(5);
    const [pair = "", second = ""] = keysOf(2, "P");
    scene.stuck[kept] = "Another recording has its name.";
    await scene.trash.more(FRIDAY);
    scene.choose(FRIDAY, kept, other);
    const restored = scene.trash.workOnChosen("restore");
    scene.instead = (request) => {
      if (request === "POST /api/trash/restore") {
        scene.choose(FRIDAY, later, last);
        scene.choose(SATURDAY, pair);
      }
      return null;
    };
    expect(await restored).toBe(true);
    expect([...scene.trash.choice.value]).toEqual([
      [FRIDAY, { isAll: false, keys: new Set([later, last]) }],
      [SATURDAY, { isAll: false, keys: new Set([pair]) }],
    ]);
    // One entry of a whole day may be chosen meanwhile; new entries are not known yet.
    scene.trash.chooseNone();
    scene.trash.chooseDay(SATURDAY, true);
    scene.trash.choose(SATURDAY, second, false, false);
    scene.instead = (request) => {
      if (request === "POST /api/trash/restore") {
        scene.choose(SATURDAY, second);
        scene.days[SATURDAY]?.push(trashed(keysOf(3, "P")[2] ?? ""));
      }
      return null;
    };
    expect(await scene.trash.workOnChosen("restore")).toBe(true);
    expect(scene.shown.at(-1)).toBe(`${SATURDAY}: 2 of 2`);
    expect([...scene.trash.choice.value]).toEqual([[SATURDAY, { isAll: false, keys: new Set([second]) }]]);
  });

  test("nothing when nothing is chosen: without keys it would be everything", async () => {
    await using scene = new Scene(few());
    await scene.trash.workOnChosen("delete");
    expect(scene.asked).toEqual([]);
    expect(scene.toasts).toEqual([]);
  });

  test("all of it", async () => {
    await using scene = new Scene(few());
    expect(await scene.trash.workOnAll("restore")).toBe(true);
    expect(scene.asked).toEqual([["POST /api/trash/restore", { all: true }]]);
    expect(scene.shown).toEqual([]);
    expect(scene.toasts).toEqual([
      "9 recordings are restored. Rules leave them alone for at least a week, and until you change them.",
    ]);
    expect(scene.trash.focusRow).toBeNull();
  });

  test("all but what could not be restored", async () => {
    await using scene = new Scene(few());
    const last = keysOf(5).at(-1) ?? "";
    scene.stuck[last] = "Another recording has its name.";
    await scene.trash.workOnAll("restore");
    expect(scene.shown).toEqual([`${FRIDAY}: 1 of 1`]);
    expect(scene.trash.failures.value).toHaveLength(1);
    expect(scene.toasts).toEqual([
      "8 recordings are restored. Rules leave them alone for at least a week, and until you change them. 1 recording could not be restored.",
    ]);
  });

  test("all of it for good", async () => {
    await using scene = new Scene(few());
    expect(await scene.trash.workOnAll("delete")).toBe(true);
    expect(scene.asked).toEqual([["DELETE /api/trash", {}]]);
    expect(scene.trash.contents.value.totals).toMatchObject({ entries: 0, recordings: 0, bytes: 0, next: null });
    expect(scene.toasts).toEqual(["9 recordings, 700 MB, are deleted for good."]);
  });

  test("and knows what it did when it cannot look again", async () => {
    await using scene = new Scene(few());
    scene.instead = (request) => (request === "GET /hx/trash" ? new Response("", { status: 500 }) : null);
    scene.choose(FRIDAY, ...keysOf(5).slice(0, 3));
    expect(await scene.trash.workOnChosen("restore")).toBe(true);
    expect(scene.trash.contents.value.totals.entries).toBe(4);
    await scene.trash.workOnAll("delete");
    expect(scene.shown).toEqual([]);
  });

  test("one thing at a time", async () => {
    await using scene = new Scene(few());
    const both = [scene.trash.workOnAll("restore"), scene.trash.workOnAll("delete")];
    scene.trash.ask("empty-trash");
    expect(scene.trash.question.value).toBeNull();
    expect(await Promise.all(both)).toEqual([true, false]);
    expect(scene.asked).toHaveLength(1);
  });
});

describe("the trash shows", () => {
  test("more of a day in steps", async () => {
    await using scene = new Scene(many(500));
    for (const count of [203, 403, 500, 500]) {
      await scene.trash.more(FRIDAY);
      expect(scene.shown).toEqual([`${FRIDAY}: ${count} of 500`]);
    }
    expect(scene.day(FRIDAY).recordings.map(({ key }) => key)).toEqual(keysOf(500));
  });

  test("more of a day of which the last one shown has left meanwhile", async () => {
    await using scene = new Scene(many(500));
    const all = keysOf(500);
    scene.days[FRIDAY] = (scene.days[FRIDAY] ?? []).filter(({ key }) => key !== all[2]);
    await scene.trash.more(FRIDAY);
    expect(scene.day(FRIDAY).recordings.map(({ key }) => key)).toEqual(all.filter((_, at) => at !== 2).slice(0, 203));
  });

  test("why more did not come", async () => {
    await using scene = new Scene(many(500));
    scene.instead = () => refused("TRASH_UNUSABLE", "The trash cannot be read.");
    await scene.trash.more(FRIDAY);
    expect(scene.toasts).toEqual(["The trash cannot be read."]);
    expect(scene.trash.coming.value.size).toBe(0);
  });

  test("what has changed elsewhere, and leaves open what was opened", async () => {
    await using scene = new Scene(many(500));
    await scene.trash.more(FRIDAY);
    await scene.trash.refresh();
    expect(scene.shown).toEqual([`${FRIDAY}: 203 of 500`]);
    // Another browser has restored the newest.
    scene.days[FRIDAY]?.shift();
    scene.days[SATURDAY] = few()[SATURDAY] ?? [];
    await scene.trash.refresh();
    expect(scene.shown).toEqual([`${FRIDAY}: 203 of 499`, `${SATURDAY}: 2 of 2`]);
    expect(scene.day(FRIDAY).recordings[0]?.key).toBe(keysOf(500)[1]);
  });

  test("nothing new while something is chosen or asked", async () => {
    await using scene = new Scene(few());
    scene.days = {};
    scene.trash.ask("empty-trash");
    await scene.trash.refresh();
    scene.trash.question.value = null;
    scene.choose(FRIDAY, keysOf(5)[0]);
    await scene.trash.refresh();
    expect(scene.shown).toHaveLength(2);
    scene.trash.chooseNone();
    expect(scene.trash.focusRow).toBe(`${FRIDAY}/${keysOf(5)[0]}`);
    await scene.trash.refresh();
    expect(scene.shown).toEqual([]);
  });

  test("no answer that is older than what was done since", async () => {
    await using scene = new Scene(few());
    const look = scene.trash.refresh();
    scene.choose(SATURDAY, ...keysOf(2, "P"));
    await Promise.all([look, scene.trash.workOnChosen("restore")]);
    expect(scene.shown).toEqual([`${FRIDAY}: 3 of 5`]);
  });

  test("the sign-in page when the session has ended", async () => {
    await using scene = new Scene(few());
    scene.instead = () => new Response(null, { status: 401, headers: { "hx-redirect": "/login?next=%2Ftrash" } });
    await expect(scene.trash.refresh()).rejects.toMatchObject({ code: "AUTH_REQUIRED" });
    expect(scene.dom.left).toEqual(["/login?next=%2Ftrash"]);
  });
});

describe("a range", () => {
  test("takes along all rows since the one before, and lets them go as well", async () => {
    await using scene = new Scene(few());
    const [first = "", , third = ""] = keysOf(5);
    const [pair = ""] = keysOf(2, "P");
    const chosen = () => [...scene.trash.choice.value].map(([date, { keys }]) => `${date}: ${keys.size}`);
    scene.trash.choose(FRIDAY, first, true, true);
    expect(chosen()).toEqual([`${FRIDAY}: 1`]);
    scene.trash.choose(SATURDAY, pair, true, true);
    expect(chosen()).toEqual([`${FRIDAY}: 3`, `${SATURDAY}: 1`]);
    scene.trash.choose(FRIDAY, third, false, true);
    expect(chosen()).toEqual([`${FRIDAY}: 2`]);
  });
});
