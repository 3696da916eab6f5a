/** What became of what a run found on the camera, beside what it brought and what failed. Files, but for `videos`. */
export interface FileCounts {
  /** Recordings whose video came home. */
  videos: number;
  /** At home already. */
  present: number;
  /** Left alone after an earlier failure. */
  blocked: number;
  /** Companions: that the camera does not have; left for later, since their video may still be being recorded. */
  absent: number;
  held: number;
  /** Videos: empty on the card, overwritten there meanwhile, still being recorded. */
  empty: number;
  vanished: number;
  growing: number;
}
