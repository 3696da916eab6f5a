import { expect, test } from "bun:test";
import { browserName } from "../../../server/domain/text/browser_name.ts";

test("a browser is named as people know it", () => {
  const rows: [agent: string | null, name: string, isPhone: boolean][] = [
    ["Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Linux", false],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
      "Safari on iPhone",
      true,
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36 Edg/129.0",
      "Edge on Windows",
      false,
    ],
    [
      "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Mobile Safari/537.36",
      "Chrome on Android",
      true,
    ],
    ["curl/8.5.0", "Another program", false],
    [null, "Another program", false],
  ];
  for (const [agent, name, isPhone] of rows) expect(browserName(agent)).toEqual({ name, isPhone });
});
