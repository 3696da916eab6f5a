/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { RetentionPreview } from "../server/domain/api.ts";
import type { SchedulePreview } from "../server/domain/schedule_preview.ts";
import type { FormGroup, FormSection } from "../server/domain/settings_form.ts";
import { leaveForSignIn } from "./client.ts";
import type { SettingsDialogProps } from "./settings/dialogs.tsx";
import { type Entry, entriesOf, isFound } from "./settings/entry.ts";
import { useGuardedLeave } from "./settings/leaving.ts";
import { useSectionInView } from "./settings/place.ts";
import { Retention } from "./settings/retention.tsx";
import { save, savedInWords } from "./settings/save.ts";
import { SaveBar } from "./settings/save_bar.tsx";
import { ReadyMade, Schedule, zoneInWords } from "./settings/schedule.tsx";
import { Setting } from "./settings/setting.tsx";
import { SettingsNav } from "./settings/settings_nav.tsx";
import { adoptTyped, fillZones, focusControl } from "./settings/typing.ts";
import { showToast } from "./toast.ts";

export interface SettingsFormProps {
  readonly groups: readonly FormGroup[];
  readonly schedule: SchedulePreview;
  readonly retention: RetentionPreview;
  /** Epoch milliseconds at which the page was made. */
  readonly now: number;
}

/** All settings in one form that is saved as a whole; only what was changed is sent. */
export default function SettingsForm({ groups, schedule, retention, now }: SettingsFormProps) {
  const entries = useMemo(() => entriesOf(groups), []);
  const query = useSignal("");
  const isSaving = useSignal(false);
  const trouble = useSignal<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const dialog = useSignal<OpenDialog | null>(null);
  const current = useSectionInView(groups.flatMap(({ sections }) => sections.map(({ name }) => name)));
  const { isSignedOut, leave, signedIn } = useGuardedLeave(() => entries.some(({ isChanged }) => isChanged.value));
  useEffect(() => {
    if (form.current) adoptTyped(form.current);
  }, []);

  const at = (path: string): Entry => {
    const entry = entries.find((one) => one.path === path);
    if (!entry) throw new Error(`There is no setting ${path}`);
    return entry;
  };
  const mode = at("auth.mode");
  const change = (entry: Entry, text: string) => {
    entry.draft.value = text;
    entry.isConfirmed.value = false;
    trouble.value = null;
    // What the service said may be about several of them together.
    for (const one of entries) if (one.section.name === entry.section.name) one.refusal.value = null;
  };
  const show = async (kind: SettingsDialogProps["kind"]) => {
    try {
      dialog.value = { kind, of: (await import("./settings/dialogs.tsx")).SettingsDialog };
    } catch {
      showToast(document, "failed", "Dashdock does not answer. Try again when it runs.");
    }
  };
  const goToFirstWrong = () => {
    const wrong = entries.find(({ problem }) => problem.value !== null);
    if (!wrong) return false;
    if (!isFound(wrong, query.value)) query.value = "";
    focusControl(wrong.id);
    return true;
  };
  const saveAll = async () => {
    isSaving.value = true;
    trouble.value = null;
    const isLeftBehind = document.activeElement?.closest(".savebar") !== null;
    const outcome = await save(entries);
    isSaving.value = false;
    // That the session has ended stands there already.
    trouble.value = isSignedOut.value ? null : outcome.trouble;
    const [first] = outcome.saved;
    if (first) {
      signedIn();
      showToast(document, "fine", savedInWords(outcome.saved));
    }
    if (goToFirstWrong() || outcome.trouble !== null || !first) return;
    // Nobody is signed in yet in the new mode.
    if (outcome.saved.includes(mode) && mode.saved.value === "login") leave(() => leaveForSignIn());
    else if (isLeftBehind) focusControl(first.id);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isSaving.value || !entries.some(({ isChanged }) => isChanged.value) || goToFirstWrong()) return;
    const isOpening = mode.isChanged.value && mode.draft.value !== "login";
    if (isOpening) void show("mode");
    else void saveAll();
  };
  const discard = (event: MouseEvent) => {
    const first = entries.find(({ isChanged }) => isChanged.value);
    for (const entry of entries) if (entry.isChanged.value) change(entry, entry.saved.value);
    if (first && event.detail === 0) focusControl(first.id);
  };

  const settingOf = (entry: Entry) => {
    const shared = { key: entry.path, entry, query: query.value, change };
    switch (entry.path) {
      case "schedule.cron_expression": {
        const others = { zone: at("schedule.timezone"), paused: at("schedule.paused") };
        return (
          <Setting {...shared} says={<Schedule cron={entry} {...others} drawn={schedule} />}>
            <ReadyMade cron={entry} change={change} />
          </Setting>
        );
      }
      case "schedule.timezone":
        return (
          <Setting
            {...shared}
            says={
              <p class="says" id={`${entry.id}-says`}>
                {zoneInWords(entry.draft.value.trim(), now)}
              </p>
            }
          />
        );
      case "retention.keep":
        return <Setting {...shared} says={<Retention keep={entry} drawn={retention} />} />;
      case "auth.password_hash":
        return (
          <Setting
            {...shared}
            action={<Password isSet={entry.saved.value !== ""} open={() => void show("password")} />}
          />
        );
      case "auth.session_secret":
        return <Setting {...shared} action={<Sessions mode={mode.saved.value} open={() => void show("sessions")} />} />;
      default:
        return <Setting {...shared} />;
    }
  };
  const isNothingFound = !entries.some((entry) => isFound(entry, query.value));
  const Open = dialog.value?.of;
  return (
    <div class="settings">
      <SettingsNav groups={groups} entries={entries} query={query} current={current.value} />
      <div>
        <form
          ref={form}
          autocomplete="off"
          noValidate
          onSubmit={submit}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
          }}
          onFocusIn={(event) => fillZones(event.target)}
        >
          {groups.map(({ name, intro, sections }) => {
            const id = `group-${sections[0]?.name}`;
            const isHidden = !entries.some((entry) => entry.group === name && isFound(entry, query.value));
            return (
              <section class="group" key={name} aria-labelledby={id} hidden={isHidden}>
                <h2 id={id}>{name}</h2>
                <p>{intro}</p>
                {sections.map((section) => (
                  <Fields
                    key={section.name}
                    section={section}
                    entries={entries.filter((entry) => entry.section.name === section.name)}
                    query={query.value}
                    show={settingOf}
                  />
                ))}
              </section>
            );
          })}
          {isNothingFound && (
            <p class="soft">
              No setting has these words. Try one of them, or the name of the field as the settings file has it.
            </p>
          )}
          <SaveBar
            entries={entries}
            isSaving={isSaving.value}
            trouble={trouble.value}
            isSignedOut={isSignedOut.value}
            discard={discard}
          />
        </form>
        <datalist id="time-zones" />
        {Open && (
          <Open
            kind={dialog.value?.kind ?? "mode"}
            username={at("auth.username").saved.value}
            mode={mode.saved.value}
            nextMode={mode.draft.value}
            proxyHeader={at("auth.proxy_user_header").draft.value}
            hasChanges={entries.some(({ isChanged }) => isChanged.value)}
            save={() => void saveAll()}
            onEnded={() => leave(() => location.assign("/login"))}
            onClosed={() => {
              dialog.value = null;
            }}
          />
        )}
      </div>
    </div>
  );
}

interface OpenDialog {
  readonly kind: SettingsDialogProps["kind"];
  readonly of: ComponentType<SettingsDialogProps>;
}

interface FieldsProps {
  readonly section: FormSection;
  readonly entries: readonly Entry[];
  readonly query: string;
  readonly show: (entry: Entry) => preact.ComponentChildren;
}

/** The settings of one section, the rarely needed ones last. */
function Fields({ section, entries, query, show }: FieldsProps) {
  const rare = entries.filter(({ field }) => field.rare);
  return (
    <div data-section={section.name} id={section.name} hidden={!entries.some((entry) => isFound(entry, query))}>
      {entries.filter(({ field }) => !field.rare).map(show)}
      {rare.length > 0 && (
        <>
          <h3 class="rare" hidden={!rare.some((entry) => isFound(entry, query))}>
            Rarely needed
          </h3>
          {rare.map(show)}
        </>
      )}
    </div>
  );
}

function Password({ isSet, open }: { readonly isSet: boolean; readonly open: () => void }) {
  if (!isSet) return <p class="says">None is set. The next visitor who signs in chooses it.</p>;
  return (
    <button
      class="b"
      type="button"
      id="auth-password_hash"
      data-action="change-password"
      aria-haspopup="dialog"
      onClick={open}
    >
      Change password
    </button>
  );
}

function Sessions({ mode, open }: { readonly mode: string; readonly open: () => void }) {
  if (mode !== "login") return <p class="says">Nobody is signed in with a password now.</p>;
  return (
    <button
      class="b"
      type="button"
      id="auth-session_secret"
      data-action="rotate-sessions"
      aria-haspopup="dialog"
      onClick={open}
    >
      Sign out everywhere
    </button>
  );
}
