/** @jsxImportSource preact */
import type { LostDay } from "../../server/domain/coverage/coverage_view.ts";
import { counted } from "../../server/domain/text/format.ts";
import { isPlainClick } from "../browser/plain_click.ts";
import { State } from "../parts/state.tsx";

interface LostDaysProps {
  readonly days: readonly LostDay[];
  /** Further ones, which the file has. */
  readonly more: number;
  readonly file: string | null;
  readonly path: string;
  readonly choose: (date: string) => void;
}

/** The days on which something was lost, newest first; each opens its day. */
export function LostDays({ days, more, file, path, choose }: LostDaysProps) {
  return (
    <section class="section" aria-labelledby="lost-days">
      <div class="table-wrap">
        <div class="cv-caption">
          <h2 id="lost-days">Days with something lost</h2>
          {file !== null && <CsvLink file={file} />}
        </div>
        <table class="table" aria-labelledby="lost-days">
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">State</th>
              <th scope="col">Why</th>
              {["On the card", "Came home", "Lost"].map((name) => (
                <th key={name} scope="col" class="n">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, name, why, recorded, home, lost }) => (
              <tr key={date}>
                <th scope="row" class="nowrap">
                  <a
                    href={`${path}date=${date}#day`}
                    onClick={(event) => {
                      if (!isPlainClick(event)) return;
                      event.preventDefault();
                      choose(date);
                    }}
                  >
                    {name}
                  </a>
                </th>
                <td>
                  <State level="failed" word="Lost" />
                </td>
                <td>{why}</td>
                <td class="n" data-l="On the card">
                  {recorded}
                </td>
                <td class="n" data-l="Came home">
                  {home}
                </td>
                <td class="n" data-l="Lost">
                  {lost}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p class="small quiet">The file has {counted(more, "earlier day")} more.</p>}
    </section>
  );
}

/** Downloads the days as a table. */
export function CsvLink({ file }: { readonly file: string }) {
  return (
    <a class="small push" href={file} download>
      Download as CSV
    </a>
  );
}
