/** A browser by what it says of itself. */
export interface BrowserName {
  /** Such as `Firefox on Linux`. */
  readonly name: string;
  readonly isPhone: boolean;
}

/** Tried in this order: most browsers name others, too. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/** Names a browser from its `User-Agent`. */
export function browserName(agent: string | null): BrowserName {
  const find = (rows: typeof BROWSERS) => rows.find(([pattern]) => pattern.test(agent ?? ""))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  const name = browser && system ? `${browser} on ${system}` : (browser ?? system ?? "Another program");
  return { name, isPhone: /\b(Mobi|iPhone|Android)/.test(agent ?? "") };
}
