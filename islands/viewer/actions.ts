import { landingOf } from "../../server/domain/viewer/event_moment.ts";
import type { ListFilter } from "../../server/domain/viewer/list_filter.ts";
import { camerasOf, keyOf } from "../../server/domain/viewer/viewer_address.ts";
import { reached } from "../browser/address.ts";
import { sentenceOfError } from "../browser/client.ts";
import { copyText } from "../browser/copy_text.ts";
import { pageMayChange } from "../browser/page_role.ts";
import { showToast } from "../browser/toast.ts";
import { pictureName, savePicture } from "./player/picture.ts";
import type { TakenPicture } from "./stills/kept_stills.ts";
import type { Stores } from "./stores.ts";

/** Actions of the viewer, the same for each button and key. */
export interface Actions {
  readonly show: (key: string, play: boolean, start?: number) => Promise<void>;
  /** To the recording before (-1) or after (1). */
  readonly move: (by: 1 | -1) => Promise<void>;
  /** To the next moment of the trip (1) or the one before (-1); past the last one to an event, of whatever day. */
  readonly step: (by: 1 | -1) => Promise<void>;
  /** Makes the list hold only these, or all. */
  readonly showOnly: (filter: ListFilter) => Promise<void>;
  readonly copyLink: () => Promise<void>;
  /** The map moves with the car again. */
  readonly followCar: () => void;
  /** Seeks so many seconds on, or back, on the trip's clock: over the ends of clips. */
  readonly seekBy: (seconds: number) => void;
  /** Saves what is seen large as a picture for each camera. */
  readonly savePictures: () => Promise<void>;
  /** Makes the camera with this number large. */
  readonly focus: (index: number) => void;
  /** Keeps what is on show, or lets it go. */
  readonly toggleKept: () => void;
  readonly writeNote: () => void;
  /** Deletes what is chosen in the list, else what is on show. */
  readonly remove: () => void;
}

/** Ties what is chosen to what plays. */
export function actionsOf({ list, browsing, playback, trip, map, moments, marks }: Stores): Actions {
  const { choosing, pendingDeletions } = list;
  const { players, layout } = playback;
  const { keeping, deleting, stills } = marks;
  const mayChange = () => pageMayChange(document);
  const show: Actions["show"] = async (key, play, start = 0) => {
    if (key === browsing.key) {
      browsing.journeyEnd.value = null;
      players.seek(start);
      if (play) players.play();
    } else if (await browsing.show(key, { start })) {
      if (play) players.play();
      else players.pause();
    }
  };
  return {
    show,
    async move(by) {
      try {
        const next = await browsing.find(by);
        if (next) await show(keyOf(next), players.isPlaying.value);
        else showToast(document, "waiting", `There is nothing ${by > 0 ? "newer" : "older"} to go to.`);
      } catch (error) {
        showToast(document, "failed", sentenceOfError(error));
      }
    },
    async step(by) {
      const time = moments.beside(by);
      if (time === null) await list.finding.event(by);
      else await trip.seek(time);
    },
    async showOnly(filter) {
      try {
        await browsing.showOnly(filter);
        await pendingDeletions.refresh();
      } catch (error) {
        showToast(document, "failed", sentenceOfError(error));
      }
    },
    async copyLink() {
      const { value } = browsing.shown;
      if (value.kind !== "recording") return;
      // The link to an event leads to shortly before what happened, unless it has a time.
      const earliest = landingOf(value.recording) > 0 ? 0.1 : 0;
      const link =
        location.origin + reached(browsing.pathOf(keyOf(value.recording), Math.max(earliest, players.time.value)));
      if (await copyText(document, link)) showToast(document, "fine", "Link to this moment copied.");
      else showToast(document, "attention", `This browser does not let pages copy. The link is ${link}`);
    },
    followCar: () => map.follow(),
    seekBy(seconds) {
      const { value: time } = trip.time;
      const { value: clock } = trip.clock;
      const to = clock === null || time === null ? null : clock.at(Math.max(0, time + seconds));
      const isGapBefore = seconds < 0 && to !== null && to.key === browsing.key && to.seconds === 0;
      if (time === null || to === null || to.key === browsing.key || isGapBefore)
        players.seek(players.time.value + seconds);
      else void trip.seek(time + seconds);
    },
    async savePictures() {
      const { value } = browsing.shown;
      if (value.kind !== "recording") return;
      const cameras = camerasOf(value.recording);
      const isOne = layout.kind.value === "strip" || layout.kind.value === "pip";
      const seen = isOne ? cameras.slice(layout.largeOf(cameras)).slice(0, 1) : cameras;
      const key = keyOf(value.recording);
      const seconds = players.time.value;
      const saved: string[] = [];
      const taken: TakenPicture[] = [];
      for (const { direction } of seen) {
        const video = document.querySelector<HTMLVideoElement>(`[data-camera="${direction}"] video.is-shown`);
        const name = pictureName(key, seconds, direction);
        const picture = video && (await savePicture(video, name));
        if (!picture) continue;
        saved.push(name);
        taken.push({ direction, seconds, picture });
      }
      const { recording } = value;
      if (saved.length > 0)
        showToast(
          document,
          "fine",
          `Saved as ${saved.join(", ")}.`,
          mayChange() ? { label: "Keep with the recording", run: () => void stills.keep(recording, taken) } : undefined,
        );
      else showToast(document, "attention", "There is no picture to save yet.");
    },
    focus(index) {
      const { value } = browsing.shown;
      const camera = value.kind === "recording" ? camerasOf(value.recording)[index] : undefined;
      if (camera) layout.makeLarge(camera.direction, camera.address === null);
    },
    toggleKept() {
      if (mayChange()) void keeping.toggle();
    },
    writeNote() {
      if (mayChange()) keeping.write();
    },
    remove() {
      if (!mayChange()) return;
      const { value } = browsing.shown;
      const chosen = choosing.isOn.value ? choosing.chosen : [];
      if (chosen.length > 0) void deleting.remove(chosen);
      else if (value.kind === "recording") void deleting.remove([value.recording]);
    },
  };
}
