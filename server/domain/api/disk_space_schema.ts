import * as v from "valibot";
import type { DiskSpace } from "../status/disk_space.ts";
import { exactly } from "./exactly.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const DISK_SPACE = exactly<DiskSpace>()(
  v.object({
    total_bytes: count,
    free_bytes: v.pipe(
      count,
      v.description("As the limit sees it: what is reserved for root, or lies beyond a quota, counts as free"),
    ),
    available_bytes: v.pipe(
      v.nullable(count),
      v.description("What can be written, which the pages call free; null where the disk does not tell its size"),
    ),
  }),
);
