/** @jsxImportSource preact */
/** The symbols of `assets/icons.svg`, which every page carries. */
export type IconName =
  | "i-area"
  | "i-back5"
  | "i-bell"
  | "i-calendar"
  | "i-camera"
  | "i-check"
  | "i-clock"
  | "i-close"
  | "i-copy"
  | "i-dashboard"
  | "i-device"
  | "i-disk"
  | "i-down"
  | "i-download"
  | "i-edit"
  | "i-evnext"
  | "i-evprev"
  | "i-eye"
  | "i-first"
  | "i-folder"
  | "i-focus"
  | "i-follow"
  | "i-full"
  | "i-fwd5"
  | "i-grid"
  | "i-help"
  | "i-home"
  | "i-keep"
  | "i-kept"
  | "i-key"
  | "i-keys"
  | "i-left"
  | "i-link"
  | "i-list"
  | "i-logs"
  | "i-minus"
  | "i-more"
  | "i-mute"
  | "i-next"
  | "i-nogps"
  | "i-note"
  | "i-pause"
  | "i-phone"
  | "i-pip"
  | "i-place"
  | "i-play"
  | "i-plus"
  | "i-prev"
  | "i-restore"
  | "i-right"
  | "i-search"
  | "i-settings"
  | "i-shield"
  | "i-side"
  | "i-stats"
  | "i-stop"
  | "i-streets"
  | "i-sync"
  | "i-theme"
  | "i-trash"
  | "i-unfull"
  | "i-user"
  | "i-viewer"
  | "i-volume"
  | "i-zip"
  | "logo"
  | "s-attention"
  | "s-busy"
  | "s-failed"
  | "s-fine"
  | "s-waiting"
  | "t-driver"
  | "t-event"
  | "t-impact"
  | "t-manual"
  | "t-normal"
  | "t-parking";

interface IconProps {
  readonly name: IconName;
  /** Instead of the usual size. */
  readonly class?: string;
}

/** A drawing beside a word or inside a named button; never the only name of a thing. */
export function Icon({ name, class: className = "i" }: IconProps) {
  return (
    <svg class={className} aria-hidden="true">
      <use href={`#${name}`} />
    </svg>
  );
}
