import { expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { TripMoments } from "../../../../islands/viewer/moments/trip_moments.ts";
import type { TripState } from "../../../../islands/viewer/trip_state.ts";
import type { Moments, ToldMoment } from "../../../../server/domain/places/places_schema.ts";
import { FakeClock } from "../../../support/app/clock.ts";
import { DomPage, settled } from "../../../support/browser/dom.ts";

const KEY = "20261120_080000_N";
const moment = (seconds: number) => ({ key: KEY, seconds, kind: "brake", strength: 0.5 }) as ToldMoment;

test("moments of a trip are asked for until all recordings are read, after a failure, and when recordings come home", async () => {
  await using dom = new DomPage('<a id="state" data-library="1"></a><p id="no-connection" hidden></p>');
  const clock = new FakeClock();
  const timers = {
    elapsed: () => clock.elapsed(),
    after: (ms: number, run: () => void) => {
      const called = new AbortController();
      clock.sleep(ms, called.signal).then(run, () => {});
      return () => called.abort();
    },
  };
  const segments = [{ base_filename: KEY.slice(0, -2), type: "N", has_3gf: true }];
  const trip = {
    trip: signal({ segments }),
    clock: signal({ timeOf: (_: string, at: number) => at }),
    time: signal(0),
  };
  const queries: string[] = [];
  let answer: () => Promise<Partial<Moments>>;
  const moments = new TripMoments(trip as unknown as TripState, async (query) => {
    queries.push(query);
    return (await answer()) as Moments;
  });
  const seconds = () => moments.all.value.map(({ time }) => time);
  const pass = async (ms: number) => {
    await clock.advance(ms);
    await settled();
  };

  answer = async () => ({ indexing: { done: 0, total: 2 }, moments: [] });
  const end = moments.follow(dom.page, timers);
  await settled();
  expect(queries).toEqual(["from=2026-11-20&to=2026-11-20&limit=1000"]);
  answer = async () => ({ indexing: { done: 1, total: 2 }, moments: [moment(7)] });
  await pass(4000);
  expect(seconds()).toEqual([7]);
  answer = () => Promise.reject(new Error("away"));
  await pass(4000);
  expect(seconds()).toEqual([7]);
  answer = async () => ({
    indexing: null,
    moments: [moment(9), moment(7), { ...moment(1), key: "20261120_090000_N" }],
  });
  await pass(8000);
  expect(seconds()).toEqual([7, 9]);
  const asked = queries.length;
  await pass(60_000);
  expect(queries.length).toBe(asked);

  answer = async () => ({ indexing: null, moments: [moment(11)] });
  dom.get("state").setAttribute("data-library", "2");
  await new Promise((resolve) => setTimeout(resolve));
  await settled();
  expect(seconds()).toEqual([11]);

  // Of a trip that goes while its recordings are being read nothing is asked any more.
  answer = async () => ({ indexing: { done: 1, total: 2 }, moments: [moment(11)] });
  dom.get("state").setAttribute("data-library", "3");
  await new Promise((resolve) => setTimeout(resolve));
  await settled();
  const before = queries.length;
  trip.trip.value = { segments: [] };
  await pass(60_000);
  expect(queries.slice(before)).toEqual([]);
  end();
});
