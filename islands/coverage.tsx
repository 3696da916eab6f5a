/** @jsxImportSource preact */
import { useEffect } from "preact/hooks";
import { askBeforeDownloads } from "./browser/download.ts";
import { CardQuestion } from "./parts/card_question.tsx";
import { CauseAction } from "./coverage/cause_action.tsx";
import type { CoverageProps } from "./coverage/coverage_props.ts";
import { DayPanel } from "./coverage/day_panel.tsx";
import { HeatKeys, HeatMapDays, LONG_MAP } from "./coverage/heat_map.tsx";
import { CoverageHero } from "./coverage/hero.tsx";
import { CsvLink, LostDays } from "./coverage/lost_days.tsx";
import { useCoverage } from "./coverage/use_coverage.ts";
import { Icon } from "./parts/icon.tsx";
import { StatsNav } from "./parts/stats_nav.tsx";

/** Says whether anything was missed: in a sentence, in figures, by day, and of one day in lanes. */
export default function Coverage(drawn: CoverageProps) {
  const { props, pending, problem, isChosen, open, refresh } = useCoverage(drawn);
  const { view, day, steps, path, file, action, order, question } = props;
  useEffect(() => askBeforeDownloads(document), []);
  /** Opens a day, and on a phone goes to it: it stands below the map there. */
  const choose = (date: string) => {
    open(date);
    // Where both stand side by side it is in sight already.
    document.getElementById("day")?.scrollIntoView({ block: "nearest" });
  };
  const isLong = view.map !== null && view.map.weeks.length >= LONG_MAP;
  return (
    <div class="coverage">
      <div class="row section-head">
        <StatsNav current="/stats/coverage" />
        <p class="small quiet push">{view.span}</p>
      </div>
      <CoverageHero view={view} action={action} />
      <p class="sr" role="status">
        {isChosen && pending === null && day !== null && `${day.title}: ${day.state}. ${day.counts}`}
      </p>
      {question && <CardQuestion question={question} onAnswered={refresh} />}
      {view.map && (
        <div class={isLong ? "cluster" : "cluster cover-2"}>
          <section class="cell" aria-labelledby="days-title">
            <div class="cell-head">
              <h2 id="days-title">Driving per day</h2>
              <Steps steps={steps} />
            </div>
            <HeatMapDays
              map={view.map}
              length={view.length}
              chosen={pending ?? day?.date ?? null}
              path={path}
              choose={choose}
            />
            <div class="cell-foot row">
              <HeatKeys map={view.map} />
              {file !== null && view.lostDays.length === 0 && <CsvLink file={file} />}
            </div>
          </section>
          {day && (
            <DayPanel
              day={day}
              isBusy={pending !== null}
              problem={problem}
              open={open}
              actionOf={(action) => <CauseAction action={action} order={order} onSet={refresh} />}
            />
          )}
        </div>
      )}
      {view.lostDays.length > 0 && (
        <LostDays days={view.lostDays} more={view.moreLostDays} file={file} path={path} choose={choose} />
      )}
    </div>
  );
}

function Steps({ steps: { earlier, later, length } }: Pick<CoverageProps, "steps">) {
  if (earlier === null && later === null && length === null) return null;
  return (
    <nav class="hm-steps" aria-label="Time on the map">
      {earlier !== null && (
        <a href={earlier} aria-label="Earlier" title="Earlier">
          <Icon name="i-left" />
        </a>
      )}
      {later !== null && (
        <a href={later} aria-label="Later" title="Later">
          <Icon name="i-right" />
        </a>
      )}
      {length !== null && <a href={length.href}>{length.name}</a>}
    </nav>
  );
}
