import { homedir, hostname, networkInterfaces, userInfo } from "node:os";
import type { PrivateKind, PrivateValue } from "../../domain/backup/placeholders.ts";
import { parseConfig } from "../../domain/camera/config_file.ts";
import { isSecret } from "../../domain/camera/secret_settings.ts";
import { MAIN_CAMERA } from "../../domain/settings/camera_key.ts";
import type { Field } from "../../domain/settings/field.ts";
import { credentialsIn } from "../../domain/settings/gateway.ts";
import type { NamedCamera } from "../../domain/settings/more_cameras.ts";
import { readTarget, secretsIn } from "../../domain/settings/notify_address.ts";
import { secretsOfPing } from "../../domain/settings/ping_address.ts";
import { fieldsOf, SECTION_NAMES, type Settings, settingOf } from "../../domain/settings/settings.ts";
import { keysIn } from "../../domain/settings/tile_address.ts";

/** Parts that know of something private. */
export interface PrivateParts {
  readonly cameras: readonly {
    readonly camera: NamedCamera;
    readonly settings: { readonly current: Settings };
    readonly cameraSettings: { known(): Promise<{ readonly config: Uint8Array } | null> };
  }[];
  /** Browsers that are signed in. */
  readonly sessions: { readonly all: readonly { readonly address: string }[] };
  readonly keys: { readonly all: readonly { readonly name: string }[] };
}

/** Names that every installation may have tell nothing. */
const LEAST_NAME = 2;
/** Shorter parts of an address, such as `key`, name what follows. */
const LEAST_PART = 6;
/** Users that services run as. */
const USUAL_USERS = /^(|root|nobody|dashdock|app|node|bun|abc)$/;
/** Settings of the camera that name a network, or a person. */
const NETWORK_KEY = /ssid|network|ap_?name/i;
const NAME_KEY = /user|owner|driver|plate|label|name|account|email|serial|cloud.*id|imei|iccid/i;

/** Everything private that the service knows of by itself, so that it is found in every text. */
export async function privateValues({ cameras, sessions, keys }: PrivateParts): Promise<PrivateValue[]> {
  const found: PrivateValue[] = [...ofMachine()];
  const add = (kind: PrivateKind, value: string) => found.push({ kind, value });
  for (const { camera, settings, cameraSettings } of cameras) {
    found.push(...ofSettings(settings.current));
    if (camera.id !== MAIN_CAMERA) add("name", camera.id);
    add("name", camera.name);
    const snapshot = await cameraSettings.known();
    for (const entry of snapshot === null ? [] : parseConfig(snapshot.config)) {
      if (isSecret(entry)) add("secret", entry.value);
      else if (NETWORK_KEY.test(entry.key)) add("network", entry.value);
      else if (NAME_KEY.test(entry.key)) add("name", entry.value);
    }
  }
  for (const { address } of sessions.all) add("address", address);
  for (const { name } of keys.all) add("name", name);
  // Digits alone, and single letters, stand for anything.
  return found.filter(({ kind, value }) => !/^\d{0,3}$/.test(value) && (kind !== "name" || value.length >= LEAST_NAME));
}

function* ofMachine(): Generator<PrivateValue> {
  yield { kind: "address", value: hostname() };
  for (const { address, mac, internal } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
    if (internal) continue;
    yield { kind: "address", value: address };
    for (const value of [mac, mac.replaceAll(":", ""), mac.replaceAll(":", "-")]) yield { kind: "address", value };
  }
  const home = /^\/(?:var\/)?(?:home|Users)\/([^/]+)$/.exec(homedir())?.[1] ?? "";
  for (const value of [userNow(), home]) if (!USUAL_USERS.test(value)) yield { kind: "name", value };
}

/** The user that this process runs as; empty where the system does not know it, as in many containers. */
function userNow(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

function* ofSettings(settings: Settings): Generator<PrivateValue> {
  for (const name of SECTION_NAMES)
    for (const [key, field] of fieldsOf(name)) yield* ofSetting(field, settingOf(settings, name, key));
  const { metrics, viewer, notify } = settings;
  const gateway = credentialsIn(metrics.pushgateway_url ?? "") ?? "";
  const secrets = [
    gateway,
    ...gateway.split(":"),
    ...notify.targets.flatMap(secretsIn),
    ...secretsOfPing(notify.ping_url ?? ""),
    ...[...keysIn(viewer.tile_url), ...keysIn(settings.export.timestamp_url ?? "")].map(([piece]) => piece),
  ];
  for (const value of secrets) {
    yield { kind: "secret", value: value.replace(/@$/, "") };
    // Each part by itself, as in `?key=…&id=…`.
    for (const part of value.split(/[?&=#:@/]/)) if (part.length >= LEAST_PART) yield { kind: "secret", value: part };
  }
  for (const target of notify.targets) yield* ofTarget(target);
  for (const { name, lat, lon } of settings.places.list)
    for (const value of [name, String(lat), String(lon)]) yield { kind: "place", value };
}

/** All parts of the address of a service, but those that its kind tells. */
function* ofTarget(address: string): Generator<PrivateValue> {
  let parts: Readonly<Record<string, unknown>>;
  try {
    parts = { ...readTarget(address) };
  } catch {
    return;
  }
  for (const [part, value] of Object.entries(parts))
    for (const text of Array.isArray(value) ? value : [value]) {
      if (typeof text !== "string" || part === "kind") continue;
      yield* URL.canParse(text) ? ofAddress(text) : [{ kind: KINDS_OF_PARTS[part] ?? "secret", value: text } as const];
    }
}
const KINDS_OF_PARTS: Readonly<Record<string, PrivateKind>> = {
  host: "address",
  from: "address",
  to: "address",
  name: "name",
};

function* ofSetting({ secret, widget, initial }: Field<unknown>, value: unknown): Generator<PrivateValue> {
  const isUsual = JSON.stringify(value) === JSON.stringify(initial);
  for (const text of Array.isArray(value) ? value : [value]) {
    if (typeof text !== "string" || text === "" || isUsual) continue;
    if (secret) yield { kind: "secret", value: text };
    else if (widget.kind !== "text" && widget.kind !== "lines") continue;
    else if (/^[a-z]+:\/\//i.test(text)) yield* ofAddress(text);
    else if (widget.reading === undefined || widget.reading === "viewer_name") yield { kind: "name", value: text };
    else if (["address", "gateway", "host_name", "network"].includes(widget.reading)) yield* ofHost(text);
  }
}

/** A web address: its host, and its path where that may be a secret. */
function* ofAddress(text: string): Generator<PrivateValue> {
  const [, authority = ""] = /^[a-z]+:\/\/([^/?#]*)/i.exec(text) ?? [];
  yield* ofHost(authority.slice(authority.lastIndexOf("@") + 1));
}

/** A host with and without its port, and its first label where it is a name. */
function* ofHost(text: string): Generator<PrivateValue> {
  const host = text.replace(/:\d{1,5}$/, "").replaceAll(/[[\]]/g, "");
  if (/^(localhost|0\.0\.0\.0|127\..*|::1?)(\/\d+)?$/.test(host)) return;
  yield { kind: "address", value: host };
  const [label = ""] = host.split(/[./]/);
  if (!/^\d+$/.test(label) && !host.includes(":")) yield { kind: "address", value: label };
}
