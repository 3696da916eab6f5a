/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { copyText } from "../../browser/copy_text.ts";
import { showToast } from "../../browser/toast.ts";
import { Icon } from "../../parts/icon.tsx";
import { isFound } from "../entry.ts";
import type { PartProps } from "../later_place.tsx";
import { RareSettings } from "../rare_settings.tsx";
import { Setting } from "../setting.tsx";
import { Copies } from "./copies.tsx";
import { TryBucket } from "./try_bucket.tsx";
import { WhatGoes } from "./what_goes.tsx";

const COMMAND = "dashdock fetch-offsite /recordings";
const SENDING: readonly string[] = ["what", "from", "to", "events_at_once", "rate_limit"];
const BUCKET: readonly string[] = ["endpoint", "bucket", "region", "access_key", "secret_key"];
const ENCRYPTION: readonly string[] = ["passphrase", "passphrase_noted"];

/** The copies in a bucket: how it stands, what is sent and when, the bucket, the passphrase, and the way back. */
export function OffsiteSection({ shared, drawn }: PartProps) {
  const { entries, change, query, at } = shared;
  const { value: words } = query;
  const mine = entries.filter(({ section }) => section.name === "offsite");
  const named = (names: readonly string[]) => mine.filter(({ field }) => names.includes(field.name));
  const rare = mine.filter(({ field }) => field.rare);
  const settingOf = (entry: (typeof mine)[number]) =>
    entry.field.name === "what" ? (
      <WhatGoes key={entry.path} shared={shared} drawn={drawn} />
    ) : (
      <Setting key={entry.path} entry={entry} query={words} change={change} />
    );
  const part = (title: string, some: readonly (typeof mine)[number][], more?: ComponentChildren) => (
    <div class="sub" hidden={!some.some((entry) => isFound(entry, words))}>
      <h3>{title}</h3>
      {some.map(settingOf)}
      {more}
    </div>
  );
  const copy = async () => {
    const isCopied = await copyText(document, COMMAND);
    showToast(document, isCopied ? "fine" : "failed", isCopied ? "The command is copied." : "Copying is not allowed.");
  };
  const passphrase = at("offsite", "passphrase");
  return (
    <>
      <Copies shared={shared} drawn={drawn} />
      {part("The bucket", named(BUCKET), <TryBucket shared={shared} drawn={drawn} />)}
      {part("What is sent, and when", named(SENDING))}
      {part("Encryption", named(ENCRYPTION))}
      <div class="sub" hidden={!isFound(passphrase, words)}>
        <h3>To bring it back</h3>
        <p class="soft">
          On any empty machine, with the address, the keys and the passphrase. It can be stopped and goes on.
        </p>
        <p class="codeline">
          <code>{COMMAND}</code>
          <button class="b b-icon" type="button" title="Copy the command" aria-label="Copy the command" onClick={copy}>
            <Icon name="i-copy" />
          </button>
        </p>
      </div>
      <RareSettings entries={rare} query={words}>
        {rare.map(settingOf)}
      </RareSettings>
    </>
  );
}
