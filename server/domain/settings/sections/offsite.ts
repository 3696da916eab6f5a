import { field, section } from "../field.ts";
import { choice, flag, limit, nullableText, secretText, text } from "../field_kinds.ts";
import { authorityPathProblem } from "../mqtt_address.ts";
import { bucketProblem, endpointProblem, objectPrefixProblem, regionProblem } from "../offsite_address.ts";
import { timeOfDayProblem } from "../time_of_day.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: leaving them out is the point
const SECRET = /^[^\u0000-\u001f\u007f]{1,1024}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: leaving them out is the point
const PASSPHRASE = /^[^\u0000-\u001f\u007f]{12,1024}$/;

/** Faster than any line at home. */
const FASTEST = 10_000_000_000;

export const OFFSITE = section("immediate", "Off-site", {
  endpoint: field(nullableText(endpointProblem), null, {
    label: "Address",
    help: "The S3 server of your provider, such as https://s3.example.com. Empty: switched off.",
    env: { name: "SERVICE_OFFSITE_ENDPOINT", read: "text" },
    empty: "switched off",
    own: true,
  }),
  bucket: field(text(bucketProblem), "", {
    label: "Bucket",
    help: "The bucket must be there already. Dashdock never makes one.",
    env: { name: "SERVICE_OFFSITE_BUCKET", read: "text" },
    own: true,
  }),
  region: field(text(regionProblem), "us-east-1", {
    label: "Region",
    help: "As your provider names it. Servers of your own mostly take us-east-1.",
    env: { name: "SERVICE_OFFSITE_REGION", read: "text" },
    own: true,
  }),
  access_key: field(secretText(SECRET, "1 to 1024 characters, without control characters"), null, {
    label: "Access key",
    help: "A key that may read, write and list this bucket. It need not delete.",
    env: { name: "SERVICE_OFFSITE_ACCESS_KEY", read: "text" },
    secret: { remedy: null },
    own: true,
  }),
  secret_key: field(secretText(SECRET, "1 to 1024 characters, without control characters"), null, {
    label: "Secret key",
    help: "The secret that belongs to the access key.",
    env: { name: "SERVICE_OFFSITE_SECRET_KEY", read: "text" },
    secret: { remedy: null },
    own: true,
  }),
  ca_file: field(nullableText(authorityPathProblem, "path"), null, {
    label: "Your own certificate authority (CA)",
    help: "Path of a PEM file, for a server whose certificate no public authority has signed.",
    env: { name: "SERVICE_OFFSITE_CA_FILE", read: "text" },
    empty: "the public authorities",
    rare: true,
  }),
  prefix: field(text(objectPrefixProblem), "", {
    label: "Names begin with",
    help: "Everything is stored below this path in the bucket. Two installations in one bucket need one each.",
    env: { name: "SERVICE_OFFSITE_PREFIX", read: "text" },
    rare: true,
  }),
  what: field(
    choice(["kept", "events", "all"], {
      kept: "Kept recordings",
      events: "Kept recordings and events",
      all: "Everything",
    }),
    "kept",
    {
      label: "Recordings",
      help: "Kept recordings go first, then the newest events.",
    },
  ),
  from: field(text(timeOfDayProblem, "time"), "", {
    label: "From",
    help: "Outside of these hours nothing is sent. Empty: at any time.",
  }),
  to: field(text(timeOfDayProblem, "time"), "", {
    label: "Until",
    help: "The same time twice means at any time.",
  }),
  events_at_once: field(flag("Events and kept recordings go at once", "Everything waits for these hours"), false, {
    label: "Events at once",
    help: "An event may be the one recording that matters, so it need not wait for the hours.",
  }),
  rate_limit: field(limit(FASTEST), null, {
    label: "Rate",
    help: "A sync from the camera always comes first.",
    unit: "bytes per second",
    empty: "no limit",
  }),
  passphrase: field(secretText(PASSPHRASE, "12 to 1024 characters, without control characters"), null, {
    label: "Passphrase",
    help: "With a passphrase the provider sees no picture. If you lose it, the copies are lost too.",
    env: { name: "SERVICE_OFFSITE_PASSPHRASE", read: "text" },
    secret: { remedy: null },
    own: true,
  }),
  passphrase_noted: field(flag("I wrote it down, outside of this house", "Not yet"), false, {
    label: "Passphrase written down",
    help: "When this house burns, the passphrase must be elsewhere, too.",
  }),
});
