import { run } from "../../server/commands/cli.ts";
import { Job } from "../../server/engine/run/job.ts";

/** The program, but for one thing: "Sync now" starts a scheduled run, which deletes. The schedule itself waits a minute. */
const start = Job.prototype.start;
Job.prototype.start = function (this: Job) {
  return start.call(this, "schedule");
};

process.exit(await run(process.argv.slice(2)));
