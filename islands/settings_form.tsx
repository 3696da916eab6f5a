/** @jsxImportSource preact */
import { signal, useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { FormGroup, FormSection } from "../server/domain/settings/form_fields.ts";
import type { SchedulePreview } from "../server/domain/settings/schedule_preview.ts";
import { Password } from "./settings/actions.tsx";
import { BrowserZone } from "./settings/browser_zone.tsx";
import { Control } from "./settings/control.tsx";
import type { SettingsDialogProps } from "./settings/dialogs.tsx";
import { type DraftCheck, type Entry, entriesOf, isFound } from "./settings/entry.ts";
import { Fold } from "./settings/fold.tsx";
import { describe } from "./settings/input.ts";
import type { At, KeepDrawn, Shared } from "./settings/keep/shared.ts";
import { Later, type LaterProps } from "./settings/later_place.tsx";
import { useSectionInView } from "./settings/section_in_view.ts";
import { Setting } from "./settings/setting.tsx";
import { SettingsNav } from "./settings/settings_nav.tsx";
import { adoptTyped, focusControl } from "./settings/typing.ts";
import { useUnsavedChanges } from "./settings/unsaved_changes.ts";
import { useSaving } from "./settings/use_saving.ts";
import { startWaking, type Waking } from "./settings/wake.tsx";

export interface SettingsFormProps {
  readonly groups: readonly FormGroup[];
  readonly schedule: SchedulePreview;
  readonly drawn: KeepDrawn;
  /** Draws on the server what the browser loads later: a function, so it does not travel. */
  readonly later?: ComponentType<LaterProps>;
  /** The end of the page as HTML that only the server makes; a function, too. */
  readonly about?: () => string;
}

/** All settings in one form that is saved as a whole; only what was changed is sent. */
export default function SettingsForm({ groups, schedule, drawn, later, about }: SettingsFormProps) {
  const check = useSignal<DraftCheck | null>(null);
  const entries = useMemo(() => entriesOf(groups, check), []);
  const waking = useRef<Waking | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const query = useSignal("");
  const at: At = (section, field) => {
    const entry = entries.find((one) => one.section.name === section && one.field.name === field);
    if (!entry) throw new Error(`There is no setting ${section}.${field}`);
    return entry;
  };
  const form = useRef<HTMLFormElement>(null);
  const dialog = useSignal<OpenDialog | null>(null);
  const change = (entry: Entry, text: string) => {
    entry.draft.value = text;
    entry.isConfirmed.value = false;
    shared.trouble.value = null;
    // A refusal may be about several settings of a section together.
    for (const one of entries) if (one.section.name === entry.section.name) one.refusal.value = null;
  };
  const current = useSectionInView([...groups.flatMap(({ sections }) => sections.map(({ name }) => name)), "about"]);
  const hasChanges = entries.some(({ isChanged }) => isChanged.value);
  const leaving = useUnsavedChanges(hasChanges);
  const { isSignedOut } = leaving;
  const discard = (event: MouseEvent) => {
    const first = entries.find(({ isChanged }) => isChanged.value);
    for (const entry of entries) if (entry.isChanged.value) change(entry, entry.saved.value);
    if (first && event.detail === 0) focusControl(first.id);
  };
  const shared: Shared = useMemo(
    () => ({
      entries,
      at,
      query,
      change,
      discard,
      format: drawn.format,
      runs: signal(schedule),
      deletes: signal(""),
      isSaving: signal(false),
      trouble: signal<string | null>(null),
      isSignedOut,
      check,
      keep: { current: null },
      show: (kind) => void show(kind),
      wake: async (part) => waking.current?.wake(part),
    }),
    [],
  );
  const askMode = () => void show("mode");
  const saving = useSaving({ shared, drawn, leaving, askMode, waking, hasChanges });
  useEffect(() => {
    if (form.current) adoptTyped(form.current);
    if (place.current) waking.current = startWaking(place.current, { shared, drawn });
    return () => waking.current?.stop();
  }, []);
  useEffect(() => wakeInTime(schedule, shared), []);
  useEffect(() => {
    // An import that runs shows how far it is, also where no hand comes near.
    if (drawn.imported.state === "running") shared.wake("card").catch(() => {});
  }, []);
  const mode = at("auth", "mode");
  const show = async (kind: SettingsDialogProps["kind"]) => {
    try {
      dialog.value = { kind, of: (await import("./settings/dialogs.tsx")).SettingsDialog };
    } catch {
      // The bar above the page says that there is no connection; the next press tries again.
    }
  };
  const part = { of: later, shared, drawn } as const;

  const settingOf = (entry: Entry) => {
    const own = { key: entry.path, entry, query: query.value, change };
    const { widget } = entry.field;
    switch ("reading" in widget ? widget.reading : widget.kind) {
      case "address":
        return (
          <Setting
            {...own}
            control={
              <div class="checked">
                <Control entry={entry} describedBy={describe(entry, true)} change={change} />
                <Later part="address" path={entry.path} {...part} />
              </div>
            }
          />
        );
      case "path":
        if (entry.section.name !== "system") return <Setting {...own} />;
        return (
          <Setting
            {...own}
            control={
              <div class="checked">
                <Control entry={entry} describedBy={describe(entry)} change={change} />
                <Later part="folder" path={entry.path} {...part} />
              </div>
            }
          >
            {entry.path === "system.import_folder" && <Later part="card" {...part} />}
          </Setting>
        );
      case "cron":
        return <Setting {...own} labelled={`${entry.id}-choice`} control={<Later part="schedule" {...part} />} />;
      case "time_zone":
        return (
          <Setting
            {...own}
            says={<Later part="zone" {...part} />}
            extra={<BrowserZone entry={entry} change={change} />}
          />
        );
      case "code":
        return <Setting {...own} control={<Later part="codes" path={entry.path} {...part} />} />;
      case "password":
        return (
          <Setting {...own} action={<Password isSet={entry.saved.value !== ""} open={() => void show("password")} />} />
        );
      case "sessions":
        return <Setting {...own} action={<Later part="browsers" {...part} />} />;
      default:
        return <Setting {...own} />;
    }
  };
  const sectionOf = (section: FormSection) => {
    const mine = entries.filter((entry) => entry.section.name === section.name);
    const hidden = !mine.some((entry) => isFound(entry, query.value));
    const where = { "data-section": section.name, id: section.name, hidden };
    if (section.name === "retention") return <Later key={section.name} part="retention" place={where} {...part} />;
    const rare = mine.filter(({ field }) => field.rare);
    return (
      <div key={section.name} {...where}>
        {section.name === "sync" && <Later part="kinds" {...part} />}
        {mine.filter(({ field }) => !field.rare).map(settingOf)}
        {rare.length > 0 && (
          <div class="rare" hidden={!rare.some((entry) => isFound(entry, query.value))}>
            <Fold
              entries={rare}
              query={query.value}
              summary={
                <>
                  <h3>Rarely needed</h3>
                  <span>{rare.map(({ field }) => field.label).join(", ")}</span>
                </>
              }
            >
              {rare.map(settingOf)}
            </Fold>
          </div>
        )}
      </div>
    );
  };
  const isNothingFound = !entries.some((entry) => isFound(entry, query.value));
  const Open = dialog.value?.of;
  return (
    <div class="settings" ref={place}>
      <SettingsNav groups={groups} entries={entries} query={query} current={current.value} />
      <div>
        <form
          ref={form}
          autocomplete="off"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            saving.submit();
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            // Browsers send a form only once it has a button for that, which comes with the bar.
            const isEarly = event.target instanceof HTMLInputElement && !form.current?.querySelector("[type=submit]");
            if (event.ctrlKey || event.metaKey || isEarly) form.current?.requestSubmit();
          }}
        >
          {groups.map(({ name, intro, sections, folded }) => {
            const id = `group-${sections[0]?.name}`;
            const mine = entries.filter((entry) => entry.group === name);
            const head = <h2 id={id}>{name}</h2>;
            const body = sections.map(sectionOf);
            return (
              <section
                class="group"
                key={name}
                aria-labelledby={id}
                hidden={!mine.some((entry) => isFound(entry, query.value))}
              >
                {folded ? (
                  <Fold
                    entries={mine}
                    query={query.value}
                    summary={
                      <>
                        {head}
                        <span>{intro}</span>
                      </>
                    }
                  >
                    {body}
                  </Fold>
                ) : (
                  <>
                    {head}
                    <p>{intro}</p>
                    {body}
                  </>
                )}
              </section>
            );
          })}
          {isNothingFound && <p class="soft">No setting matches.</p>}
          <section
            class="group"
            id="about"
            aria-labelledby="about-title"
            hidden={query.value.trim() !== ""}
            dangerouslySetInnerHTML={{ __html: about?.() ?? "" }}
          />
          <Later part="savebar" {...part} />
        </form>
        <Later part="dialogs" {...part} />
        <datalist id="time-zones" />
        {Open && (
          <Open
            kind={dialog.value?.kind ?? "mode"}
            username={at("auth", "username").saved.value}
            mode={mode.saved.value}
            nextMode={mode.draft.value}
            proxyHeader={at("auth", "proxy_user_header").draft.value}
            hasChanges={hasChanges}
            save={saving.saveAll}
            onEnded={() => leaving.leave(() => location.assign("/login"))}
            onClosed={() => {
              dialog.value = null;
            }}
          />
        )}
      </div>
    </div>
  );
}

/** The next runs that the page tells hold until the first of them has come. @returns the way to stop waiting */
function wakeInTime(schedule: SchedulePreview, { wake }: Shared): () => void {
  const [first] = schedule.valid ? schedule.next : [];
  if (!schedule.valid || first === undefined) return () => {};
  // Pages do not wait for a time further away than that.
  const timer = setTimeout(() => wake("schedule").catch(() => {}), Math.min(first - schedule.now, MOST_MS));
  return () => clearTimeout(timer);
}
/** Timers of browsers end before a month. */
const MOST_MS = 86_400_000;

interface OpenDialog {
  readonly kind: SettingsDialogProps["kind"];
  readonly of: ComponentType<SettingsDialogProps>;
}
