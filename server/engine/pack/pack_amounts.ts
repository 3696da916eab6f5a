import type { FilmLack } from "../../domain/film/film_lack.ts";
import { chooseClips, type PackChoice, type PackOrder } from "./pack_clips.ts";
import { findFilms, findSources } from "./pack_sources.ts";
import type { PackSource } from "./packs.ts";

/** A number of files, and their bytes. */
export interface PackAmount {
  readonly files: number;
  readonly bytes: number;
}

/** Amounts in a pack by kind of files, without those that are made of texts. */
export interface PackAmounts {
  readonly originals: PackAmount;
  readonly films: PackAmount;
  readonly pictures: PackAmount;
}

/** Tells the contents of a pack without reading its files; null when nothing of these cameras is there. */
export async function packAmounts(
  { segments, films, stills, files: { videos } }: Omit<PackSource, "history">,
  order: PackOrder,
): Promise<{
  readonly choice: PackChoice;
  readonly amounts: PackAmounts;
  /** By camera, where its film does not reach the end. */
  readonly lacks: ReadonlyMap<string, FilmLack>;
} | null> {
  const choice = await chooseClips({ segments, videos }, order);
  if (choice === null) return null;
  const { originals, pictures } = await findSources({ root: segments.root, stills }, choice);
  if (originals.length === 0) return null;
  const { films: made, missing: lacks } = await findFilms(films, choice);
  const amounts = {
    originals: amountOf(originals),
    films: amountOf(made),
    pictures: amountOf(pictures.map(({ source }) => source)),
  };
  return { choice, amounts, lacks };
}

function amountOf(sources: readonly { readonly size: number }[]): PackAmount {
  return { files: sources.length, bytes: sources.reduce((sum, { size }) => sum + size, 0) };
}
