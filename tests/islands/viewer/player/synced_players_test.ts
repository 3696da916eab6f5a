import { describe, expect, test } from "bun:test";
import { SyncedPlayers } from "../../../../islands/viewer/player/synced_players.ts";

/** `HTMLMediaElement.HAVE_NOTHING`, `HAVE_METADATA`, `HAVE_CURRENT_DATA` and `HAVE_ENOUGH_DATA` */
const NOTHING = 0;
const METADATA = 1;
const CURRENT_DATA = 2;
const ENOUGH_DATA = 4;

/** A browser's video element as a script sees it. Its events come late, as in a browser: `tell` sends them. */
class Video extends EventTarget {
  readonly duration: number;
  readyState = ENOUGH_DATA;
  paused = true;
  ended = false;
  seeking = false;
  muted = false;
  error = null;
  readonly ownerDocument = { hidden: false };
  #rate = 1;
  get playbackRate(): number {
    return this.#rate;
  }
  set playbackRate(rate: number) {
    // Some browsers refuse a faster rate.
    if (rate > 16) throw new DOMException("Out of range", "NotSupportedError");
    this.#rate = rate;
    this.#untold.push("ratechange");
  }
  defaultPlaybackRate = 1;
  /** Seeks that were given before the one before had ended. */
  overtaken = 0;
  #time = 0;
  #untold: string[] = [];

  constructor(duration: number) {
    super();
    this.duration = duration;
  }

  get currentTime(): number {
    return this.#time;
  }
  set currentTime(to: number) {
    if (this.seeking) this.overtaken++;
    this.#time = to;
    this.ended = false;
    this.seeking = true;
    this.#untold.push("seeking");
  }

  async play(): Promise<void> {
    this.paused = false;
    this.#untold.push("play");
  }

  pause(): void {
    if (this.paused) return;
    this.paused = true;
    this.#untold.push("timeupdate", "pause");
  }

  /** Plays on to a time, without a word. */
  reach(time: number): void {
    this.#time = time;
  }

  /** Its data is used up sooner than its time: browsers jump to the end then. */
  end(): void {
    this.#time = this.duration;
    this.ended = true;
    this.paused = true;
    this.#untold.push("pause", "ended");
  }

  seeked(): void {
    this.seeking = false;
    this.readyState = ENOUGH_DATA;
    this.#untold.push("seeked");
  }

  send(event: string): void {
    this.dispatchEvent(new Event(event));
  }

  tell(): void {
    for (const event of this.#untold.splice(0)) this.send(event);
  }
}

function playing(...lengths: number[]) {
  const players = new SyncedPlayers(0);
  const videos = lengths.map((length) => new Video(length));
  for (const [order, video] of videos.entries()) players.attach(video as unknown as HTMLVideoElement, order);
  players.play();
  for (const video of videos) video.tell();
  return { players, videos: videos as [Video, Video] };
}

describe("players that behave like one", () => {
  test("play on when a shorter one jumped to its end and is brought back before the browser says that it stopped there", () => {
    const { players, videos } = playing(20, 12);
    const [front, rear] = videos;
    for (const video of videos) video.reach(10.7);
    rear.readyState = CURRENT_DATA;
    rear.send("waiting");
    expect(front.paused).toBe(true);
    rear.readyState = ENOUGH_DATA;
    rear.end();
    rear.send("canplay");
    expect([rear.currentTime, rear.seeking]).toEqual([10.7, true]);
    rear.tell();
    front.tell();
    expect(players.isPlaying.value).toBe(true);
    rear.seeked();
    rear.tell();
    front.send("timeupdate");
    expect([players.isPlaying.value, front.paused, rear.paused]).toEqual([true, false, false]);
  });

  test("seek one seek after the other, however fast they are asked to, and go where they were sent last", () => {
    const { players, videos } = playing(60, 60);
    players.seek(10);
    for (const video of videos) video.tell();
    for (let time = 0; time < 5; time++) players.seek(players.time.value + 5);
    videos[0].send("timeupdate");
    players.seek(players.time.value - 1);
    expect([players.time.value, ...videos.map(({ currentTime }) => currentTime)]).toEqual([34, 10, 10]);
    for (let round = 0; round < 2; round++)
      for (const video of videos) {
        video.seeked();
        video.tell();
      }
    expect([players.time.value, ...videos.map(({ currentTime }) => currentTime)]).toEqual([34, 34, 34]);
    expect(videos.map(({ overtaken }) => overtaken)).toEqual([0, 0]);
  });

  test("keep the rate that was chosen where one may not run faster to catch up", () => {
    const { players, videos } = playing(60, 60);
    players.setRate(16);
    for (const video of videos) video.tell();
    videos[0].reach(10);
    // Ahead, then behind: each as far as a nudge is to mend at this rate.
    for (const time of [10.5, 9.5]) {
      videos[1].reach(time);
      videos[0].send("timeupdate");
    }
    for (const video of videos) video.tell();
    expect([players.rate.value, videos[0].playbackRate]).toEqual([16, 16]);
  });

  test("are not sent to where a video that joins them begins by itself", () => {
    const { players, videos } = playing(60);
    videos[0].reach(30);
    videos[0].send("timeupdate");
    const joining = new Video(60);
    // Begins as with `#t=2` in its address.
    joining.currentTime = 2;
    players.attach(joining as unknown as HTMLVideoElement, 1);
    joining.tell();
    expect([players.time.value, videos[0].currentTime]).toEqual([30, 30]);
    for (let round = 0; round < 2; round++) {
      joining.seeked();
      joining.tell();
    }
    expect([players.time.value, joining.currentTime]).toEqual([30, 30]);
  });

  // At 4× videos that are 0.05 s apart on the wall are 0.2 s apart in the clip; a seek would take longer than that.
  for (const { rate, apart, isSought } of [
    { rate: 1, apart: 0.1, isSought: false },
    { rate: 1, apart: 0.2, isSought: true },
    { rate: 4, apart: 0.2, isSought: false },
    { rate: 4, apart: 0.7, isSought: true },
  ])
    test(`${isSought ? "seek" : "do not seek"} one that stood ready, and runs ${apart} s ahead at ${rate}×`, () => {
      const { players } = playing(60);
      players.setRate(rate);
      players.change(0);
      const seeks = [0.1, 0.1 + apart].map((time, order) => {
        const ready = new Video(60);
        ready.reach(time);
        void ready.play();
        players.attach(ready as unknown as HTMLVideoElement, order);
        return ready.seeking;
      });
      expect(seeks).toEqual([false, isSought]);
    });

  test("go to the end of a clip that is still being loaded, though one of its videos is there before it is brought there", () => {
    const players = new SyncedPlayers(0);
    const videos = [new Video(12), new Video(12)] as const;
    for (const [order, video] of videos.entries()) {
      video.readyState = NOTHING;
      players.attach(video as unknown as HTMLVideoElement, order);
    }
    players.seek(12);
    // Both have come, and the browser has told of one.
    for (const video of videos) video.readyState = METADATA;
    for (const video of videos) video.send("loadedmetadata");
    for (let round = 0; round < 3; round++)
      for (const video of videos) {
        video.seeked();
        video.tell();
      }
    expect([players.time.value, ...videos.map(({ currentTime }) => currentTime)]).toEqual([12, 12, 12]);
  });

  test("are over when they were sent to the end while they waited for each other, of which browsers do not tell", () => {
    const { players, videos } = playing(20, 20);
    let ends = 0;
    players.onEnd = () => ends++;
    for (const video of videos) video.reach(5);
    videos[1].readyState = CURRENT_DATA;
    videos[1].send("waiting");
    videos[0].tell();
    expect([videos[0].paused, ends]).toEqual([true, 0]);
    players.seek(20);
    for (const video of videos) {
      video.tell();
      video.seeked();
      video.tell();
    }
    expect([ends, players.isPlaying.value]).toEqual([1, false]);
  });

  test("stop all when the browser stops one of them", () => {
    const { players, videos } = playing(20, 12);
    for (const video of videos) video.reach(5);
    videos[1].pause();
    videos[1].tell();
    expect([players.isPlaying.value, videos[0].paused]).toEqual([false, true]);
  });

  test("start one again that the browser has stopped in a hidden tab, and go on without it until then", () => {
    const { players, videos } = playing(20, 12);
    const [front, rear] = videos;
    for (const video of videos) video.reach(5);
    rear.ownerDocument.hidden = true;
    rear.pause();
    rear.tell();
    expect([players.isPlaying.value, front.paused, rear.paused]).toEqual([true, false, true]);
    rear.ownerDocument.hidden = false;
    front.send("timeupdate");
    expect([front.paused, rear.paused]).toEqual([false, false]);
  });

  /** Films of two clips of 12 and 15 seconds, the rear one a little shorter. */
  function inFilms() {
    const players = new SyncedPlayers(0);
    const videos = [new Video(27), new Video(26.95)] as const;
    const parts = [
      [
        { from: 0, to: 12 },
        { from: 0, to: 11.95 },
      ],
      [
        { from: 12, to: 27 },
        { from: 11.95, to: 26.95 },
      ],
    ];
    for (const [order, video] of videos.entries())
      players.attach(video as unknown as HTMLVideoElement, order, parts[0]?.[order] ?? null);
    players.play();
    const tell = () => {
      for (const video of videos) video.tell();
    };
    tell();
    const moveOn = (to: number, start = 0) => players.moveOn(start, (order) => parts[to]?.[order] ?? null);
    return { players, videos, moveOn, tell };
  }

  test("play over the end of a clip in films without touching them, at the time of the next clip", () => {
    const { players, videos, moveOn } = inFilms();
    const [front, rear] = videos;
    let ends = 0;
    players.onEnd = () => {
      ends++;
      players.isPlaying.value = true;
      moveOn(1);
    };
    front.reach(11.9);
    rear.reach(11.9);
    front.send("timeupdate");
    expect([ends, players.time.value, players.length.value]).toEqual([0, 11.9, 12]);
    front.reach(12.02);
    rear.reach(12.02);
    front.send("timeupdate");
    front.send("timeupdate");
    expect([ends, players.length.value, players.isPlaying.value]).toEqual([1, 15, true]);
    expect(players.time.value).toBeCloseTo(0.02, 6);
    expect(videos.map(({ paused, seeking }) => paused || seeking)).toEqual([false, false]);
    // The rear one has 0.05 s less of the clip before: it runs slower until both are together.
    expect(rear.playbackRate).toBeLessThan(1);
  });

  test("stop at the end of a clip in films where nothing is to follow, and play it once more", () => {
    const { players, videos, tell } = inFilms();
    for (const video of videos) video.reach(12.01);
    videos[0].send("timeupdate");
    tell();
    expect([players.isPlaying.value, videos.every(({ paused }) => paused)]).toEqual([false, true]);
    players.play();
    expect([players.isPlaying.value, players.time.value, ...videos.map((one) => one.currentTime)]).toEqual([
      true,
      0,
      0,
      0,
    ]);
  });

  test("seek in films to a moment of the clip on show, and of another one", () => {
    const { players, videos, moveOn, tell } = inFilms();
    const settle = () => {
      for (const video of videos) video.seeked();
      tell();
    };
    players.seek(14);
    expect([players.time.value, ...videos.map((one) => one.currentTime)]).toEqual([12, 11.99, 11.94]);
    settle();
    moveOn(1, 4);
    expect([players.time.value, ...videos.map((one) => one.currentTime)]).toEqual([4, 16, 15.95]);
    settle();
    moveOn(0, 0);
    expect([players.time.value, players.length.value, ...videos.map((one) => one.currentTime)]).toEqual([0, 12, 0, 0]);
  });

  test("go on from a film that is given up with the videos that take its place", () => {
    const { players, videos } = inFilms();
    const [front, rear] = videos;
    for (const video of videos) video.reach(5);
    front.send("timeupdate");
    for (const video of videos) players.remove(video as unknown as HTMLVideoElement);
    // Browsers pause what they cannot play.
    front.pause();
    front.tell();
    rear.tell();
    const single = new Video(12);
    players.attach(single as unknown as HTMLVideoElement, 0);
    single.tell();
    expect([players.isPlaying.value, single.currentTime, single.paused]).toEqual([true, 5, false]);
  });
});
