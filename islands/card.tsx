/** @jsxImportSource preact */
import { CardHealthCell } from "./card/card_health.tsx";
import { CardHero } from "./card/card_hero.tsx";
import { CardPartsCell } from "./card/card_parts.tsx";
import type { CardProps } from "./card/card_props.ts";
import { CardSteps } from "./card/card_steps.tsx";
import { OnlyOnCard } from "./card/only_on_card.tsx";
import { useCard } from "./card/use_card.ts";
import { CardQuestion } from "./parts/card_question.tsx";
import { StatsNav } from "./parts/stats_nav.tsx";

/** Says what is still on the card, whether it may be formatted, and how it is doing. */
export default function Card(drawn: CardProps) {
  const { props, doing, refresh, sync, giveUp, waitAgain, retry } = useCard(drawn);
  const { view } = props;
  return (
    <div class="card-page">
      <div class="row section-head">
        <StatsNav current="/stats/card" />
        {view.listed !== "" && <p class="small quiet push">{view.listed}</p>}
      </div>
      {view.question && <CardQuestion question={view.question} onAnswered={refresh} />}
      <CardHero view={view} isBusy={doing === "sync"} sync={sync} />
      <p class="sr" role="status">
        {view.state.word}
      </p>
      <div class={view.steps === null ? "cluster" : "cluster card-2"}>
        <CardPartsCell view={view} waitAgain={() => waitAgain(view.givenUp)} isBusy={doing === "wait-again"} />
        {view.steps && (
          <CardSteps steps={view.steps} unreadable={view.unreadable} giveUp={giveUp} isBusy={doing === "give-up"} />
        )}
        <CardHealthCell health={view.health} />
      </div>
      {view.rows.length > 0 && <OnlyOnCard view={view} retry={retry} doing={doing} />}
    </div>
  );
}
