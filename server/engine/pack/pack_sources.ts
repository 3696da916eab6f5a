import type { FilmLack } from "../../domain/film/film_lack.ts";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { nameOf, secondsOf } from "../../domain/recordings/recording_name.ts";
import { type StillName, stillFile } from "../../domain/recordings/still_name.ts";
import { type ArchiveSource, type FileOrder, type FileSource, fileSource } from "../../store/clips/archive_source.ts";
import type { Films } from "../../store/clips/films.ts";
import type { Stills, StillsByMoment } from "../../store/destination/stills.ts";
import { pathOf, thumbnailOf } from "../../store/library/recording_files.ts";
import { each } from "../../turns.ts";
import { filesOf, type PackChoice } from "./pack_clips.ts";

/** Files looked for at once. */
const WIDTH = 16;

/** Pictures that users kept, in one pack. */
export const MOST_STILLS_IN_PACK = 500;

/** A picture in a pack, and what it shows. */
export interface PackPicture {
  readonly source: FileSource;
  readonly key: string;
  readonly direction: string;
  /** Seconds into the recording of one that a user kept; null for a thumbnail. */
  readonly seconds: number | null;
}

/** Files that a pack takes from the library, in order. */
export interface PackSources {
  readonly originals: readonly FileSource[];
  readonly pictures: readonly PackPicture[];
  /** Pictures that users kept and that are not in the pack: there are too many. */
  readonly stillsLeftOut: number;
}

/** The folder of the recordings, and the pictures that were kept with them. */
export interface PackPlace {
  readonly root: string;
  readonly stills: Pick<Stills, "all" | "folder">;
}

/** Finds the files of a pack as they are now; those that went away meanwhile are left out. */
export async function findSources({ root, stills }: PackPlace, choice: PackChoice): Promise<PackSources> {
  const { clips, directions } = choice;
  const names = new Names();
  const originals = clips.flatMap(({ segment }) =>
    filesOf(segment, directions).map((ending): FileOrder => {
      const name = names.free("originals", nameOf(segment.key, ending));
      return { path: pathOf(segment, ending), name, wall: secondsOf(segment.key) };
    }),
  );
  const shown = clips.flatMap(({ segment, videos }) =>
    segment.parts.videos.flatMap(({ direction, ending }) => {
      const video = videos.get(direction);
      if (!video) return [];
      const own = thumbnailOf(direction, segment.parts.files, ending);
      if (own === null && video.thumbnail === null) return [];
      const name = names.free("pictures", `${nameOf(segment.key, direction)}.jpg`);
      const order: FileOrder = { path: pathOf(segment, own ?? ending), name, wall: secondsOf(segment.key) };
      const part = own === null && video.thumbnail ? { part: video.thumbnail } : {};
      return [{ order: { ...order, ...part }, key: segment.key, direction }];
    }),
  );
  const kept = keptIn(choice, await stills.all());
  const taken = kept.slice(0, MOST_STILLS_IN_PACK).map((still) => {
    const { key, direction, milliseconds, format } = still;
    const seconds = milliseconds / 1000;
    const name = names.free("pictures", `${nameOf(key, direction)}_${seconds.toFixed(3)}s.${format}`);
    const order: FileOrder = { path: stillFile(still), name, wall: Math.floor(secondsOf(key) + seconds) };
    return { order, key, direction, seconds };
  });
  const found = new Map<FileOrder, FileSource>();
  const look = (folder: string) => async (order: FileOrder) => {
    const source = await fileSource(folder, order);
    if (source) found.set(order, source);
  };
  await each([...originals, ...shown.map(({ order }) => order)], look(root), WIDTH);
  await each(
    taken.map(({ order }) => order),
    look(stills.folder),
    WIDTH,
  );
  return {
    originals: originals.flatMap((order) => found.get(order) ?? []),
    pictures: [...shown.map((one) => ({ ...one, seconds: null })), ...taken].flatMap(({ order, ...what }) => {
      const source = found.get(order);
      return source ? [{ source, ...what }] : [];
    }),
    stillsLeftOut: kept.length - taken.length,
  };
}

/** Pictures that users kept with these clips, of the cameras of the pack, by time. */
function keptIn({ clips, directions }: PackChoice, all: StillsByMoment): StillName[] {
  const keys = new Set(clips.map(({ segment }) => segment.key));
  return [...keys]
    .flatMap((key) => all.get(momentNumber(key))?.filter((still) => still.key === key) ?? [])
    .filter(({ direction }) => directions.includes(direction))
    .sort((one, other) => wallOf(one) - wallOf(other));
}

function wallOf({ key, milliseconds }: StillName): number {
  return secondsOf(key) * 1000 + milliseconds;
}

/** Films of a pack, and by camera why one does not reach the end of it. */
interface FoundFilms {
  readonly films: readonly ArchiveSource[];
  readonly missing: ReadonlyMap<string, FilmLack>;
}

/**
 * Returns the film of each camera, cut to the time of the pack and without a byte beside it. A camera has none where no
 * clip can be part of one.
 */
export async function findFilms(
  films: Pick<Films, "open">,
  { clips, span, directions }: PackChoice,
): Promise<FoundFilms> {
  const found: ArchiveSource[] = [];
  const missing = new Map<string, FilmLack>();
  for (const direction of directions) {
    const own = clips.filter(({ videos }) => videos.has(direction)).map(({ segment }) => segment);
    const [first] = own;
    const last = own.at(-1);
    if (!first || !last) continue;
    const from = Math.max(0, span.from - secondsOf(first.key));
    const to = Math.max(0, span.to - secondsOf(last.key));
    const film = await films.open({ direction, clips: own, from, to, isPlain: true });
    if (film.length > 0) found.push(film.source(`film/${direction}.mp4`));
    if (film.facts.cannot !== null) missing.set(direction, film.facts.cannot);
  }
  return { films: found, missing };
}

/** Names in a pack: copies of a recording lie in several folders of the library, and a ZIP has each name once. */
class Names {
  readonly #taken = new Set<string>();

  free(folder: string, name: string): string {
    let free = `${folder}/${name}`;
    for (let copy = 2; this.#taken.has(free); copy++) free = `${folder}/copy-${copy}/${name}`;
    this.#taken.add(free);
    return free;
  }
}
