/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatBytes } from "../../../server/domain/text/format.ts";
import { mostBytes } from "../../../server/domain/viewer/side_layout.ts";
import { timeLeft } from "../../../server/domain/viewer/side_text.ts";
import { showToast } from "../../browser/toast.ts";
import { Icon } from "../../parts/icon.tsx";
import type { PartProps } from "../export/part_props.ts";
import { type Making, SideBySideMaking } from "./making.ts";
import { browserRefusal } from "./refusals.ts";

type MakingNow = Extract<Making, { readonly kind: "making" }>;

const IDLE: Making = { kind: "idle" };
const WHY = "side-by-side-why";

/** One video of all cameras, made in this browser: choices, progress, and how it went. */
export function SideBySidePart({ wanted, directions, films, saving, speedUnit, format, videoScript }: PartProps) {
  const refusal = useSignal<string | null>(null);
  const { choice, making } = saving.video;
  useEffect(() => {
    refusal.value = browserRefusal(globalThis);
  }, []);
  const start = () => {
    // It outlives the panel: a video takes minutes.
    making.value ??= new SideBySideMaking({
      script: videoScript,
      unit: speedUnit,
      format,
      ended: (how) => {
        if (!saving.isOpen.peek()) tellEnd(how, () => saving.toggle());
      },
    });
    void making.value.start({ wanted, ...choice.value });
  };
  const state = making.value?.state.value ?? IDLE;
  const isBusy = state.kind === "asking" || state.kind === "making";
  const told = films.isReading.value ? null : films.answer.value;
  const seconds = Math.max(0, ...(told?.cameras.map((film) => film.seconds) ?? []));
  const size = seconds === 0 ? "" : `At most about ${formatBytes(mostBytes(seconds))}. `;
  const parts = [
    ["hasSpeed", "Speed"],
    ["hasMap", "Map"],
    ["hasSound", "Sound"],
  ] as const;
  return (
    <>
      <p class="label">{directions.length > 1 ? "All cameras in one video" : "One video with time, speed and map"}</p>
      <div class="save-made" role="status">
        <HowItWent state={state} />
      </div>
      {state.kind === "making" && <Progress {...state} cancel={() => making.value?.cancel()} />}
      {!isBusy && (
        <>
          <div class="save-spans" role="group" aria-label="What the video has">
            {parts.map(([part, name]) => (
              <button
                key={part}
                class="chip"
                type="button"
                aria-pressed={choice.value[part]}
                disabled={refusal.value !== null}
                onClick={() => {
                  choice.value = { ...choice.value, [part]: !choice.value[part] };
                }}
              >
                {name}
              </button>
            ))}
          </div>
          <div class="save-links">
            <MakeButton isOff={refusal.value !== null} start={start} />
          </div>
        </>
      )}
      <p class="small soft" id={WHY}>
        {refusal.value ??
          (isBusy ? "Keep this page open." : `${size}Made by this browser, so it takes a while. It is no original.`)}
      </p>
    </>
  );
}

function MakeButton({ isOff, start }: { readonly isOff: boolean; readonly start: () => void }) {
  return (
    <button ref={useFreeFocus()} class="b" type="button" disabled={isOff} aria-describedby={WHY} onClick={start}>
      <Icon name="i-side" />
      Make the video
    </button>
  );
}

/** Takes the focus when what had it is gone: one button gives way to another. */
function useFreeFocus<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, []);
  return element;
}

function HowItWent({ state }: { readonly state: Making }) {
  if (state.kind === "failed")
    return (
      <p class="error">
        <Icon name="s-failed" />
        {state.sentence}
      </p>
    );
  if (state.kind === "made")
    return (
      <>
        {state.address === null ? (
          <p class="state is-fine">
            <Icon name="s-fine" />
            <span>
              Saved as {state.name}, {formatBytes(state.bytes)}
            </span>
          </p>
        ) : (
          <SaveLink address={state.address} name={state.name} bytes={state.bytes} />
        )}
        {state.notes.map((note) => (
          <p key={note} class="small">
            {note}
          </p>
        ))}
      </>
    );
  return null;
}

/** Not told by screen readers with each change: they read it where they come to it. */
function Progress({ progress, seconds, cancel }: MakingNow & { readonly cancel: () => void }) {
  const share = progress === null ? null : Math.floor((100 * progress.done) / progress.seconds);
  const told =
    progress === null ? ["Starting"] : [`${share} %`, formatBytes(progress.bytes), timeLeft(progress, seconds)];
  return (
    <div class="save-progress">
      <progress class="gauge" {...(share !== null && { max: 100, value: share })} aria-label="Making the video" />
      <span class="small">{told.filter((part) => part !== "").join(" · ")}</span>
      <CancelButton cancel={cancel} />
    </div>
  );
}

interface MadeVideo {
  readonly address: string;
  readonly name: string;
  readonly bytes: number;
}

function SaveLink({ address, name, bytes }: MadeVideo) {
  return (
    <a ref={useFreeFocus()} class="b b-primary" href={address} download={name}>
      <Icon name="i-download" />
      Save the video, {formatBytes(bytes)}
    </a>
  );
}

function CancelButton({ cancel }: { readonly cancel: () => void }) {
  return (
    <button ref={useFreeFocus()} class="b" type="button" onClick={cancel}>
      Cancel
    </button>
  );
}

/** Tells how it went while the panel is closed. */
function tellEnd(how: Making, open: () => void): void {
  if (how.kind === "failed") showToast(document, "failed", how.sentence);
  if (how.kind !== "made") return;
  if (how.address === null) showToast(document, "fine", `The video is saved as ${how.name}.`);
  else showToast(document, "fine", "The video is made.", { label: "Save it", run: open });
}
