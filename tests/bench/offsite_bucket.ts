import { openFakeBucket } from "../support/app/fake_bucket.ts";

/** A bucket in a process of its own; it prints its address, and ends when its input does. */
const bucket = openFakeBucket();
console.log(bucket.endpoint);
for await (const _ of Bun.stdin.stream()) void _;
process.exit(0);
