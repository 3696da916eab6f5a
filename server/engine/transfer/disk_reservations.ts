/**
 * Room on the disks that the runs of this process have reserved for files under way. Cameras share it: a file is begun
 * only beside what the others have begun. Nothing of it is kept on a disk: with the process its runs end, too.
 */
export class DiskReservations {
  /** Runs by the id of the disk they write to. */
  readonly #runs = new Map<number, Set<RunReservations>>();

  /** Begins the reservations of one run, which has a disk when it is told of one. */
  begin(): RunReservations {
    return new RunReservations(this.#runs);
  }
}

/** Room that one run has reserved, and what it sees of the others on its disk. */
export class RunReservations {
  readonly #runs: Map<number, Set<RunReservations>>;
  #disk: number | null = null;
  /** Bytes that were reserved until now, without those given back. */
  #reserved = 0;
  /** Those of them that are on the disk. */
  #written = 0;
  /** Bytes that each other run had written when this one read the disk. */
  readonly #seen = new Map<RunReservations, number>();
  /** Bytes that runs have written since then which have left the disk. */
  #writtenByGone = 0;

  constructor(runs: Map<number, Set<RunReservations>>) {
    this.#runs = runs;
  }

  /** Bytes that the others may still add to the disk as it was when this run read it. */
  get ofOthers(): number {
    let bytes = this.#writtenByGone;
    for (const other of this.#others()) bytes += other.#reserved - (this.#seen.get(other) ?? 0);
    return bytes;
  }

  /**
   * Remembers the state of the others just before this run reads its disk: what they write from then on may not be in
   * that reading.
   * @param disk its id; null when it is not known, and then it is nobody else's
   */
  beginReading(disk: number | null): void {
    if (disk !== this.#disk) this.#moveTo(disk);
    this.#writtenByGone = 0;
    this.#seen.clear();
    for (const other of this.#others()) this.#seen.set(other, other.#written);
  }

  /** Reserves room for bytes of a file that is begun. */
  reserve(bytes: number): Reservation {
    this.#reserved += bytes;
    return new Reservation(bytes, this);
  }

  /** Notes bytes of its files that are on the disk. */
  wrote(bytes: number): void {
    this.#written += bytes;
  }

  /** Takes back bytes that will not be written. */
  takeBack(bytes: number): void {
    this.#reserved -= bytes;
  }

  /** Gives back all that is not written: the run is over. */
  end(): void {
    this.#moveTo(null);
  }

  *#others(): Iterable<RunReservations> {
    const runs = this.#disk === null ? undefined : this.#runs.get(this.#disk);
    if (runs === undefined || runs.size < 2) return;
    for (const run of runs) if (run !== this) yield run;
  }

  #moveTo(disk: number | null): void {
    for (const other of this.#others()) {
      other.#writtenByGone += this.#written - (other.#seen.get(this) ?? 0);
      other.#seen.delete(this);
    }
    if (this.#disk !== null) {
      const runs = this.#runs.get(this.#disk);
      runs?.delete(this);
      if (runs?.size === 0) this.#runs.delete(this.#disk);
    }
    this.#disk = disk;
    if (disk === null) return;
    const runs = this.#runs.get(disk) ?? new Set();
    this.#runs.set(disk, runs.add(this));
  }
}

/** Room for one file under way. */
export class Reservation {
  #left: number;
  readonly #run: RunReservations;

  constructor(bytes: number, run: RunReservations) {
    this.#left = bytes;
    this.#run = run;
  }

  /** Bytes of it that are not written yet. */
  get left(): number {
    return this.#left;
  }

  /** Notes bytes that are on the disk now. */
  wrote(bytes: number): void {
    const written = Math.min(bytes, this.#left);
    this.#left -= written;
    this.#run.wrote(written);
  }

  /** Takes over the room of another reservation of the same run. */
  add(other: Reservation): void {
    this.#left += other.#left;
    other.#left = 0;
  }

  /** Gives back the bytes that are not written: the file has come, or is given up for now. */
  end(): void {
    this.#run.takeBack(this.#left);
    this.#left = 0;
  }
}
