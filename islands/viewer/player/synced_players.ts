import { batch, type Signal, signal } from "@preact/signals";
import { correctionOf, mostDrift } from "../../../server/domain/viewer/playback_sync.ts";
import { BrokenPlayers } from "./broken_players.ts";
import { FrameSteps } from "./frame_steps.ts";
import { areLastPictures, followFrames } from "./frames.ts";
import { LatePlayers } from "./late_players.ts";
import {
  brokenOffAt,
  clipTime,
  forgetSeeks,
  giveRate,
  hasCome,
  hold,
  isBusy,
  isLoaded,
  isOver,
  isPauseExpected,
  isRunning,
  lengthOf,
  newPlayer,
  type Player,
  revive,
  seek,
  seekVideo,
  start,
  timeOf,
  type VideoPart,
} from "./player.ts";
import { rateBeside } from "./rates.ts";
import { Sound } from "./sound.ts";

/** A video begins here, as far as that can be told: seeking to it again would only cost time. */
const AT_ONCE_SECONDS = 0.02;

/**
 * Players that behave like one: what is done to any of them, by the page or by the browser, happens to all, and all stay at
 * one time. The first camera leads; when its video is over or broken, the next one leads.
 */
export class SyncedPlayers {
  readonly isPlaying: Signal<boolean> = signal(false);
  /** Seconds of the leading player. */
  readonly time: Signal<number>;
  /** Seconds of the longest video, or its part that is the clip on show; 0 until known. */
  readonly length: Signal<number> = signal(0);
  readonly rate: Signal<number> = signal(1);
  /** The clip on show has no video here. */
  isStill = false;
  /** Called with each of the last pictures of the leading video, and how many seconds of the clock its end is away. */
  onLastPictures: (left: number) => void = () => {};
  /** Called when the last of the videos is over, or in a film the clip on show. */
  onEnd: () => void = () => {};
  /** Ends what waits to play by itself. @returns whether something did */
  stopWaiting: () => boolean = () => false;
  readonly #players: Player[] = [];
  readonly sound: Sound = new Sound(this.#players, this.rate);
  readonly #frames = new FrameSteps();
  readonly #late = new LatePlayers(this.#players, () => this.#synchronise());

  /** The places of cameras whose data does not come, which the others wait for no longer. */
  get late(): Signal<readonly number[]> {
    return this.#late.places;
  }

  readonly broken: BrokenPlayers;

  /** @param begin where the first recording begins, in seconds */
  constructor(begin: number) {
    this.time = signal(begin);
    const { isPlaying, time } = this;
    this.broken = new BrokenPlayers({ players: this.#players, isPlaying, time, onEnd: () => this.onEnd() });
  }

  /** Another recording comes, from a time in seconds on; the players of the one before go, and what plays goes on playing. */
  change(begin: number): void {
    for (const { video } of this.#players.splice(0)) video.pause();
    this.time.value = begin;
    this.broken.forget();
    this.length.value = 0;
    this.#frames.forget();
    if (this.isStill) this.isPlaying.value = false;
    this.#late.tell();
  }

  /**
   * Another clip of the films that play: what plays goes on over the clip's end without a break.
   * @param start seconds of the clip
   * @param partOf the clip's part of the film of the camera at this place
   */
  moveOn(start: number, partOf: (order: number) => VideoPart | null): void {
    for (const player of this.#players) player.part = partOf(player.order);
    this.broken.forget();
    this.#frames.forget();
    this.#measure();
    const [first] = this.#players.filter(isLoaded);
    const now = first === undefined ? start : timeOf(first);
    const isThere = this.isPlaying.value && now > start - AT_ONCE_SECONDS && now < start + this.rate.value;
    if (isThere) this.time.value = now;
    else this.seek(start);
    if (this.isPlaying.value) for (const player of this.#players) this.#start(player);
  }

  /** Adds a player. @param part of its video that is the clip on show @returns what removes it */
  attach(video: HTMLVideoElement, order: number, part: VideoPart | null = null): () => void {
    const player = newPlayer(video, order, part);
    this.#players.push(player);
    this.#players.sort((one, other) => one.order - other.order);
    const leaving = new AbortController();
    const isHere = () => this.#players.includes(player);
    const on = (event: string, run: () => void) =>
      video.addEventListener(event, () => isHere() && run(), { signal: leaving.signal });
    on("emptied", () => this.#emptied(player));
    on("loadedmetadata", () => this.#loaded(player));
    on("play", () => this.#played(player));
    on("pause", () => this.#paused(player));
    on("seeking", () => this.#seekStarted(player));
    on("seeked", () => this.#seekEnded(player));
    on("ratechange", () => this.#rateChanged(player));
    on("volumechange", () => this.sound.changed(player));
    on("ended", () => this.#ended());
    for (const event of ["timeupdate", "playing", "waiting", "canplay"]) on(event, () => this.#synchronise());
    this.sound.share();
    giveRate(player, this.rate.value);
    if (hasCome(player)) this.#loaded(player);
    this.#late.tell();
    // It was started before this script came.
    if (!video.paused) this.isPlaying.value = true;
    followFrames(video, leaving.signal, (seenAt, between) => {
      if (!isHere() || player !== this.#leader()) return;
      const at = seenAt === null ? null : clipTime(player, seenAt);
      const left = this.length.value - (at ?? 0);
      const rate = this.rate.value;
      // Fast playing leaves pictures out.
      const next = this.#frames.seen(at, rate <= 1 ? between : null, player.isSought);
      if (!this.isPlaying.value) return next === null ? this.#synchronise() : this.seek(next);
      this.#synchronise();
      if (areLastPictures(left, this.#frames.length, rate)) this.onLastPictures(left / rate);
    });
    return () => {
      leaving.abort();
      this.remove(video);
      video.pause();
    };
  }

  /** Nothing that happens to this video counts any more. */
  remove(video: HTMLVideoElement): void {
    const at = this.#players.findIndex((one) => one.video === video);
    if (at >= 0) this.#players.splice(at, 1);
  }

  /** Nothing of this video can be shown, or nothing more; the others go on without it. */
  giveUp(video: HTMLVideoElement): void {
    const player = this.#players.find((one) => one.video === video);
    if (!player || player.isBroken) return;
    player.isBroken = true;
    player.brokenAt = brokenOffAt(video);
    this.sound.share();
    this.#measure();
    this.broken.halt();
  }

  play(): void {
    if (this.broken.areAll() && this.#players.some(({ brokenAt }) => brokenAt !== null)) this.seek(0);
    // Those that come begin to play when they are there.
    if (this.isStill || (this.#players.length > 0 && this.sound.audiblePlayer() === undefined)) return;
    // From the end, once more from the beginning.
    const usable = this.#players.filter(isLoaded);
    if (usable.length > 0 && usable.every(isOver)) this.seek(0);
    this.isPlaying.value = true;
    for (const player of this.#players) this.#start(player);
  }

  pause(): void {
    this.stopWaiting();
    this.isPlaying.value = false;
    for (const { video } of this.#players) video.pause();
    this.#synchronise();
  }

  toggle(): void {
    if (this.stopWaiting()) return;
    if (this.isPlaying.value) this.pause();
    else if (this.isStill) this.onEnd();
    else this.play();
  }

  /** Seeks all to a time in seconds, those too short for it to their end. */
  seek(to: number): void {
    this.#frames.sent(to);
    const target = Math.max(0, Math.min(to, this.length.value || to));
    for (const player of this.#players) if (!revive(player, target)) seek(player, target);
    this.broken.forget();
    this.time.value = target;
  }

  /** Stops, and goes so many frames on or back. */
  stepFrames(frames: number): void {
    if (this.isPlaying.value) this.pause();
    this.seek(this.#frames.wanted(frames, this.time.value));
  }

  setRate(rate: number): void {
    this.rate.value = rate;
    for (const player of this.#players) {
      player.video.defaultPlaybackRate = rate;
      giveRate(player, rate);
    }
    this.sound.share();
  }

  /** The next slower (-1) or faster (1) rate. */
  changeRate(by: -1 | 1): void {
    const next = rateBeside(this.rate.value, by);
    if (next !== null) this.setRate(next);
  }

  /** The player whose time counts: the first whose video is not over. */
  #leader(): Player | null {
    const usable = this.#players.filter(isLoaded);
    return usable.find((player) => !isOver(player)) ?? usable[0] ?? null;
  }

  /** Compares the time of each player with the leader's, and corrects it. */
  #synchronise(): void {
    const leader = this.#leader();
    if (!leader || this.#isClipOver()) return;
    const time = timeOf(leader);
    this.time.value = time;
    const isReady = this.#waitForAll(leader);
    const state = !this.isPlaying.value ? "paused" : isReady && isRunning(leader) ? "running" : "waiting";
    const leading = { time, rate: this.rate.value, state } as const;
    for (const player of this.#players) {
      if (player === leader || !isLoaded(player)) continue;
      // In films all go on into the next clip.
      const length = player.part === null ? player.video.duration : Number.POSITIVE_INFINITY;
      const following = { time: timeOf(player), length, isBusy: isBusy(player) };
      this.#correct(player, correctionOf(leading, following));
    }
  }

  /** Pauses the leading player until the data of all is there, or none is waited for longer. @returns whether it may run */
  #waitForAll(leader: Player): boolean {
    const waits = this.#late.isWaitedFor(leader, this.isPlaying.value);
    if (!waits && leader.isHeld && this.isPlaying.value) this.#start(leader);
    if (waits && !leader.video.paused) hold(leader);
    return !waits;
  }

  #start(player: Player): void {
    start(player, () => this.pause());
  }

  #correct(player: Player, correction: ReturnType<typeof correctionOf>): void {
    const { video } = player;
    if (correction.kind === "run") {
      giveRate(player, correction.rate);
      // Browsers tell of the time before they tell of a pause of their own, which counts for all.
      if (!video.paused || isPauseExpected(player)) this.#start(player);
    } else if (correction.kind === "seek") {
      giveRate(player, this.rate.value);
      seek(player, correction.to);
      // The leader waits from now on, not from the next frame.
      const leader = this.#leader();
      if (leader) this.#waitForAll(leader);
    } else if (correction.kind === "rest") {
      if (!isOver(player)) seek(player, lengthOf(player));
    } else if (correction.kind === "hold" && this.isPlaying.value && !video.paused) hold(player);
  }

  #emptied(player: Player): void {
    player.isBroken = false;
    player.brokenAt = null;
    player.isPlaced = false;
    player.isHeld = false;
    player.isSlow = false;
    forgetSeeks(player);
    player.video.defaultPlaybackRate = this.rate.value;
    giveRate(player, this.rate.value);
    this.#measure();
    this.sound.share();
  }

  #loaded(player: Player): void {
    player.isPlaced = true;
    this.#measure();
    const { video } = player;
    // One that was started before this script came is where its viewer wants to be.
    const isFirst = !this.#players.some((other) => other !== player && isLoaded(other));
    // A video that stood ready runs already: at most it is brought into step.
    const away = Math.abs(clipTime(player, video.currentTime) - this.time.value);
    const isAhead = !video.paused && (isFirst || away < mostDrift(this.rate.value));
    if (!isAhead && away > AT_ONCE_SECONDS) seek(player, this.time.value);
    if (this.isPlaying.value) this.#start(player);
    this.#synchronise();
  }

  #measure(): void {
    this.length.value = Math.max(0, ...this.#players.filter(isLoaded).map((player) => lengthOf(player) || 0));
  }

  #played({ video }: Player): void {
    // Events come late: only what is still so counts.
    if (!video.paused && !this.isPlaying.value) this.play();
  }

  #paused(player: Player): void {
    const { video } = player;
    if (!video.paused || isPauseExpected(player) || player.isBroken || !this.isPlaying.value) return;
    // Browsers pause pictures without sound in hidden tabs by themselves; the sound goes on.
    if (video.ownerDocument.hidden && player !== this.#leader()) player.isHeld = true;
    else this.pause();
  }

  #seekStarted(player: Player): void {
    if (player.pendingSeeks > 0) return void player.pendingSeeks--;
    if (!isLoaded(player)) return;
    player.nextSeek = null;
    const to = clipTime(player, player.video.currentTime);
    for (const other of this.#players) if (other !== player) seek(other, to);
    this.time.value = to;
  }

  #seekEnded(player: Player): void {
    const { nextSeek } = player;
    if (!player.video.seeking) forgetSeeks(player);
    if (nextSeek !== null) seekVideo(player, nextSeek);
    else if (this.isPlaying.value && !player.isHeld) this.#start(player);
    this.#synchronise();
    // Browsers tell of no end that a held video was sought to.
    if (nextSeek === null) this.#ended();
  }

  #rateChanged({ video, givenRate }: Player): void {
    if (Math.abs(video.playbackRate - givenRate) > 0.001) this.setRate(video.playbackRate);
  }

  /** Goes on where a film plays over the clip's end. @returns whether it does */
  #isClipOver(): boolean {
    const [first] = this.#players.filter(isLoaded);
    if (!first?.part || !this.isPlaying.value || first.video.ended || timeOf(first) < lengthOf(first)) return false;
    batch(() => {
      this.isPlaying.value = false;
      this.onEnd();
    });
    // Nothing follows, or it is not known yet.
    if (!this.isPlaying.value) for (const { video } of this.#players) video.pause();
    return true;
  }

  #ended(): void {
    const usable = this.#players.filter(isLoaded);
    // A step or a seek to the end in a pause stays there.
    if (!usable.every(isOver) || !this.isPlaying.value) return;
    this.isPlaying.value = false;
    this.onEnd();
  }
}
