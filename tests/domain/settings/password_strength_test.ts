import { describe, expect, test } from "bun:test";
import { passwordProblem } from "../../../server/domain/settings/password_length.ts";
import { matchInWords, strengthOf } from "../../../server/domain/settings/password_strength.ts";

describe("passwordProblem()", () => {
  const rows: [name: string, password: string, isFine: boolean][] = [
    ["eleven characters", "a".repeat(11), false],
    ["twelve characters", "a".repeat(12), true],
    ["twelve characters outside the first plane", "🚗".repeat(12), true],
    ["six characters that take twelve places", "🚗".repeat(6), false],
    ["1024 characters", "a".repeat(1024), true],
    ["1025 characters", "a".repeat(1025), false],
  ];
  for (const [name, password, isFine] of rows)
    test(`${isFine ? "accepts" : "refuses"} ${name}`, () => expect(passwordProblem(password) === null).toBe(isFine));
});

describe("strengthOf()", () => {
  const rows: [password: string, word: string, bars: number][] = [
    ["", "", 0],
    ["k8#Vq2!zTp9", "Too short", 0],
    ["🚗🚗🚗🚗🚗🚗", "Too short", 0],
    // One character, a block, a row, a sequence: guessed at once however long they are.
    ["aaaaaaaaaaaaaaaaaaaaaaaa", "Weak", 1],
    ["abcabcabcabcabcabcabc", "Weak", 1],
    ["123456789012", "Weak", 1],
    ["zyxwvutsrqponmlk", "Weak", 1],
    ["111122223333", "Weak", 1],
    ["qwertyuiop12", "Weak", 1],
    // Guessers try these first, also written with digits and signs, and with a year behind them.
    ["passwordpassword", "Weak", 1],
    ["P@ssw0rd1234", "Weak", 1],
    ["Password2024!", "Weak", 1],
    ["Summer2024!!!!", "Weak", 1],
    ["dashcam-dashcam-1", "Weak", 1],
    ["harbour-lane-42", "Fair", 2],
    ["Thequickbrown1", "Fair", 2],
    ["three quiet green harbours", "Strong", 3],
    ["größer als 🚗 und wir", "Strong", 3],
    ["k8#Vq2!zTp9w", "Strong", 3],
    ["kR7!vq2#Lm9pXz4wT%8s", "Very strong", 4],
    ["seven orange kettles drift past the old lighthouse", "Very strong", 4],
  ];
  for (const [password, word, bars] of rows)
    test(`finds ${JSON.stringify(password)} ${word === "" ? "nothing yet" : word.toLowerCase()}`, () => {
      const found = strengthOf(password);
      expect([found.word, found.bars]).toEqual([word, bars as typeof found.bars]);
      expect(found.detail).toEndWith(".");
    });

  test("counts what somebody would try for this person as next to nothing", () => {
    const password = "annabelle green harbours";
    expect(strengthOf(password).bars).toBeGreaterThan(strengthOf(password, ["Annabelle"]).bars);
    expect(strengthOf(password, ["", "a"])).toEqual(strengthOf(password));
  });

  test("says how many characters there are, as people count them", () => {
    expect(strengthOf("a").detail).toBe("1 character; at least 12 are needed.");
    expect(strengthOf("🚗🚗").detail).toBe("2 characters; at least 12 are needed.");
    expect(strengthOf("three quiet green harbours").detail).toBe("26 characters; at least 12 are needed.");
    expect(strengthOf("passwordpassword").detail).toBe("16 characters. A few more unrelated words make it strong.");
  });

  test("never finds a password weaker for more at its end", () => {
    const password = "kR7!vq2#Lm9pXz4wT%8s three quiet green harbours";
    let before = 0;
    for (let length = 1; length <= password.length; length++) {
      const { bars } = strengthOf(password.slice(0, length));
      expect(bars).toBeGreaterThanOrEqual(before);
      before = bars;
    }
  });
});

describe("matchInWords()", () => {
  const rows: [password: string, again: string, detail: string, level: string][] = [
    ["secret", "", "The same password again.", "waiting"],
    ["secret", "se", "Matches so far, 4 characters to go.", "waiting"],
    ["secret", "secre", "Matches so far, 1 character to go.", "waiting"],
    ["ab🚗🚗", "ab", "Matches so far, 2 characters to go.", "waiting"],
    ["secret", "secret", "Matches.", "fine"],
    ["secret", "sa", "Does not match.", "failed"],
    ["secret", "secrets", "Does not match.", "failed"],
    ["", "s", "Does not match.", "failed"],
  ];
  for (const [password, again, detail, level] of rows)
    test(`answers ${JSON.stringify(again)} against ${JSON.stringify(password)}: ${detail}`, () =>
      expect(matchInWords(password, again)).toEqual({ detail, level: level as "fine" }));
});
