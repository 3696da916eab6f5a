import { type BucketFault, bucketSentence } from "../../domain/offsite/bucket_problem.ts";

/** The bucket did not do what it was asked for. */
export class BucketError extends Error {
  override readonly name = "BucketError";
  readonly fault: BucketFault;
  /** Cause for the log, such as the status and the server’s own words. */
  readonly detail: string;

  constructor(fault: BucketFault, detail: string) {
    super(bucketSentence(fault));
    this.fault = fault;
    this.detail = detail;
  }
}
