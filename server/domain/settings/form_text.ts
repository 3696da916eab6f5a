import type { SectionName, Tier } from "./settings.ts";

/** How the settings page puts things: plain words for people, where the schema has codes for files and programs. */

/** What belongs together for somebody who wants something, each made of whole sections. */
export const GROUPS: readonly {
  readonly name: string;
  readonly intro: string;
  readonly sections: readonly SectionName[];
  /** Closed until it is asked for. */
  readonly folded?: true;
}[] = [
  {
    name: "Camera",
    intro: "Where the camera is, and how long to wait for it. Nothing on it is changed.",
    sections: ["connection", "camera"],
  },
  {
    name: "Schedule",
    intro: "When Dashdock looks for the camera. It costs nothing when the camera is away.",
    sections: ["schedule"],
  },
  {
    name: "What to download",
    intro: "Chosen by kind and camera. What is left out stays on the camera only.",
    sections: ["sync"],
  },
  {
    name: "Keep and delete",
    intro:
      "Deletes here only, never on the camera, and by way of the trash. What you mark as kept stays, whatever is set here.",
    sections: ["retention"],
  },
  {
    name: "Disk",
    intro: "Where recordings are stored.",
    sections: ["system"],
  },
  {
    name: "Sign-in",
    intro: "Who may see the recordings and change what is set here.",
    sections: ["auth"],
  },
  {
    name: "Logs",
    intro: "What Dashdock writes down, and how much of it is kept.",
    sections: ["logging"],
    folded: true,
  },
  {
    name: "Metrics",
    intro: "Figures of the syncs, for the statistics page and for Prometheus.",
    sections: ["metrics", "stats"],
    folded: true,
  },
  {
    name: "Viewer",
    intro: "How trips are played.",
    sections: ["viewer"],
  },
  {
    name: "Expert",
    intro: "Right for nearly everyone as it is.",
    sections: ["web"],
  },
];

/** Sections that count sooner than their tier promises: the next request to the camera goes to the new address. */
export const SOONER: Readonly<Partial<Record<SectionName, Tier>>> = { connection: "next_tick" };

/** Fields that count at once, whatever the tier of their section. */
export const AT_ONCE: ReadonlySet<string> = new Set(["web.allowed_hosts"]);

/** Fields most people never touch; they come last in their section. */
export const RARE: ReadonlySet<string> = new Set([
  "sync.affinity_key",
  "auth.trusted_proxies",
  "auth.proxy_user_header",
  "logging.ring_buffer_capacity",
  "metrics.job",
  "metrics.instance",
  "metrics.state_file",
  "viewer.tile_url",
  "web.allowed_hosts",
]);

/** Fields that are each house's own: nobody wants back what a new one begins with. */
export const OWN: ReadonlySet<string> = new Set(["connection.address", "system.destination", "auth.username"]);

/** Names for what the page shows as something else than the value itself. */
export const LABELS: Readonly<Record<string, string>> = {
  "schedule.cron_expression": "Look for the camera",
  "schedule.paused": "Pause scheduled runs",
  "retention.max_gb": "Stay below, in GB",
  "retention.max_percent": "Stay below, in % of the disk",
  "auth.session_secret": "Signed-in browsers",
};

/** Where the schema's help explains codes that the page does not show. */
export const HELP: Readonly<Record<string, string>> = {
  "schedule.cron_expression":
    "Five fields: minute, hour, day of month, month, day of week. */15 * * * * is every 15 minutes.",
  "schedule.paused": "Sync now still works.",
  "retention.max_gb": "The oldest go first when a limit is passed; events and manual ones last, kept ones never.",
  "retention.max_percent": "The share of the whole disk. The trash is emptied before anything else goes.",
  "retention.event_context": "The minutes around it, of the same trip, live as long as the event does.",
  "retention.trash_days": "What is deleted can be had back for so long. 0 deletes at once, without a way back.",
  "sync.priority": "What comes first when time is short.",
  "sync.include": "One code per line: a kind such as P, or a kind and a camera such as NF. Empty: all.",
  "sync.exclude": "Left out even when the list above names them. One code per line.",
  "sync.skip_metadata": "Small files beside each video that are left on the camera.",
  "logging.verbose": "0 tells the usual, 1 tells more, 2 and above every step.",
  "viewer.journey_mode": "How the track is drawn on the map.",
  "viewer.speed_unit": "What the viewer shows speeds in.",
  "auth.mode": "How people get in.",
  "auth.password_hash": "At least 12 characters. Changing it signs out all other browsers.",
  "auth.session_secret": "For when a phone or a laptop is lost: ends every session, this one too.",
};

/** What a choice means. */
export const OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "sync.priority": {
    date: "Oldest first",
    rdate: "Newest first",
    type: "By kind: manual, event, then the rest",
  },
  "sync.grouping": {
    none: "All in one folder",
    daily: "One folder per day",
    weekly: "One folder per week",
    monthly: "One folder per month",
    yearly: "One folder per year",
  },
  "sync.skip_metadata": { t: "Thumbnails", "3": "G-sensor", g: "GPS" },
  "logging.format": { text: "Plain lines", json: "JSON, one object per line" },
  "viewer.journey_mode": { progressive: "Grows while the trip plays", full: "All of it at once" },
  "viewer.speed_unit": { kmh: "km/h", mph: "mph" },
  "auth.mode": {
    login: "With user name and password",
    none: "Everyone, without a password",
    proxy: "People whom a proxy in front has signed in",
  },
};

/** What a switch means when it is on, and when it is off. */
export const SWITCHES: Readonly<Record<string, readonly [on: string, off: string]>> = {
  "schedule.paused": ["On, no scheduled run starts", "Off, runs follow the schedule"],
  "logging.quiet": ["On, errors only", "Off, as much as the verbosity says"],
  "metrics.scrape": ["On, at /metrics", "Off"],
  "viewer.continuous_play": ["On, the trip plays through", "Off, playing stops at the end of each clip"],
  "viewer.map_tiles": ["On, streets are shown", "Off, the track alone"],
  "system.dry_run": ["On, nothing is downloaded or deleted", "Off, recordings are downloaded and deleted"],
};

/** What an empty field stands for. */
export const EMPTY: Readonly<Record<string, string>> = {
  "connection.address": "no camera",
  "sync.include": "all",
  "retention.keep": "for ever",
  "retention.keep_event": "as Normal",
  "retention.keep_parking": "as Normal",
  "retention.keep_manual": "as Normal",
  "retention.max_gb": "no limit",
  "retention.max_percent": "no limit",
  "metrics.file": "no file",
  "metrics.pushgateway_url": "not sent",
  "metrics.instance": "the camera address",
  "metrics.state_file": "beside the settings file",
  "sync.affinity_key": "not sent",
  "web.allowed_hosts": "no further names",
};
