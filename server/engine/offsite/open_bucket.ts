import { readFile } from "node:fs/promises";
import type { Clock } from "../../clock.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { AskBucket } from "../../remote/s3/ask_bucket.ts";
import { Bucket } from "../../remote/s3/bucket.ts";

/** Settings that do not suffice; the message is a sentence. */
export class IncompleteBucket extends Error {
  override readonly name = "IncompleteBucket";
}

type BucketSettings = Pick<
  Settings["offsite"],
  "endpoint" | "bucket" | "region" | "access_key" | "secret_key" | "ca_file" | "prefix"
>;

/** The bucket of the settings; nothing is asked of it yet. @throws IncompleteBucket */
export async function openBucket(settings: BucketSettings, clock: Clock): Promise<Bucket> {
  const { endpoint, bucket, region, access_key, secret_key, ca_file } = settings;
  if (endpoint === null) throw new IncompleteBucket("The address of the bucket is not set.");
  if (bucket === "" || !access_key || !secret_key)
    throw new IncompleteBucket("The bucket, the access key or the secret key is not set.");
  const authority = ca_file === null ? null : await readFile(ca_file, "utf8").catch(() => null);
  if (ca_file !== null && authority === null)
    throw new IncompleteBucket("The file of your certificate authority cannot be read. Check offsite.ca_file.");
  const login = { endpoint, bucket, region, accessKey: access_key, secretKey: secret_key, authority };
  return new Bucket(new AskBucket(login, { clock }));
}
