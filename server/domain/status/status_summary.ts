import { driveInWords } from "../sync/drive_text.ts";
import type { Snapshot } from "../sync/job_progress.ts";
import { sentenceOf } from "../sync/job_text.ts";
import { agoInWords, counted } from "../text/format.ts";
import { deletionNotes } from "./deletion_notes.ts";
import { knownAt } from "./last_known.ts";
import { whileHere } from "./plan_summary.ts";
import type { OverviewFacts, Summary } from "./overview.ts";
import { nextRunSentence, syncSummary } from "./sync_summary.ts";

/** The state of everything as it is now: what the running sync does, else what the facts mean. */
export function summaryNow(snapshot: Snapshot, facts: OverviewFacts): Summary {
  if (snapshot.state !== "running") return summaryOf(facts);
  const { now, zone } = facts;
  const here = snapshot.phase === "downloading" && facts.plan !== null ? whileHere(facts.plan, facts) : null;
  if (here !== null) return here;
  const at = snapshot.started_at_wall * 1000;
  const drive = snapshot.recordings?.drive;
  const began = `Started ${zone.clock(at)}, ${agoInWords((now - at) / 1000)}.`;
  const detail = drive ? `${began} ${driveInWords(drive, zone.format)}` : began;
  return { mood: "busy", sentence: sentenceOf(snapshot), detail };
}

/** Says what the facts mean for a user who wants to know if everything is safe. */
export function summaryOf(facts: OverviewFacts): Summary {
  const state = withUnsaved(
    facts,
    withDamaged(
      facts,
      withLedger(facts, troubleAtHome(facts) ?? withUnreadable(facts, withDeleting(facts, syncSummary(facts)))),
    ),
  );
  const isUnusable = facts.unusable_settings.length > 0 && state.mood !== "failed";
  const found: Summary = isUnusable ? { ...state, mood: "attention" } : state;
  if (!facts.paused || facts.address === "" || found.mood === "failed") return found;
  return { ...found, mood: "attention", detail: `Paused. ${found.detail}` };
}

/** Reasons why the next start will forget the changes made now. */
export const UNSAVED = {
  full: "The config folder's disk is full: runs and settings cannot be saved.",
  refused: "Runs cannot be saved in the config folder; the log has the cause.",
} as const;

/** Puts first the changes that the next start would forget: a user must know them before all else. */
function withUnsaved({ unsaved }: OverviewFacts, found: Summary): Summary {
  if (unsaved === null) return found;
  const mood = found.mood === "failed" ? "failed" : "attention";
  return { ...found, mood, detail: `${UNSAVED[unsaved]} ${found.detail}`.trim() };
}

/** Adds trouble with the ledger, which keeps no recording from coming. */
function withLedger({ ledger }: OverviewFacts, found: Summary): Summary {
  if (ledger === null) return found;
  const mood = found.mood === "failed" ? "failed" : "attention";
  return { ...found, mood, detail: `${ledger} ${found.detail}`.trim() };
}

/** Puts damaged files at home before every state that is well or only waits, and adds them to all others. */
function withDamaged({ damaged_files: files, checksums }: OverviewFacts, found: Summary): Summary {
  const isFailed = found.mood === "failed";
  const mood = isFailed ? "failed" : "attention";
  if (files === 0)
    return checksums === null ? found : { ...found, mood, detail: `${checksums} ${found.detail}`.trim() };
  const words = `${counted(files, "file")} at home ${files === 1 ? "is" : "are"} damaged.`;
  const action = found.action ?? SHOW_DAMAGED;
  if (found.mood !== "fine" && found.mood !== "waiting")
    return { ...found, mood, detail: `${words} ${found.detail}`.trim(), action };
  const them = files === 1 ? "It is" : "They are";
  const detail = `${them} downloaded again while the camera has the recording. ${found.detail}`.trim();
  return { ...found, mood, sentence: words, detail, action };
}

const SHOW_DAMAGED = { kind: "open-settings", label: "Show what is damaged", href: "/settings#whole" } as const;

/**
 * Puts a note about deleting before every state that is well or only waits. A state that needs attention keeps its
 * place: then the note stands below.
 */
function withDeleting(facts: OverviewFacts, found: Summary): Summary {
  const [first] = deletionNotes(facts);
  const isFree = found.mood === "fine" || found.mood === "waiting";
  // A missing address of the camera comes first, and no run deletes anything then.
  if (first === undefined || facts.address === "" || !isFree) return found;
  const { mood: level, sentence, detail } = first;
  return {
    mood: level,
    sentence,
    detail: first.about === "problem" ? `${found.sentence} ${found.detail}`.trim() : detail,
  };
}

/** True when something has ever come home: before that no folder is missing. */
function wasHome({ last_reached: reached }: OverviewFacts): boolean {
  return reached !== null && reached.recordingsSelected > 0 && !reached.dryRun;
}

/** Sentences that nothing may hide: the recordings at home cannot be seen. Null when they can. */
function troubleAtHome(facts: OverviewFacts): Summary | null {
  const { folder, destination, recordings, root } = facts;
  // A disk that is not mounted leaves nothing, or the empty folder that it is mounted on.
  if (destination === "gone" || (destination === "unmarked" && recordings === 0)) return notAvailable(facts);
  if (destination === "unmarked" || destination === "other") {
    const sign = destination === "other" ? "It carries the mark of another one" : "It lacks the mark left in that one";
    const lie = recordings === 1 ? "lies" : "lie";
    const hidden = `${counted(recordings, "recording")} ${lie} in ${root} as it is now; a disk that is mounted there hides them.`;
    return {
      mood: "attention",
      sentence: "The recordings folder is not the one used before.",
      detail:
        `${sign}: see whether the right disk is mounted. Nothing is written until it is, or until you choose to use this folder. ${destination === "unmarked" && recordings > 0 ? hidden : ""}`.trim(),
    };
  }
  if (destination === "accepted") {
    const detail = `The next run brings home what is not in it. ${nextRunSentence(facts)}`.trim();
    return { mood: "waiting", sentence: "The recordings folder is a new one.", detail };
  }
  if (folder === "unreadable") {
    const detail = "Check its disk and its permissions. Until then nothing can be said about what is safe.";
    return { mood: "failed", sentence: "The recordings folder cannot be read.", detail };
  }
  return folder === "there" || !wasHome(facts) ? null : notAvailable(facts);
}

function notAvailable(facts: OverviewFacts): Summary {
  const { last_known: known, root } = facts;
  const since = known === null ? "" : ` It was last seen at ${knownAt(known.at, facts)}.`;
  return {
    mood: "failed",
    sentence: "The recordings folder is not available.",
    detail: `${root} is not on its disk.${since} Nothing is downloaded or deleted until it is back. Dashdock has not touched your recordings.`,
  };
}

/** Folders that cannot be read make all other sentences less than the truth; only a failure is worse. */
function withUnreadable({ unreadable }: OverviewFacts, found: Summary): Summary {
  const [first, ...others] = unreadable;
  if (first === undefined) return found;
  const more = others.length === 0 ? "" : ` and ${counted(others.length, "more folder")}`;
  const sentence = `The folder ${first}${more} cannot be read.`;
  if (found.mood === "failed") return { ...found, detail: `${sentence} ${found.detail}` };
  const detail =
    "Check the disk and the permissions. Until then it is unknown what is in it, and nothing of those days is fetched.";
  return { mood: "attention", sentence, detail };
}
