import { benchFsyncs } from "./fsyncs.ts";
import { type Figures, median } from "./measure.ts";
import { benchNothingToDo } from "./nothing_to_do.ts";
import type { Part } from "./part.ts";
import { benchLoopDelay, benchStop } from "./reaction.ts";
import { BIG, benchTransfer, SMALL } from "./transfer.ts";
import { benchWifi } from "./wifi.ts";
import { benchWindow, type WindowFigures } from "./window.ts";

const two = (value: number) => value.toFixed(2);
const ms = (seconds: number) => `${(seconds * 1000).toFixed(1)} ms`;
const mb = (megabytes: number) => `${Math.round(megabytes)} MB`;

const MOST_WINDOWS = 3;

/** Costs of bringing recordings home. */
export const SYNC_PARTS: readonly Part[] = [
  {
    name: "big",
    async measure(add, rounds) {
      const big = await benchTransfer(BIG, rounds);
      add(
        "4.2 GB in 52 MB files: wall against curl",
        `${two(big.wall)} × (${two(big.a.wallSeconds)} s, curl ${two(big.b.wallSeconds)} s)`,
        "≤ 1.0 ×",
      );
      add(
        "the same: CPU against curl",
        `${two(big.cpu)} × (${two(big.a.cpuSeconds)} s, curl ${two(big.b.cpuSeconds)} s)`,
        "≤ 0.9 ×",
      );
      add("the same: peak memory", mb(big.a.peakMegabytes), "< 100 MB");
    },
  },
  {
    name: "small",
    async measure(add, rounds) {
      const small = await benchTransfer(SMALL, rounds);
      const fsyncs = await benchFsyncs(small.files);
      add(
        `${small.files} small files: wall against curl, which does not fsync`,
        `${two(small.wall)} × (${two(small.a.wallSeconds)} s, curl ${two(small.b.wallSeconds)} s; fsyncs ${two(fsyncs)} s)`,
        "≤ 1.2 ×",
      );
      add("the same: peak memory", mb(small.a.peakMegabytes), "< 100 MB");
    },
  },
  {
    name: "wifi",
    async measure(add) {
      // Half a minute each: what is counted is the processor's time, not the clock's.
      for (const megabytesPerSecond of [5, 10]) {
        const { gigabytes, curl, sync, service } = await benchWifi(megabytesPerSecond * 1e6, megabytesPerSecond * 30e6);
        const figure = ({ cpuSeconds, peakMegabytes }: Figures) =>
          `${two(cpuSeconds / curl.cpuSeconds)} × (${two(cpuSeconds / gigabytes)} s), ${mb(peakMegabytes)}`;
        add(
          `Wi-Fi at ${megabytesPerSecond} MB/s: processor time per GB against curl, peak memory`,
          `${figure(sync)}; curl ${two(curl.cpuSeconds / gigabytes)} s`,
          "≤ 2 ×, ≤ 100 MB",
        );
        add("the same by the service, with one dashboard open", figure(service), "≤ 2 ×, ≤ 100 MB");
      }
    },
  },
  {
    name: "window",
    async measure(add, rounds) {
      const pairs: WindowFigures[] = [];
      // Two minutes each.
      for (let round = 0; round < Math.min(rounds, MOST_WINDOWS); round++) pairs.push(await benchWindow());
      const ratio = median(pairs.map(({ quiet, disturbed }) => disturbed / quiet));
      const bytes = (of: (pair: WindowFigures) => number) => mb(median(pairs.map(of)) / 1e6);
      add(
        "a visit of 60 s at 10 MB/s with two cuts and 3 s of silence: bytes home against a quiet one",
        `${two(ratio)} × (${bytes((pair) => pair.disturbed)} of ${bytes((pair) => pair.quiet)})`,
        "≥ 0.85 ×",
      );
    },
  },
  {
    name: "nothing",
    async measure(add, rounds) {
      const nothing = await benchNothingToDo(rounds);
      add("50,000 listed, 200,000 files at home: whole sync", `${two(nothing.seconds)} s`, "< 1 s");
      add("the same: cold index", `${two(nothing.indexSeconds)} s`, "< 3 s");
      add("the same: peak memory", mb(nothing.peakMegabytes), "< 100 MB");
    },
  },
  {
    name: "disk",
    async measure(add) {
      const loop = await benchLoopDelay();
      add(
        "event loop while writing to a slow disk, p50 / p99 / worst",
        loop
          ? `${loop.p50.toFixed(1)} / ${loop.p99.toFixed(1)} / ${loop.max.toFixed(1)} ms at ${Math.round(loop.megabytesPerSecond)} MB/s`
          : "not measured: nothing may be mounted here",
        "p99 < 10 ms",
      );
    },
  },
  {
    name: "stop",
    async measure(add) {
      add("stop to state `failed`, camera at 100 kB/s", ms(await benchStop(100_000, 3)), "< 0.5 s");
      add("stop to state `failed`, camera at full speed", ms(await benchStop(null, 3)), "< 0.5 s");
    },
  },
];
