import { gzipSync } from "node:zlib";

/** The shape of a PMTiles file of version 3, by its specification. */
const HEADER_BYTES = 127;
const GZIP = 2;
const VECTOR_TILES = 1;

/** A map file of the whole world, all of whose tiles are the same: land everywhere, a road along the equator, and a town with a name. */
export function worldMapFile({ version = 3, tileType = VECTOR_TILES, compression = GZIP } = {}): Buffer {
  const tile = gzipSync(worldTile());
  // One entry: tiles 0 to 4 are the same, so many bytes, from the beginning of the tiles.
  const root = gzipSync(Buffer.concat([1, 0, 5, tile.length, 1].map(varint)));
  const metadata = gzipSync(JSON.stringify({ name: "A world for tests" }));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PMTiles");
  header[7] = version;
  let at = HEADER_BYTES;
  const places: number[] = [];
  for (const { length } of [root, metadata, Buffer.alloc(0), tile]) {
    places.push(at, length);
    at += length;
  }
  for (const [place, number] of [...places, 5, 1, 1].entries()) header.writeBigUInt64LE(BigInt(number), 8 + 8 * place);
  header[96] = 1;
  header[97] = compression;
  header[98] = compression;
  header[99] = tileType;
  // Zoom levels 0 and 1.
  header[101] = 1;
  for (const [place, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + 4 * place);
  return Buffer.concat([header, root, metadata, tile]);
}

/** A vector tile, by the specification of Mapbox, version 2. */
function worldTile(): Buffer {
  const square = [command(1, 1), 0, 0, command(2, 3), ...[4096, 0, 0, 4096, -4096, 0].map(zigzag), command(7, 1)];
  const line = [command(1, 1), zigzag(0), zigzag(2048), command(2, 1), zigzag(4096), zigzag(0)];
  const point = [command(1, 1), zigzag(2048), zigzag(2048)];
  return Buffer.concat([
    field(3, layer("earth", 3, square, { kind: "earth" })),
    field(3, layer("roads", 2, line, { kind: "highway" })),
    field(3, layer("places", 1, point, { kind: "locality", name: "Nullville" })),
  ]);
}

function layer(name: string, type: number, geometry: readonly number[], tags: Readonly<Record<string, string>>) {
  const keys = Object.keys(tags);
  const numbers = (list: readonly number[]) => Buffer.concat(list.map(varint));
  const feature = Buffer.concat([
    field(2, numbers(keys.flatMap((_, at) => [at, at]))),
    Buffer.concat([varint(3 << 3), varint(type)]),
    field(4, numbers(geometry)),
  ]);
  return Buffer.concat([
    Buffer.concat([varint(15 << 3), varint(2)]),
    field(1, Buffer.from(name)),
    field(2, feature),
    ...keys.map((key) => field(3, Buffer.from(key))),
    ...Object.values(tags).map((value) => field(4, field(1, Buffer.from(value)))),
    Buffer.concat([varint(5 << 3), varint(4096)]),
  ]);
}

const command = (id: number, count: number) => (count << 3) | id;
const zigzag = (number: number) => ((number << 1) ^ (number >> 31)) >>> 0;
const field = (number: number, content: Buffer) =>
  Buffer.concat([varint((number << 3) | 2), varint(content.length), content]);

function varint(number: number): Buffer {
  const bytes: number[] = [];
  let left = number;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  return Buffer.from([...bytes, left]);
}
