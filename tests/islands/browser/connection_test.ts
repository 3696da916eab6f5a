import { expect, test } from "bun:test";
import { noteConnection } from "../../../islands/browser/connection.ts";
import { DomPage } from "../../support/browser/dom.ts";

test("noteConnection() shows its words while the service is away, and hides them when it is back", async () => {
  await using dom = new DomPage('<p id="no-connection" hidden>No connection</p>');
  noteConnection(dom.page, true);
  expect(dom.get("no-connection").hidden).toBe(true);
  noteConnection(dom.page, false);
  expect(dom.get("no-connection").hidden).toBe(false);
  noteConnection(dom.page, true);
  expect(dom.get("no-connection").hidden).toBe(true);
});

test("noteConnection() does nothing on a page without the words", async () => {
  await using dom = new DomPage("<p>Sign in</p>");
  noteConnection(dom.page, false);
  expect(dom.page.body.innerHTML).toBe("<p>Sign in</p>");
});
