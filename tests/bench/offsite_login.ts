/** As `openFakeBucket` has it. */
export const BENCH_LOGIN = {
  bucket: "our-dashcam",
  region: "eu-home-1",
  accessKey: "AKEXAMPLE",
  secretKey: "secret/with+signs=",
} as const;
