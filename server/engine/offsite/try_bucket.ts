import type { Clock } from "../../clock.ts";
import type { BucketFault } from "../../domain/offsite/bucket_problem.ts";
import { keyBeginning } from "../../domain/offsite/object_key.ts";
import type { OffsiteTest } from "../../domain/offsite/offsite_schema.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { formatRate } from "../../domain/text/format.ts";
import type { Bucket } from "../../remote/s3/bucket.ts";
import { BucketError } from "../../remote/s3/bucket_error.ts";
import { IncompleteBucket, openBucket } from "./open_bucket.ts";

type Step = OffsiteTest["steps"][number];

/** No recording has such a name. The upload is ended again, so nothing of it stays. */
const NAME = ".dashdock-test";
const TRIED_BYTES = 1024 * 1024;

/** Faults before the server has looked at the key. */
const NOT_REACHED: readonly BucketFault[] = ["away", "busy", "certificate", "page", "redirect"];

const LABELS: Readonly<Record<Step["name"], string>> = {
  reach: "Reach",
  "sign-in": "Sign in",
  write: "Write",
  resume: "Resume",
};

/** Tries the bucket step by step, each once. Nothing stays there. */
export async function tryBucket(
  settings: Settings["offsite"],
  clock: Clock,
  signal: AbortSignal,
): Promise<OffsiteTest> {
  const steps = new Map<Step["name"], Omit<Step, "name" | "label">>();
  try {
    await trySteps(await openBucket(settings, clock), settings, { clock, signal, steps });
  } catch (error) {
    if (!(error instanceof BucketError || error instanceof IncompleteBucket)) throw error;
    const isReached = error instanceof BucketError && !NOT_REACHED.includes(error.fault);
    if (isReached && steps.size === 0)
      steps.set("reach", { state: "fine", finding: "The server answers", figure: null });
    const failed = (Object.keys(LABELS) as Step["name"][]).find((name) => !steps.has(name)) ?? "resume";
    steps.set(failed, { state: "failed", finding: error.message, figure: null });
  }
  const none = { state: "not-asked", finding: "", figure: null } as const;
  return {
    steps: (Object.keys(LABELS) as Step["name"][]).map((name) => ({
      name,
      label: LABELS[name],
      ...(steps.get(name) ?? none),
    })),
  };
}

interface Trying {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly steps: Map<Step["name"], Omit<Step, "name" | "label">>;
}

async function trySteps(
  bucket: Bucket,
  { endpoint, prefix }: Pick<Settings["offsite"], "endpoint" | "prefix">,
  { clock, signal, steps }: Trying,
): Promise<void> {
  const began = clock.elapsed();
  const beginning = keyBeginning(prefix);
  for await (const _ of bucket.list(beginning, signal)) break;
  const isSafe = /^https:/i.test(endpoint ?? "");
  steps.set("reach", {
    state: isSafe ? "fine" : "attention",
    finding: isSafe ? "Over an encrypted connection" : "The connection is not encrypted",
    figure: `${Math.max(1, Math.round(clock.elapsed() - began))} ms`,
  });
  steps.set("sign-in", { state: "fine", finding: "The key is accepted, and the bucket is there", figure: null });

  const key = `${beginning}${NAME}`;
  const id = await bucket.begin(key, "test", signal);
  try {
    const bytes = crypto.getRandomValues(new Uint8Array(65_536));
    const body = new Uint8Array(TRIED_BYTES);
    for (let at = 0; at < TRIED_BYTES; at += bytes.length) body.set(bytes, at);
    const from = clock.elapsed();
    const { etag } = await bucket.part({ key, id, number: 1 }, body, signal);
    const seconds = Math.max(1, clock.elapsed() - from) / 1000;
    steps.set("write", {
      state: "fine",
      finding: "1 MB was written, and its checksum agrees",
      figure: formatRate(TRIED_BYTES / seconds),
    });
    steps.set("resume", await resumeOf(bucket, { key, id, etag }, signal));
  } finally {
    // An upload that stays is ended by the daily comparison.
    await bucket.abort({ key, id }, signal).catch(() => {});
  }
}

async function resumeOf(
  bucket: Bucket,
  { key, id, etag }: { readonly key: string; readonly id: string; readonly etag: string },
  signal: AbortSignal,
): Promise<Omit<Step, "name" | "label">> {
  const bare = (tag: string) => tag.replaceAll('"', "");
  try {
    const isThere = (await bucket.parts({ key, id }, signal)).some((part) => bare(part.etag) === bare(etag));
    if (isThere) return { state: "fine", finding: "Parts that were sent are found again", figure: null };
    return { state: "attention", finding: "The server does not list parts as they were sent", figure: null };
  } catch (error) {
    if (!(error instanceof BucketError) || error.fault !== "unsupported") throw error;
    return { state: "attention", finding: "The server does not list parts", figure: null };
  }
}
