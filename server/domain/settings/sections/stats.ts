import { field, section } from "../field.ts";
import { whole } from "../field_kinds.ts";

export const STATS = section("next_tick", "Statistics", {
  retention_days: field(whole(0, 36_500), 365, {
    label: "Keep run history for",
    help: "Older runs are dropped from the statistics. 0: keep all.",
    unit: "days",
    meaning: {
      of: { 0: "all runs are kept" },
      larger: [
        { from: 60, per: 30.4, unit: "month", about: true },
        { from: 365, per: 365, unit: "year", about: true },
      ],
    },
    env: { name: "STATS_RETENTION_DAYS", read: "number" },
    safest: { value: 0, words: "No run is dropped until it is set." },
  }),
});
