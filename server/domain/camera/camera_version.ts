/** Model and version as the camera's file names them; null for what the file does not tell. */
export interface CameraVersion {
  readonly model: string | null;
  readonly firmware: string | null;
}

const UNKNOWN: CameraVersion = { model: null, firmware: null };
/** Longer than any model's name; a page of text is none. */
const LONGEST = 100;

/** Reads `/Config/version.bin`: a `[firmware]` section with `model` and `version`, or on old cameras the bare name. */
export function parseVersion(bytes: Uint8Array): CameraVersion {
  const text = new TextDecoder()
    .decode(bytes)
    .replaceAll(/[^\P{C}\r\n]/gu, "")
    .trim();
  if (text === "" || text.startsWith("<")) return UNKNOWN;
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  const from = lines.indexOf("[firmware]");
  if (from < 0) return { ...UNKNOWN, model: text.slice(0, LONGEST) };
  const rest = lines.slice(from + 1);
  const end = rest.findIndex((line) => line.startsWith("["));
  const values = new Map<string, string>();
  for (const line of end < 0 ? rest : rest.slice(0, end)) {
    const [, key = "", value = ""] = /^([^=:]+)[=:](.*)$/.exec(line) ?? [];
    const name = key.trim().toLowerCase();
    if (!values.has(name)) values.set(name, value.trim().slice(0, LONGEST));
  }
  return { model: values.get("model") || null, firmware: values.get("version") || null };
}

/** `DR900X Plus · fw 1.015`; null when not even the model is known. */
export function versionText({ model, firmware }: CameraVersion): string | null {
  if (model === null) return null;
  return firmware === null ? model : `${model} · fw ${firmware}`;
}
