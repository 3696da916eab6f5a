/** @jsxImportSource preact */
import { cameraDay } from "../../../server/domain/recordings/camera_clock.ts";
import type { CamerasWithoutClips } from "../../../server/domain/status/no_clips.ts";
import {
  type CameraView,
  camerasInOrder,
  camerasOf,
  dayOfKey,
  dayPath,
  keyOf,
} from "../../../server/domain/viewer/viewer_address.ts";
import { Icon } from "../../parts/icon.tsx";
import { Whose } from "../../parts/plate.tsx";
import { ComingBar } from "../coming/coming_bar.tsx";
import { FocusHandover, toPlayer } from "../focus_handover.tsx";
import { JourneyEndNote } from "../list/journey_end.tsx";
import type { Parts } from "../viewer_parts.ts";
import type { ViewerProps } from "../viewer_props.ts";
import { Camera } from "./camera.tsx";
import { Hud } from "./hud.tsx";

interface StageProps
  extends Parts<"list" | "browsing" | "playback" | "trip" | "marks" | "actions" | "thisYear" | "format" | "speedUnit"> {
  readonly nothing: string;
  readonly nothingOf: ViewerProps["nothingOf"];
}

/** The pictures in their layout, or why there is none. */
export function Stage({ nothing, nothingOf, ...parts }: StageProps) {
  const { browsing, actions } = parts;
  const { players, layout, goingOn, films } = parts.playback;
  const shown = browsing.shown.value;
  const problem = browsing.problem.value;
  const cameras = shown.kind === "recording" ? camerasOf(shown.recording) : [];
  const large = layout.largeOf(cameras);
  const next = goingOn.ready.value?.recording ?? null;
  const nextOnes = next ? camerasOf(next) : [];
  const coming = nextOnes.filter(({ direction }) => !cameras.some((one) => one.direction === direction));
  const inOrder = camerasInOrder([...cameras, ...coming].map(({ direction }) => direction));
  // Sorted in the order they will have: a video that is moved in the page stops.
  const all = [...cameras, ...coming].sort((a, b) => inOrder.indexOf(a.direction) - inOrder.indexOf(b.direction));
  const smallOnes = cameras.map((_, index) => index).filter((index) => index !== large);
  // One of them says when they come, best the large one.
  const away = cameras.filter(({ address }) => address === null);
  const teller = away.find((one) => cameras.indexOf(one) === large) ?? away[0];
  const waitOf = (camera: CameraView) =>
    shown.kind !== "recording" || teller === undefined ? null : camera === teller ? (
      <ComingBar recording={shown.recording} isShort={cameras.indexOf(camera) !== large} coming={parts.marks.coming} />
    ) : (
      shown.recording.coming?.state !== "unwanted" && <p class="cam-wait">Comes with {teller.name}</p>
    );
  const nextSourceOf = (direction: string) => {
    const one = nextOnes.find((camera) => camera.direction === direction);
    return next && one ? films.nextSourceOf(keyOf(next), one) : null;
  };
  return (
    <div class={`stage lay-${layout.kind.value} cams-${Math.min(4, cameras.length)}`}>
      {shown.kind === "recording" ? (
        all.map((camera) => {
          const isComing = coming.includes(camera);
          const index = cameras.indexOf(camera);
          return (
            <Camera
              key={camera.direction}
              camera={camera}
              index={index}
              isComing={isComing}
              isAlone={cameras.length === 1}
              source={isComing ? null : films.sourceOf(keyOf(shown.recording), camera)}
              next={nextSourceOf(camera.direction)}
              drop={() => films.drop()}
              small={smallOnes.indexOf(index) + 1}
              start={shown.start}
              nextStart={goingOn.ready.value?.start ?? 0}
              players={players}
              layout={layout}
              actions={actions}
              fullScreen={parts.playback.fullScreen}
              waits={camera.address === null && !isComing && waitOf(camera)}
              hud={large === index ? <Hud {...parts} /> : null}
            />
          );
        })
      ) : (
        <Absent {...parts} nothing={nothing} nothingOf={nothingOf} />
      )}
      <div class="stage-says" role="status">
        {problem ? (
          <FocusHandover class="stage-note" to={toPlayer}>
            <Icon name="s-failed" class="i is-failed" />
            <p>The clip cannot be opened. {problem.words}</p>
            <button class="b" type="button" onClick={problem.again}>
              Try again
            </button>
          </FocusHandover>
        ) : (
          <JourneyEndNote {...parts} />
        )}
      </div>
    </div>
  );
}

/** Place of the small cameras beside the map in the strip layout; `Stage` lays them over it. */
export function SideCameras({ browsing, playback: { layout } }: Parts<"browsing" | "playback">) {
  const shown = browsing.shown.value;
  const count = shown.kind === "recording" ? camerasOf(shown.recording).length : 0;
  if (layout.kind.value !== "strip" || count < 2) return null;
  return <div class={`side-cams side-cams-${Math.min(3, count - 1)}`} />;
}

/** Stands in place of a picture: it says what happened, and leads on from here. */
function Absent({
  browsing,
  list: { recordings },
  thisYear,
  format,
  nothing,
  nothingOf,
}: Parts<"list" | "browsing" | "thisYear" | "format"> & Pick<StageProps, "nothing" | "nothingOf">) {
  const shown = browsing.shown.value;
  const days = recordings.days.value;
  const only = recordings.only.value;
  const date = shown.kind === "gone" ? dayOfKey(shown.key) : null;
  const day = days.find((one) => one.date === date);
  if (shown.kind === "nothing")
    return (
      <div class="empty absent">
        <p>
          {only === "kept"
            ? "Clips you mark with the bookmark above the picture, or with the key B, are never deleted and stand here."
            : only === "due"
              ? "The next run would delete nothing."
              : nothing || "All clips that were here are gone. What was deleted by hand may still be in the trash."}
        </p>
        {only === null && nothingOf && <Reasons of={nothingOf} />}
        <p class="row">
          {only === null && nothing !== "" && (
            <a class="b b-primary" href="/">
              Go to the dashboard
            </a>
          )}
          {only === null && nothing === "" && (
            <a class="b" href="/trash">
              Look in the trash
            </a>
          )}
          {only !== null && (
            <a class="b b-primary" href="/viewer">
              Show all clips
            </a>
          )}
        </p>
      </div>
    );
  return (
    <div class="empty absent">
      <p>
        {shown.kind === "gone"
          ? "It was deleted by hand or when its time was over, moved out of the folder, or never came home."
          : "Choose a day from the list: every day that is there has clips."}
      </p>
      <p class="row">
        {day && (
          <a class="b" href={dayPath(day.date, recordings.filter.value)}>
            Clips of {cameraDay(day.date, thisYear, format)}
          </a>
        )}
        <a class="b" href="/viewer">
          Newest trip
        </a>
      </p>
    </div>
  );
}

/** Tells of each camera why it has no clips. */
function Reasons({ of }: { readonly of: readonly CamerasWithoutClips[] }) {
  return (
    <dl class="absent-of">
      {of.map(({ cameras, sentence }) => (
        <div key={sentence}>
          <dt>
            {cameras.map((camera) => (
              <Whose key={camera.id} camera={camera} />
            ))}
          </dt>
          <dd>{sentence}</dd>
        </div>
      ))}
    </dl>
  );
}
