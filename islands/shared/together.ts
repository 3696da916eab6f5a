import { type Signal, signal } from "@preact/signals";
import { filmTimeAt, type SharedFilm, spanTimeAt } from "../../server/domain/shares/film_clock.ts";
import { correctionOf } from "../../server/domain/viewer/playback_sync.ts";

const EVERY_MS = 100;
/** A video that has data to go on with. */
const HAS_MORE = 3;
export const RATES: readonly number[] = [0.5, 1, 2, 4];

/** The videos of one span, which play as one. The longest film leads. */
export class Together {
  /** Seconds since the beginning of the span. */
  readonly time: Signal<number> = signal(0);
  readonly isPlaying: Signal<boolean> = signal(false);
  readonly isMuted: Signal<boolean> = signal(false);
  readonly rate: Signal<number> = signal(1);
  readonly #films: readonly SharedFilm[];
  readonly #videos = new Map<SharedFilm, HTMLVideoElement>();
  readonly #leader: SharedFilm | undefined;
  readonly #length: number;

  constructor(films: readonly SharedFilm[], length: number) {
    this.#films = films;
    this.#length = length;
    this.#leader = films.toSorted((one, other) => other.seconds - one.seconds)[0];
  }

  /** Takes the video of a film, or gives it up. */
  readonly put = (film: SharedFilm, video: HTMLVideoElement | null): void => {
    if (video === null) this.#videos.delete(film);
    else this.#videos.set(film, video);
    this.#hear();
  };

  /** Keeps all of them at one time; returns what stops it. */
  start(): () => void {
    const timer = setInterval(() => this.#follow(), EVERY_MS);
    return () => clearInterval(timer);
  }

  toggle(): void {
    const leads = this.#leads;
    if (leads === null) return;
    if (!leads.paused) {
      for (const video of this.#videos.values()) video.pause();
    } else {
      if (leads.ended) this.seek(0);
      leads.playbackRate = this.rate.peek();
      void leads.play().catch(() => {});
    }
    this.#follow();
  }

  seek(time: number): void {
    this.time.value = Math.max(0, Math.min(this.#length, time));
    for (const [film, video] of this.#videos) video.currentTime = filmTimeAt(film, this.time.value);
  }

  seekBy(seconds: number): void {
    this.seek(this.time.peek() + seconds);
  }

  /** The next faster rate, and behind the fastest the slowest. */
  nextRate(): void {
    this.#playAt(RATES[(RATES.indexOf(this.rate.peek()) + 1) % RATES.length] ?? 1);
  }

  /** The next faster rate (1) or slower one (-1), as far as there is one. */
  rateBy(by: 1 | -1): void {
    const next = RATES[RATES.indexOf(this.rate.peek()) + by];
    if (next !== undefined) this.#playAt(next);
  }

  #playAt(next: number): void {
    this.rate.value = next;
    for (const video of this.#videos.values()) video.playbackRate = next;
  }

  mute(): void {
    this.isMuted.value = !this.isMuted.peek();
    this.#hear();
  }

  get #leads(): HTMLVideoElement | null {
    return (this.#leader && this.#videos.get(this.#leader)) ?? null;
  }

  /** All microphones of a camera hear the same: one is enough. */
  #hear(): void {
    for (const [film, video] of this.#videos) video.muted = film !== this.#leader || this.isMuted.peek();
  }

  #follow(): void {
    const [leader, leads] = [this.#leader, this.#leads];
    if (leader === undefined || leads === null) return;
    const isPlaying = !leads.paused && !leads.ended;
    this.isPlaying.value = isPlaying;
    if (!leads.seeking && (isPlaying || leads.currentTime > 0))
      this.time.value = Math.max(0, Math.min(this.#length, spanTimeAt(leader, leads.currentTime)));
    const state = !isPlaying ? "paused" : leads.readyState < HAS_MORE ? "waiting" : "running";
    for (const film of this.#films) {
      const video = this.#videos.get(film);
      if (video === undefined || film === leader || leads.seeking) continue;
      const wanted = { time: filmTimeAt(film, this.time.peek()), rate: this.rate.peek(), state } as const;
      // Before its own first picture, and behind its last, it stands still.
      const isOver = this.time.peek() < (film.places[0]?.time ?? 0);
      const { currentTime: time, seeking, readyState } = video;
      const correction = correctionOf(wanted, { time, length: film.seconds, isBusy: seeking || readyState < 1 });
      if (correction.kind === "seek") video.currentTime = correction.to;
      if (correction.kind === "run" && !isOver) {
        video.playbackRate = correction.rate;
        if (video.paused) void video.play().catch(() => {});
      }
      if (correction.kind === "seek" && isPlaying && video.paused && !isOver) void video.play().catch(() => {});
      if (correction.kind === "hold" || correction.kind === "rest" || isOver || !isPlaying) video.pause();
    }
  }
}
