/** @jsxImportSource preact */
import type { PartProps } from "../later_place.tsx";
import { RareSettings } from "../rare_settings.tsx";
import { Setting } from "../setting.tsx";
import { Connection } from "./connection.tsx";

/** The broker that the cameras are published to, and the state of the connection. */
export function MqttSection({ shared, drawn }: PartProps) {
  const { entries, change, query } = shared;
  const { value: words } = query;
  const mine = entries.filter(({ section }) => section.name === "mqtt");
  const [rare, usual] = [mine.filter(({ field }) => field.rare), mine.filter(({ field }) => !field.rare)];
  const settingOf = (entry: (typeof mine)[number]) => (
    <Setting key={entry.path} entry={entry} query={words} change={change} />
  );
  return (
    <>
      <Connection shared={shared} drawn={drawn} />
      {usual.map(settingOf)}
      <RareSettings entries={rare} query={words}>
        {rare.map(settingOf)}
      </RareSettings>
    </>
  );
}
