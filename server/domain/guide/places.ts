import type { HintId } from "../camera/hint_ids.ts";
import type { FailureAction } from "../runs/failure_text.ts";

/** Paragraphs of the guide that messages, hints and rows of errors lead to. */
export const GUIDE_PLACES = {
  access: "/help/sign-in",
  check: "/help/unreachable#what-the-check-says",
  deletions: "/help/deleting#nothing-goes-without-your-word",
  failed: "/help/missing#a-file-failed",
  folder: "/help/disk#the-disk-of-the-recordings-is-not-mounted",
  kinds: "/help/settings#sync-include",
  left_out: "/help/missing#a-rule-left-it-out",
  limits: "/help/settings#retention-max_gb",
  lost: "/help/missing#a-file-failed",
  marks: "/help/deleting#kept-clips",
  settings: "/help/variables",
  slow: "/help/slow",
  slow_wifi: "/help/slow#the-wi-fi-looks-like-24-ghz",
} as const;

/** Places of the guide that tell what a hint means and what helps. */
export const HINT_PLACES: Readonly<Record<HintId, string>> = {
  "another-device": "/help/unreachable#another-device-answers",
  "empty-list": "/help/unreachable#the-cameras-list-is-empty",
  clock: "/help/unreachable#the-clock-of-the-camera-is-off",
  overwrites: "/help/slow#what-helps",
  "wifi-sleeps": "/help/unreachable#the-cameras-wi-fi-sleeps",
};

/** The paragraph about what an action solves. */
export const ACTION_PLACES: Readonly<Record<FailureAction["kind"], string>> = {
  "check-camera": "/help/unreachable",
  "free-space": "/help/disk#make-room",
  "open-settings": "/help/messages",
  "show-files": "/help/missing#a-file-failed",
  "show-log": "/help/messages",
};

/** The paragraph of a setting, whose page leads back to it. @param path `section.field` */
export function settingPlace(path: string): string {
  return `/help/settings?from=${path}#${path.replace(".", "-")}`;
}
