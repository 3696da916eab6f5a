class StorageProblem extends Error {
  /** As history counts it: `disk` when the disk itself has to be looked at. */
  readonly reason: "disk" | "unknown";

  constructor(message: string, reason: "disk" | "unknown" = "unknown") {
    super(message);
    this.reason = reason;
  }
}

/** The destination cannot be used; the sentence says why and what to do. */
export class DestinationProblem extends StorageProblem {
  override name = "DestinationProblem";
}

/** Something in the destination keeps just one file from being stored; the sentence names it and says what to do. */
export class FileInTheWay extends StorageProblem {
  override name = "FileInTheWay";
}

/** A group folder cannot be used; the sentence names it. The files that belong into it fail one by one, others do not. */
export class FolderProblem extends FileInTheWay {
  override name = "FolderProblem";
}

/** A file or folder went away while it was in use, and the destination is there: this one file comes another time. */
export class FileGone extends FileInTheWay {}
