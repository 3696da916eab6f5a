import { beforeEach, describe, expect, test } from "bun:test";
import { Together } from "../../../islands/shared/together.ts";
import type { SharedFilm } from "../../../server/domain/shares/film_clock.ts";

/** As much of a video as is asked of it. */
class FakeVideo {
  currentTime = 0;
  playbackRate = 1;
  muted = false;
  paused = true;
  ended = false;
  seeking = false;
  readyState = 4;

  async play(): Promise<void> {
    this.paused = false;
  }

  pause(): void {
    this.paused = true;
  }
}

const film = (direction: string, seconds: number, places: SharedFilm["places"]): SharedFilm => ({
  direction,
  name: direction,
  address: "",
  bytes: 1,
  seconds,
  places,
});
/** The front has all; the rear lacks the first two seconds and begins with them. */
const FRONT = film("F", 20, [
  { at: 0, time: 0 },
  { at: 10, time: 40 },
]);
const REAR = film("R", 18, [
  { at: 0, time: 2 },
  { at: 8, time: 40 },
]);

describe("the films of a link", () => {
  let front: FakeVideo;
  let rear: FakeVideo;
  let together: Together;
  const follow = () => together.seekBy(0);
  beforeEach(() => {
    [front, rear] = [new FakeVideo(), new FakeVideo()];
    together = new Together([REAR, FRONT], 50);
    together.put(FRONT, front as unknown as HTMLVideoElement);
    together.put(REAR, rear as unknown as HTMLVideoElement);
  });

  test("are heard once: the longest leads", () => {
    expect([front.muted, rear.muted]).toEqual([false, true]);
    together.mute();
    expect([front.muted, rear.muted]).toEqual([true, true]);
  });

  test("go to one time of the span, also over a gap and before a film begins", () => {
    for (const [time, one, other] of [
      [0, 0, 0],
      [5, 5, 3],
      [30, 10, 8],
      [45, 15, 13],
      [99, 20, 18],
      [-5, 0, 0],
    ] as const) {
      together.seek(time);
      expect([time, front.currentTime, rear.currentTime]).toEqual([time, one, other]);
    }
  });

  test("play and stand still together; a film that has not begun waits", () => {
    together.toggle();
    expect([front.paused, rear.paused, together.isPlaying.value]).toEqual([false, true, true]);
    front.currentTime = 3;
    const stop = together.start();
    stop();
    together.toggle();
    expect([front.paused, rear.paused, together.isPlaying.value, together.time.value]).toEqual([true, true, false, 3]);
    together.toggle();
    expect([front.paused, rear.paused, rear.currentTime]).toEqual([false, false, 1]);
  });

  test("run at one rate, and begin anew when they are over", () => {
    for (const rate of [2, 4, 0.5, 1]) {
      together.nextRate();
      expect([front.playbackRate, rear.playbackRate]).toEqual([rate, rate]);
    }
    front.currentTime = 20;
    front.ended = true;
    together.toggle();
    expect([front.currentTime, rear.currentTime, front.paused]).toEqual([0, 0, false]);
  });

  test("can be gone", () => {
    together.put(FRONT, null);
    together.toggle();
    follow();
    expect(together.isPlaying.value).toBe(false);
  });
});
