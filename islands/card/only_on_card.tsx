/** @jsxImportSource preact */

import type { StatusLevel } from "../../server/domain/answers/status_level.ts";
import type { CardRow } from "../../server/domain/card/card_rows.ts";
import type { CardView } from "../../server/domain/card/card_view.ts";
import { counted } from "../../server/domain/text/format.ts";
import { ChangeButton } from "../parts/may_change.tsx";
import { RecordingType } from "../parts/recording_type.tsx";
import { State } from "../parts/state.tsx";
import type { Doing } from "./use_card.ts";

const STATES: Readonly<Record<CardRow["state"], { readonly level: StatusLevel; readonly word: string }>> = {
  now: { level: "busy", word: "Coming now" },
  coming: { level: "busy", word: "Coming" },
  unreadable: { level: "failed", word: "Not readable" },
  unknown: { level: "attention", word: "Not known" },
};

interface OnlyOnCardProps {
  readonly view: Pick<CardView, "caption" | "rows" | "more">;
  readonly retry: (key: string, files: readonly string[]) => void;
  readonly doing: Doing | null;
}

/** The recordings that are nowhere else, in a table. */
export function OnlyOnCard({ view: { caption, rows, more }, retry, doing }: OnlyOnCardProps) {
  return (
    <section class="section" aria-labelledby="only-on-card">
      <div class="table-wrap">
        <table class="table">
          <caption id="only-on-card">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Recorded</th>
              <th scope="col">Kind</th>
              <th scope="col">Why</th>
              <th scope="col">
                <span class="sr">Do</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={`${row.state} ${row.key}`} row={row} retry={retry} isBusy={doing === `try ${row.key}`} />
            ))}
          </tbody>
        </table>
        {more > 0 && <p class="cell-foot">{counted(more, "more row")} of older recordings.</p>}
      </div>
    </section>
  );
}

interface RowProps {
  readonly row: CardRow;
  readonly retry: OnlyOnCardProps["retry"];
  readonly isBusy: boolean;
}

function Row({ row: { key, recorded, type, state, says, files }, retry, isBusy }: RowProps) {
  return (
    <tr>
      <th scope="row">{recorded}</th>
      <td data-l="Kind">
        <RecordingType letter={type} />
      </td>
      <td data-l="Why">
        <State {...STATES[state]} /> <span class="small soft">{says}</span>
      </td>
      <td class="n">
        {files.length > 0 && (
          <ChangeButton
            class="b b-quiet needs-script"
            type="button"
            aria-busy={isBusy || undefined}
            onClick={() => retry(key, files)}
          >
            Try now<span class="sr">: {recorded}</span>
          </ChangeButton>
        )}
      </td>
    </tr>
  );
}
