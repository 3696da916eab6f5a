/** @jsxImportSource preact */
import { signal, useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { ALL_CAMERAS } from "../server/domain/settings/camera_key.ts";
import type { FormGroup, FormSection } from "../server/domain/settings/form_fields.ts";
import type { SchedulePreview } from "../server/domain/settings/schedule_preview.ts";
import { reached } from "./browser/address.ts";
import { CameraLinks } from "./parts/camera_switch.tsx";
import { Password } from "./settings/actions.tsx";
import { BrowserZone } from "./settings/browser_zone.tsx";
import { CameraHead } from "./settings/cameras/camera_head.tsx";
import { type CameraPage, platedAt } from "./settings/cameras/listed_camera.ts";
import { Control } from "./settings/control.tsx";
import type { SettingsDialogProps } from "./settings/dialogs.tsx";
import { type DraftCheck, type Entry, entriesOf, hasWords, isFound } from "./settings/entry.ts";
import { Fold } from "./settings/fold.tsx";
import { RareSettings } from "./settings/rare_settings.tsx";
import { describe } from "./settings/input.ts";
import type { At, KeepDrawn, Shared } from "./settings/keep/shared.ts";
import type { LaterPart } from "./settings/later_part.ts";
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
  /** Where there are several cameras: the one that the page is about. */
  readonly camera?: CameraPage;
  /** Draws on the server what the browser loads later: a function, so it does not travel. */
  readonly later?: ComponentType<LaterProps>;
  /** The end of the page as HTML that only the server makes; a function, too. */
  readonly about?: () => string;
}

/** All settings in one form that is saved as a whole; only what was changed is sent. */
export default function SettingsForm({ groups: all, schedule, drawn, camera, later, about }: SettingsFormProps) {
  const check = useSignal<DraftCheck | null>(null);
  const entries = useMemo(() => entriesOf(all, check), []);
  const groups = useMemo(() => groupsOn(camera, all), []);
  const shown = entries.filter(({ section }) => camera?.sections.includes(section.name) ?? true);
  const waking = useRef<Waking | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const query = useSignal("");
  const at: At = (section, field) => {
    const entry = entries.find((one) => one.section.name === section && one.field.name === field);
    if (!entry) throw new Error(`No setting ${section}.${field}`);
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
  const names = groups.flatMap(({ sections }) => sections.map(({ name }) => name));
  const hasList = camera?.id === ALL_CAMERAS;
  const current = useSectionInView(
    [...(hasList ? ["cameras"] : []), ...names, "about"],
    camera && {
      sections: all.flatMap(({ sections }) => sections.map(({ name }) => name)).filter((name) => !names.includes(name)),
      address: camera.elsewhere,
    },
  );
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
      cameras: signal(drawn.cameras),
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
      case "viewer_name":
        return null;
      case "viewer":
      case "sessions":
        return <Setting {...own} action={<Later part={widget.kind as LaterPart} {...part} />} />;
      default: {
        const { page } = entry.field;
        return (
          <Setting {...own}>
            {page && (
              <p class="says">
                <a href={page.path}>{page.words}</a>
              </p>
            )}
          </Setting>
        );
      }
    }
  };
  // The keys of programs are no setting.
  const hasAny = (some: readonly Entry[], first?: string) =>
    (first === "auth" && hasWords("keys for programs", query.value)) ||
    some.some((entry) => isFound(entry, query.value));
  const sectionOf = (section: FormSection) => {
    const { name } = section;
    const mine = entries.filter((entry) => entry.section.name === name);
    const hidden = !hasAny(mine, name);
    const where = { "data-section": name, id: name, hidden };
    if (name === "retention" || name === "notify" || name === "mqtt" || name === "offsite")
      return <Later key={name} part={name} place={where} {...part} />;
    const rare = mine.filter(({ field }) => field.rare);
    return (
      <div key={name} {...where}>
        {name === "sync" && <Later part="kinds" {...part} />}
        {mine.filter(({ field }) => !field.rare).map(settingOf)}
        {name === "auth" && <Later part="keys" {...part} />}
        {rare.length > 0 && (
          <RareSettings entries={rare} query={query.value}>
            {rare.map(settingOf)}
          </RareSettings>
        )}
      </div>
    );
  };
  const isNothingFound = !hasAny(shown, "auth");
  const Open = dialog.value?.of;
  const owner = shared.cameras.value.find(({ id }) => id === camera?.id);
  const links = {
    cameras: shared.cameras.value.map((one, at) => ({
      id: one.id,
      ...platedAt(one, at),
      isRefused: one.refused === true,
    })),
    path: "/settings",
    current: camera?.id ?? "",
    hasAll: true,
  };
  return (
    <>
      <CameraLinks {...links} />
      <div class="settings" ref={place}>
        <SettingsNav
          groups={groups}
          entries={shown}
          query={query}
          current={current.value}
          hasList={hasList}
          hasAbout={camera === undefined || hasList}
        />
        <div>
          {hasList && (
            <Later
              part="cameras"
              place={{
                class: "group cameras",
                id: "cameras",
                role: "region",
                "aria-labelledby": "cameras-title",
                hidden: !hasWords(CAMERAS_WORDS, query.value),
              }}
              {...part}
            />
          )}
          {owner && <CameraHead camera={owner} place={shared.cameras.value.indexOf(owner)} />}
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
              const mine = shown.filter((entry) => entry.group === name);
              const head = <h2 id={id}>{name}</h2>;
              const hasAddress = sections.some((section) => section.name === "connection");
              const body = (
                <>
                  {sections.map(sectionOf)}
                  {camera === undefined && hasAddress && <Later part="cameras" place={{ class: "rare" }} {...part} />}
                  {owner && hasAddress && <Later part="other" path={owner.id} {...part} />}
                </>
              );
              return (
                <section class="group" key={name} aria-labelledby={id} hidden={!hasAny(mine, sections[0]?.name)}>
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
            {isNothingFound && (
              <p class="soft cam-shared">
                No setting {camera && "on this page "}matches.{" "}
                {camera && (
                  <a href={camera.elsewhere}>
                    {hasList ? `Settings of ${drawn.cameras[0]?.name ?? ""}` : "Settings of all cameras"}
                  </a>
                )}
              </p>
            )}
            {camera && !hasList && (
              <p class="group soft cam-shared" hidden={query.value.trim() !== ""}>
                All cameras share all other settings. <a href={camera.elsewhere}>Settings of all cameras</a>
              </p>
            )}
            <section
              class="group"
              id="about"
              aria-labelledby="about-title"
              hidden={query.value.trim() !== "" || (camera !== undefined && !hasList)}
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
              onEnded={() => leaving.leave(() => location.assign(reached("/login")))}
              onClosed={() => {
                dialog.value = null;
              }}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** The words by which the search finds the list of cameras. */
const CAMERAS_WORDS = "cameras add a camera second car rename name letter plate take away address folder check";

/** The groups that are on the page: those of one camera, those that all share, or all of them. */
function groupsOn(camera: CameraPage | undefined, all: readonly FormGroup[]): readonly FormGroup[] {
  if (camera === undefined) return all;
  return all.flatMap((group) => {
    const sections = group.sections.filter(({ name }) => camera.sections.includes(name));
    return sections.length === 0 ? [] : [{ ...group, sections }];
  });
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
