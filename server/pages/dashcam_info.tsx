/** @jsxImportSource preact */
import { Cell, type Polled } from "../../islands/parts/cell.tsx";
import { counted } from "../domain/text/format.ts";
import type { DashcamInfo } from "../engine/camera/dashcam_info.ts";

/** Settings it shows: the rest is on the settings page. */
const SHOWN = 8;

/** Shows the camera's answers about itself, and the first of its settings as it stores them. */
export function DashcamInfoCard({ info, poll }: { readonly info: DashcamInfo } & Polled) {
  return (
    <Cell id="dashcam-info-card" title="What the camera says" poll={poll}>
      {info.available ? (
        <>
          <p class="big">{info.firmware ?? "connected"}</p>
          <p class="soft">
            {info.setting_count === 0 ? "No readable settings" : counted(info.setting_count, "setting")}
          </p>
          <dl class="camset">
            {firstOf(info.config).map(([key, value]) => (
              <div key={key}>
                <dt class="mono">{key}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      ) : (
        <>
          <p class="big">--</p>
          <p class="soft">{info.reason}</p>
        </>
      )}
      <p class="cell-foot">
        <a href="/settings/camera">All its settings</a>
      </p>
    </Cell>
  );
}

function firstOf(config: Readonly<Record<string, Readonly<Record<string, string>>>>): [key: string, value: string][] {
  const all = Object.entries(config).flatMap(([section, settings]) =>
    Object.entries(settings).map(([key, value]): [string, string] => [`${section}.${key}`, value]),
  );
  return all.slice(0, SHOWN);
}
