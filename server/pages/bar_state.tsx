/** @jsxImportSource preact */
import { Icon } from "../../islands/parts/icon.tsx";
import type { App } from "../app.ts";
import { summaryNow } from "../domain/status/status_summary.ts";
import { overviewFacts } from "../engine/status/overview.ts";

/** The state of everything in the bar of every page but the dashboard, which says it larger. */
export function BarState({ app }: { readonly app: App }) {
  const { mood: level, sentence } = summaryNow(app.job.snapshot, overviewFacts(app));
  return (
    <a class={`bar-state is-${level}`} id="state" href="/" data-poll="/hx/state" data-every={5}>
      <Icon name={`s-${level}`} />
      <span>{sentence.replace(/\.$/, "")}</span>
    </a>
  );
}
