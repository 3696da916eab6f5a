/** Settings of retention with which no rule deletes anything. */
export const KEEP_EVERYTHING = {
  keep: "",
  keep_event: "",
  keep_parking: "",
  keep_manual: "",
  max_gb: null,
  max_percent: null,
} as const;
