import type { Clock } from "../../clock.ts";
import { afterBurst, afterFacts, NEW_MEMORY } from "../../domain/notify/camera_memory.ts";
import type { Letter, Message, MessageCode, MessageLevel } from "../../domain/notify/message.ts";
import { MESSAGE_LEVELS } from "../../domain/notify/message.ts";
import { type Draft, summaryMessage, testMessage, versionMessage } from "../../domain/notify/messages.ts";
import type { NotifyState, NotifyTest } from "../../domain/notify/notify_schema.ts";
import { isQuiet, minutesOfQuiet } from "../../domain/notify/quiet_hours.ts";
import type { CameraFacts } from "../../domain/notify/run_facts.ts";
import { shownTarget, targetIds, targetKind, targetName } from "../../domain/settings/notify_address.ts";
import { pingAfter } from "../../domain/settings/ping_address.ts";
import { addressForOthers, publicAddress } from "../../domain/settings/public_address.ts";
import { NOTIFY } from "../../domain/settings/sections/notify.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { ZoneTime } from "../../domain/text/zone_time.ts";
import { type Log, messageOf } from "../../log.ts";
import { askService, type Told } from "../../remote/notify/ask_service.ts";
import { tell } from "../../remote/notify/tell.ts";
import { NOTHING_TOLD, type NotifyFile, type NotifyMemory } from "../../store/config/notify_file.ts";

const LOGGER = "notify";
const MINUTE_MS = 60_000;
/** Pauses after a try that went wrong. After the last one it is given up, and told on the page. */
const PAUSES_MS: readonly number[] = [1 * MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];
/** Messages that wait at most: the oldest go first. */
const MOST_WAITING = 200;
/** All cameras are looked at so often, whether or not a run has ended. */
const LOOK_MS = 3_600_000;
const PING_MS = 10_000;
/** These are told at once, also in the quiet hours. */
const URGENT: ReadonlySet<MessageCode> = new Set(["overwritten", "damaged"]);

type Waiting = NotifyMemory["queue"][number];

export interface NotifierParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: {
    readonly current: Settings;
    onChange(listener: (now: Settings, before: Settings) => void): () => void;
  };
  readonly zone: () => ZoneTime;
  readonly file: NotifyFile;
  readonly version: string;
  readonly userAgent: string;
  /** Looks at all cameras. */
  readonly look: () => Promise<readonly CameraFacts[]>;
  /** The names of cameras, as messages name them. */
  readonly nameOf: (camera: string) => string | null;
  /** The picture of a recording; null without one. */
  readonly picture: (key: string) => Promise<Uint8Array<ArrayBuffer> | null>;
}

/**
 * Tells services what matters: once for each incident, in the background, with further tries. It waits for nothing that
 * brings recordings home, and nothing that does waits for it.
 */
export class Notifier {
  readonly #parts: NotifierParts;
  #memory: NotifyMemory = NOTHING_TOLD;
  readonly #closing = new AbortController();
  #woken = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  /** Looks and changes of the memory, one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Targets that are being told something, by their ids. */
  readonly #telling = new Map<string, Promise<void>>();
  #lookAt = 0;
  readonly #offChange: () => void;

  constructor(parts: NotifierParts) {
    this.#parts = parts;
    this.#offChange = parts.settings.onChange((now, before) => this.#changed(now, before));
  }

  /** Reads what is remembered, and begins. */
  async open(): Promise<void> {
    const { file, version, clock } = this.#parts;
    const known = await file.read();
    this.#memory = { ...(known ?? NOTHING_TOLD), version };
    const before = known?.version ?? null;
    if (before !== null && before !== version && this.#wants("new_version"))
      this.#tell([versionMessage(clock.now(), before, version)]);
    this.#save();
    this.#lookAt = clock.elapsed() + LOOK_MS;
    this.#loop = this.#work();
  }

  /** A camera was looked at, as after a run. */
  note(facts: CameraFacts): Promise<void> {
    return this.#inTurn(() => {
      // Without a target it would count as told.
      if (this.#closing.signal.aborted || this.#parts.settings.current.notify.targets.length === 0) return;
      const before = this.#memory.cameras[facts.camera] ?? NEW_MEMORY;
      const { memory, drafts } = afterFacts(before, facts, this.#parts.settings.current.notify);
      this.#remember(facts.camera, memory);
      this.#tell(drafts);
      this.#save();
      this.#wake();
    });
  }

  /** Calls the address that waits for a call after every run. Once: the next run calls again. */
  async ping(hasFailed: boolean): Promise<void> {
    const { settings, userAgent, clock } = this.#parts;
    const address = settings.current.notify.ping_url;
    if (address === null) return;
    const asking = { signal: this.#closing.signal, userAgent, secrets: [], limitMs: PING_MS };
    const request = { method: "GET", takesPages: true } as const;
    const told = await askService(pingAfter(address, hasFailed), request, asking).catch(() => null);
    if (told === null || this.#closing.signal.aborted || settings.current.notify.ping_url !== address) return;
    const { ok, status, milliseconds } = told;
    this.#memory = { ...this.#memory, ping: { at: clock.now(), ok, status, milliseconds } };
    if (!ok) this.#parts.log.warning(LOGGER, `The dead-man ping was not taken: ${inWords(told)}`);
    this.#save();
  }

  get state(): NotifyState {
    const { targets } = this.#parts.settings.current.notify;
    const ids = targetIds(targets);
    const { last, queue, quiet, ping } = this.#memory;
    return {
      targets: targets.map((address, at) => {
        const id = ids[at] ?? "";
        const told = last[id];
        return {
          id,
          name: targetName(address),
          kind: targetKind(address) ?? "",
          address: shownTarget(address),
          last: told === undefined ? null : shownTold(told),
          lost: told?.lost ?? 0,
        };
      }),
      waiting: queue.length + quiet.length,
      ping: ping && { ...ping, at: new Date(ping.at).toISOString() },
    };
  }

  /** Tells one target that it can be reached, whatever the hour; null when there is no target of this id. */
  async test(id: string): Promise<NotifyTest | null> {
    const address = this.#addressOf(id);
    if (address === null) return null;
    const told = await this.#send(address, { ...testMessage(this.#parts.clock.now()), id: newId() });
    this.#noteTold(id, told);
    const { ok, status, answer, milliseconds } = told;
    return { ok, status, answer, milliseconds };
  }

  /** Ends what is on its way; messages that wait are told after the next start. */
  async close(): Promise<void> {
    this.#offChange();
    this.#closing.abort();
    this.#woken.abort();
    await this.#loop;
    await Promise.all(this.#telling.values());
    await this.#turn;
    await this.#parts.file.close();
  }

  #inTurn(work: () => void | Promise<void>): Promise<void> {
    const next = this.#turn.then(work).catch((error: unknown) => {
      this.#parts.log.error(LOGGER, `What there is to tell could not be found out: ${messageOf(error)}`);
    });
    this.#turn = next;
    return next;
  }

  #wants(code: (typeof NOTIFY.fields.events.initial)[number]): boolean {
    return this.#parts.settings.current.notify.events.includes(code);
  }

  #remember(camera: string, memory: NotifyMemory["cameras"][string]): void {
    this.#memory = { ...this.#memory, cameras: { ...this.#memory.cameras, [camera]: memory } };
  }

  #save(): void {
    void this.#parts.file.write(this.#memory);
  }

  #wake(): void {
    this.#woken.abort();
  }

  /** Puts messages into the line of every target; in the quiet hours most are only counted. */
  #tell(drafts: readonly Draft[]): void {
    const { clock, settings } = this.#parts;
    const { targets } = settings.current.notify;
    if (targets.length === 0) return;
    const now = clock.now();
    let { queue, quiet } = this.#memory;
    for (const draft of drafts) {
      if (this.#isQuiet(now) && !URGENT.has(draft.code)) {
        quiet = [...quiet, { code: draft.code, level: draft.level }];
        continue;
      }
      const message: Message = { ...draft, id: newId() };
      queue = [...queue, ...targetIds(targets).map((target) => ({ target, message, tries: 0, due: now }))];
    }
    this.#memory = { ...this.#memory, quiet, queue: queue.slice(-MOST_WAITING) };
  }

  #isQuiet(now: number): boolean {
    return isQuiet(this.#parts.settings.current.notify, this.#minuteOf(now));
  }

  #minuteOf(now: number): number {
    const { hour, minute } = this.#parts.zone().wall(now);
    return hour * 60 + minute;
  }

  #changed({ notify: now }: Settings, { notify: before }: Settings): void {
    if (now === before) return;
    const kept = new Set(targetIds(now.targets));
    // Another secret of the same service is another target: nothing is known of it yet.
    const same = new Set(before.targets);
    const ids = targetIds(now.targets);
    const fresh = new Set(ids.filter((_, at) => !same.has(now.targets[at] ?? "")));
    const last = Object.entries(this.#memory.last).filter(([id]) => kept.has(id) && !fresh.has(id));
    this.#memory = {
      ...this.#memory,
      last: Object.fromEntries(last),
      queue: this.#memory.queue.filter(({ target }) => kept.has(target)),
      ping: now.ping_url === before.ping_url ? this.#memory.ping : null,
      quiet: now.targets.length === 0 ? [] : this.#memory.quiet,
    };
    this.#save();
    this.#wake();
  }

  async #work(): Promise<void> {
    const { clock } = this.#parts;
    while (!this.#closing.signal.aborted) {
      this.#woken = new AbortController();
      await this.#inTurn(() => this.#doDue());
      if (this.#closing.signal.aborted) return;
      // Set after the work: what came meanwhile has woken this already.
      await clock.sleep(this.#pause(), this.#woken.signal).catch(() => {});
    }
  }

  async #doDue(): Promise<void> {
    const { clock, look, nameOf, zone } = this.#parts;
    if (clock.elapsed() >= this.#lookAt) {
      this.#lookAt = clock.elapsed() + LOOK_MS;
      // Not within this turn, which `note` waits for.
      if (this.#parts.settings.current.notify.targets.length > 0)
        void look()
          .then((all) => Promise.all(all.map((facts) => this.note(facts))))
          .catch(() => {});
    }
    const now = clock.now();
    for (const [camera, before] of Object.entries(this.#memory.cameras)) {
      const { memory, drafts } = afterBurst(before, { now, camera, name: nameOf(camera), zone: zone() });
      if (memory === before) continue;
      this.#remember(camera, memory);
      this.#tell(drafts);
      this.#save();
    }
    if (this.#memory.quiet.length > 0 && !this.#isQuiet(now)) {
      const told = this.#summary(now);
      this.#memory = { ...this.#memory, quiet: [] };
      this.#tell([told]);
      this.#save();
    }
    for (const waiting of this.#firstDue(now)) this.#begin(waiting);
  }

  /** The first message of each target, where that is due and none is on its way. */
  #firstDue(now: number): Waiting[] {
    const seen = new Set(this.#telling.keys());
    return this.#memory.queue.filter(({ target, due }) => {
      if (seen.has(target)) return false;
      seen.add(target);
      return due <= now || due - now > (PAUSES_MS.at(-1) ?? 0);
    });
  }

  #summary(now: number): Draft {
    const options = NOTIFY.fields.events.widget;
    const words = new Map("options" in options ? options.options.map((one) => [one.value, one.words]) : []);
    const told = new Map<MessageCode, { words: string; count: number }>();
    let level: MessageLevel = "info";
    for (const one of this.#memory.quiet) {
      const count = (told.get(one.code)?.count ?? 0) + 1;
      told.set(one.code, { words: words.get(one.code) ?? one.code, count });
      if (MESSAGE_LEVELS.indexOf(one.level) > MESSAGE_LEVELS.indexOf(level)) level = one.level;
    }
    return summaryMessage(now, told, level);
  }

  /** Milliseconds until something is due. */
  #pause(): number {
    const { clock, settings } = this.#parts;
    const now = clock.now();
    const { queue, cameras, quiet } = this.#memory;
    const dues = queue.filter(({ target }) => !this.#telling.has(target)).map(({ due }) => due - now);
    for (const { burst } of Object.values(cameras)) if (burst !== null) dues.push(burst.until - now);
    if (quiet.length > 0) dues.push(minutesOfQuiet(settings.current.notify, this.#minuteOf(now)) * MINUTE_MS);
    dues.push(this.#lookAt - clock.elapsed());
    return Math.max(
      1,
      Math.min(LOOK_MS, ...dues.filter((ms) => ms > 0), ...(dues.some((ms) => ms <= 0) ? [1000] : [])),
    );
  }

  #begin(waiting: Waiting): void {
    const { target, message } = waiting;
    const address = this.#addressOf(target);
    if (address === null) return;
    const telling = this.#send(address, message)
      .then((told) => this.#ended(waiting, told))
      .catch(() => {})
      .finally(() => {
        this.#telling.delete(target);
        this.#wake();
      });
    this.#telling.set(target, telling);
  }

  #ended(waiting: Waiting, told: Told): void {
    const { target, message, tries } = waiting;
    const pause = PAUSES_MS[tries];
    const isOver = told.ok || pause === undefined;
    const due = this.#parts.clock.now() + Math.max(pause ?? 0, (told.waitSeconds ?? 0) * 1000);
    this.#memory = {
      ...this.#memory,
      queue: this.#memory.queue.flatMap((one) => {
        if (one.target !== target || one.message.id !== message.id) return [one];
        return isOver ? [] : [{ ...one, tries: tries + 1, due }];
      }),
    };
    if (!told.ok) {
      const words = isOver ? "it is given up" : "it is tried again";
      this.#parts.log.warning(LOGGER, `A message was not taken by ${this.#nameOf(target)}: ${inWords(told)}; ${words}`);
    }
    this.#noteTold(target, told, isOver && !told.ok ? 1 : 0);
  }

  #nameOf(id: string): string {
    const address = this.#addressOf(id);
    return address === null ? id : targetName(address);
  }

  /** @param given number of messages that were given up with it */
  #noteTold(id: string, { ok, status, answer }: Told, given = 0): void {
    if (this.#addressOf(id) === null) return;
    const at = this.#parts.clock.now();
    const lost = ok ? 0 : (this.#memory.last[id]?.lost ?? 0) + given;
    this.#memory = { ...this.#memory, last: { ...this.#memory.last, [id]: { at, ok, status, answer, lost } } };
    this.#save();
  }

  #addressOf(id: string): string | null {
    const { targets } = this.#parts.settings.current.notify;
    return targets[targetIds(targets).indexOf(id)] ?? null;
  }

  async #send(address: string, { path, ...message }: Message): Promise<Told> {
    const { settings, picture, userAgent } = this.#parts;
    const base = addressForOthers(settings.current);
    const letter: Letter = {
      ...message,
      url: base === null ? null : publicAddress(base, path),
      picture: message.key === null ? null : await picture(message.key).catch(() => null),
    };
    return await tell(address, letter, { signal: this.#closing.signal, userAgent });
  }
}

function shownTold({ at, ok, status, answer }: NotifyMemory["last"][string]) {
  return { at: new Date(at).toISOString(), ok, status, answer };
}

function inWords({ status, answer }: Told): string {
  return status === null ? answer : `status ${status}`;
}

function newId(): string {
  return `msg_${crypto.getRandomValues(new Uint8Array(12)).toHex()}`;
}
