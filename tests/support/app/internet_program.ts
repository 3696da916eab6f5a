/**
 * Run in a network of its own, whose only address beside the loopback ones is one of the internet: what the service
 * makes of visitors who come from there, as JSON.
 */

import { listen } from "../../../server/http/listen/server.ts";
import { errorPage, ROUTES } from "../../../server/routes.ts";
import { startApp } from "./app.ts";
import { type Browser, HttpStage } from "./http.ts";

const [address = ""] = process.argv.slice(2);

async function fail(stage: HttpStage, browser: Browser): Promise<number> {
  const asleep = stage.clock.asleep(1500);
  const answer = browser.signIn("admin", "wrong");
  const late = asleep.then(() => stage.clock.advance(1500));
  const { status } = await answer;
  if (status === 401) await late;
  return status;
}

/** Guesses of one machine that says it is twelve. */
async function guesses(named: readonly string[]) {
  await using stage = await HttpStage.open({ host: "0.0.0.0", trustProxy: true, auth: { trusted_proxies: named } });
  const { port } = stage.listening;
  const url = `http://${address}:${port}`;
  const statuses: number[] = [];
  for (let index = 0; index < 12; index++)
    statuses.push(await fail(stage, stage.browser({ "x-forwarded-for": `10.0.0.${index}` }, url)));
  const { headers } = await fetch(`${url}/login`, { headers: { "x-forwarded-proto": "https" } });
  return { statuses, https: headers.has("strict-transport-security") };
}

async function notes() {
  await using running = await startApp();
  const outside = listen(running.starting, ROUTES, errorPage, { port: 0, host: "0.0.0.0" });
  const url = `http://${address}:${outside.port}`;
  const { access_notes } = await (await fetch(`${url}/api/overview`)).json();
  const page = await (await fetch(url)).text();
  await outside.stop();
  return { access_notes, page };
}

process.stdout.write(
  JSON.stringify({ stranger: await guesses([]), named: await guesses([`${address}/32`]), none: await notes() }),
);
process.exit(0);
