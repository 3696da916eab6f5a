import { idleSnapshot } from "../../../server/domain/sync/job_progress.ts";
import { Topic } from "../../../server/topic.ts";

/** A job as those see it who only look whether a sync runs. Tests set its topic. */
export function stagedJob() {
  const topic = new Topic(idleSnapshot("b"));
  const job = {
    topic,
    get snapshot() {
      return topic.value;
    },
    get isRunning() {
      return topic.value.state === "running";
    },
  };
  return { job, topic };
}
