import { brotliDecompressSync } from "node:zlib";
import packed from "../../../assets/towns/towns.br" with { type: "file" };
import { TownTable } from "../../domain/places/town_table.ts";

/** Reads the towns that are in the program. */
export async function readTowns(): Promise<TownTable> {
  return new TownTable(brotliDecompressSync(await Bun.file(packed).bytes()));
}
