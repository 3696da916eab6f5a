import { describe, expect, test } from "bun:test";
import { searchGuide } from "../server/domain/guide/search.ts";
import { CHAPTERS } from "./support/app/guide.ts";

/** Hits that a reader looks at. */
const READ_HITS = 3;

/** Words of people who do not know the words of the guide, and the place that answers. */
const QUESTIONS: readonly (readonly [question: string, place: string])[] = [
  ["forgot password", "/help/sign-in#the-password-is-forgotten"],
  ["reset password", "/help/sign-in#the-password-is-forgotten"],
  ["change folder", "/help/disk#move-the-recordings-to-another-folder-or-disk"],
  ["move recordings to another disk", "/help/disk#move-the-recordings-to-another-folder-or-disk"],
  ["https", "/help/proxy#https"],
  ["camera not found", "/help/unreachable"],
  ["camera does not answer", "/help/unreachable"],
  ["find ip address", "/help/first-steps#find-the-address-of-the-camera"],
  ["delete old", "/help/deleting"],
  ["how long are recordings kept?", "/help/first-steps#how-long-recordings-are-kept"],
  ["restore deleted", "/help/deleting#the-trash"],
  ["dark", "/help/pages#every-page"],
  ["dark mode", "/help/pages#every-page"],
  ["keyboard shortcuts", "/help/pages#every-page"],
  ["disk full", "/help/disk"],
  ["time wrong", "/help/unreachable#the-clock-of-the-camera-is-off"],
  ["time zone", "/help/settings#schedule-timezone"],
  ["docker", "/help/install#as-a-container"],
  ["install on Synology", "/help/nas"],
  ["uninstall", "/help/install#uninstall"],
  ["upgrade", "/help/update#update"],
  ["backup", "/help/update#a-backup-in-one-file"],
  ["video does not play", "/help/messages#a-video-does-not-play"],
  ["save video", "/help/viewer#save-and-export"],
  ["export gps", "/help/viewer#save-and-export"],
  ["keep a clip", "/help/deleting#kept-clips"],
  ["speed up", "/help/slow#what-helps"],
  ["change port", "/help/settings#web-port"],
  ["notifications", "/help/telling"],
  ["telegram", "/help/telling#where-messages-go"],
  ["send email", "/help/telling#where-messages-go"],
  ["webhook", "/help/telling#webhooks"],
  ["remote access", "/help/security#remote-access-from-the-internet"],
];

describe("the search of the guide", () => {
  test.each(QUESTIONS)("answers %p among the first hits: %s", (question, place) =>
    expect(
      searchGuide(CHAPTERS, question)
        .slice(0, READ_HITS)
        .map(({ href }) => href),
    ).toContain(place),
  );
});
