import { describe, expect, test } from "bun:test";
import { TransferRate } from "../../../server/domain/sync/transfer_rate.ts";

/** Lets bytes flow evenly and reads five times a second, as the display does; the last reading. */
function flow(meter: TransferRate, from: number, to: number, bytesPerSecond: number): number {
  let rate = 0;
  for (let at = from + 200; at <= to; at += 200) {
    meter.add(bytesPerSecond / 5);
    rate = meter.read(at);
  }
  return rate;
}

describe("RateMeter", () => {
  test("starts at nothing and stays there while nothing comes", () => {
    const meter = new TransferRate(5000);
    expect(meter.read(5000)).toBe(0);
    expect(meter.read(60_000)).toBe(0);
  });

  test("shows an even flow exactly, from the first reading on", () => {
    const meter = new TransferRate(1000);
    meter.add(500_000);
    expect(meter.read(1500)).toBeCloseTo(1_000_000, 6);
    expect(flow(meter, 1500, 60_000, 1_000_000)).toBeCloseTo(1_000_000, 3);
  });

  test("a reading in the same millisecond repeats the last one and loses no bytes", () => {
    const meter = new TransferRate(0);
    meter.add(1000);
    expect(meter.read(1000)).toBe(1000);
    meter.add(3000);
    expect(meter.read(1000)).toBe(1000);
    expect(meter.read(1000.4)).toBe(1000);
    expect(meter.read(2000)).toBe(2000);
  });

  test("never goes beyond the old and the new speed, and comes close to the new one within seconds", () => {
    const meter = new TransferRate(0);
    flow(meter, 0, 10_000, 1_000_000);
    let last = 1_000_000;
    for (let at = 10_000; at < 22_000; at += 200) {
      const rate = flow(meter, at, at + 200, 4_000_000);
      expect(rate).toBeGreaterThanOrEqual(last);
      expect(rate).toBeLessThanOrEqual(4_000_000);
      last = rate;
    }
    expect(last).toBeGreaterThan(3_900_000);
  });

  test("falls towards nothing when the bytes stop, and never below", () => {
    const meter = new TransferRate(0);
    flow(meter, 0, 10_000, 1_000_000);
    expect(meter.read(10_200)).toBeLessThan(1_000_000);
    expect(meter.read(40_000)).toBeGreaterThanOrEqual(0);
    expect(meter.read(40_200)).toBeLessThan(1000);
  });

  test("smooths bursts: pieces that come every second do not make the display jump", () => {
    const meter = new TransferRate(0);
    flow(meter, 0, 10_000, 1_000_000);
    for (let at = 10_000; at < 20_000; at += 1000) {
      meter.add(1_000_000);
      for (let tick = 200; tick <= 1000; tick += 200) {
        const rate = meter.read(at + tick);
        expect(rate).toBeGreaterThan(700_000);
        expect(rate).toBeLessThan(1_400_000);
      }
    }
  });
});
