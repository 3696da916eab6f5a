/** One camera's video, and what `SyncedPlayers` did to it. */
export interface Player {
  readonly video: HTMLVideoElement;
  /** Its camera's place: the first one leads. */
  readonly order: number;
  /** Brought to the time of all since its length is known: before that its own time says nothing. */
  isPlaced: boolean;
  /** Seeks by script whose event has not come yet; any further one was made by hand. */
  pendingSeeks: number;
  /** A seek by script is under way. */
  isSought: boolean;
  /** Next seek when that one has ended, in seconds of its video; null for none. */
  nextSeek: number | null;
  /** The rate set by script; any other was chosen by hand. */
  givenRate: number;
  /** Paused by script, though all play: the leading one waits for data. */
  isHeld: boolean;
  /** Nothing of it can be shown, or nothing more. */
  isBroken: boolean;
  /** Time at which its file broke off, in seconds; null unless it did. */
  brokenAt: number | null;
  /** It was waited for long enough: the others play on without its data. */
  isSlow: boolean;
  /** Part of its video that is the clip on show; null when that is all of it. */
  part: VideoPart | null;
}

/** A clip's part of a film, in seconds of the film. */
export interface VideoPart {
  readonly from: number;
  readonly to: number;
}

/** A film is sought no nearer to the end of a clip than this: there the next clip begins. */
const INSIDE_SECONDS = 0.01;

/** `HTMLMediaElement.HAVE_CURRENT_DATA`: the picture of this moment is there. */
const CURRENT_DATA = 2;
/** `HTMLMediaElement.HAVE_FUTURE_DATA`: and the next one, too. */
const FUTURE_DATA = 3;

/** A player nothing has been done to. */
export function newPlayer(video: HTMLVideoElement, order: number, part: VideoPart | null = null): Player {
  return {
    video,
    order,
    isPlaced: false,
    pendingSeeks: 0,
    isSought: false,
    nextSeek: null,
    givenRate: video.playbackRate,
    isHeld: false,
    isBroken: video.error !== null,
    brokenAt: null,
    isSlow: false,
    part,
  };
}

/** True when its length and its first picture are known. */
export function hasCome({ video, isBroken }: Player): boolean {
  return !isBroken && video.readyState >= 1;
}

/** True when it has come and stands at the time of all, or is on its way there. */
export function isLoaded(player: Player): boolean {
  return player.isPlaced && hasCome(player);
}

export function isOver(player: Player): boolean {
  return player.video.ended || timeOf(player) >= lengthOf(player);
}

/** Seconds of the clip; not a number until known. */
export function lengthOf({ video, part }: Player): number {
  return part === null ? video.duration : part.to - part.from;
}

/** The time in the clip at a time of the video. */
export function clipTime({ part }: Player, at: number): number {
  return part === null ? at : at - part.from;
}

/** A file that ends sooner than it says by this much breaks off; by less its sound is a little longer than its pictures. */
const MISSING_SECONDS = 1;

/** Time at which its file breaks off, in seconds, when something of it has been seen; null when it does not. */
export function brokenOffAt({ error, ended, currentTime, duration, videoWidth }: HTMLVideoElement): number | null {
  const hasPlayed = videoWidth > 0 && currentTime > 0;
  return hasPlayed && (error !== null || (ended && duration - currentTime > MISSING_SECONDS)) ? currentTime : null;
}

/** Reads a file that broke off anew when the way leads back before that. @returns whether it does */
export function revive(player: Player, to: number): boolean {
  if (player.brokenAt === null || to >= player.brokenAt) return false;
  player.brokenAt = null;
  player.isBroken = false;
  player.video.load();
  return true;
}

/** Seconds of the clip at which it is, or is to be. */
export function timeOf(player: Player): number {
  return clipTime(player, player.nextSeek ?? player.video.currentTime);
}

/**
 * True when a pause says nothing new: the player is held, or its video is over, or a seek has brought it back before
 * the browser told of the end.
 */
export function isPauseExpected(player: Player): boolean {
  return player.isHeld || isOver(player) || player.pendingSeeks > 0;
}

/** True while its time goes on. */
export function isRunning(player: Player): boolean {
  return !player.video.paused && !player.video.ended && !isBusy(player);
}

/** True while it seeks, or lacks the data to go on. */
export function isBusy({ video }: Player): boolean {
  return video.seeking || video.readyState < (video.paused ? CURRENT_DATA : FUTURE_DATA);
}

/** Seeks, at most to the clip's end. @param to seconds of the clip */
export function seek(player: Player, to: number): void {
  if (!isLoaded(player)) return;
  const { video, part } = player;
  seekVideo(player, part === null ? Math.min(to, video.duration) : Math.min(part.from + to, part.to - INSIDE_SECONDS));
}

/** Seeks when the seek under way has ended. @param target seconds of the video */
export function seekVideo(player: Player, target: number): void {
  const { video } = player;
  // One after the other: Chromium may hang for ever in a seek that others have overtaken.
  player.nextSeek = player.isSought ? target : null;
  if (player.isSought) return;
  player.isSought = true;
  player.pendingSeeks++;
  video.currentTime = target;
}

/** No seek is under way any more. */
export function forgetSeeks(player: Player): void {
  player.pendingSeeks = 0;
  player.isSought = false;
  player.nextSeek = null;
}

/** Gives it a rate, unless it has it. */
export function giveRate(player: Player, rate: number): void {
  player.givenRate = rate;
  if (player.video.playbackRate === rate) return;
  try {
    player.video.playbackRate = rate;
  } catch {
    // A rate that this browser does not know, such as one a little above its fastest: it plays on as before.
    player.givenRate = player.video.playbackRate;
  }
}

/** Starts it, unless its video is over. @param refused is called when the browser plays only after a click */
export function start(player: Player, refused: () => void): void {
  player.isHeld = false;
  if (!player.video.paused || player.isBroken || isOver(player)) return;
  player.video.play().catch((error: unknown) => {
    // Other rejections, such as after a new source, are followed by an event.
    if (error instanceof DOMException && error.name === "NotAllowedError") refused();
  });
}

/** Pauses it though all play. */
export function hold(player: Player): void {
  player.isHeld = true;
  player.video.pause();
}
