const MIB = 1024 * 1024;

export interface LongBody {
  readonly name: string;
  readonly type: string;
  readonly body: string;
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** Fields that some route reads, so that what is long gets as far as its check. */
const FIELDS = ["include", "trusted_proxies", "address", "allowed_hosts", "keys", "note", "id", "current_password"];

/** Bodies as long as is read at all, of what takes longest to look at. */
export const LONG_BODIES: readonly LongBody[] = [
  ...(
    [
      ["quotes", JSON.stringify('"'.repeat(MIB / 20))],
      ["one long word", JSON.stringify("x".repeat(MIB / 10))],
      ["addresses with many @", JSON.stringify("a@".repeat(MIB / 20))],
      ["dots", JSON.stringify(".".repeat(MIB / 10))],
      ["a list of empty texts", `[${'"",'.repeat(MIB / 35)}""]`],
      ["a list of wrong entries", `[${'"http://a@b/",'.repeat(MIB / 130)}""]`],
      ["a list of lists", `[${"[],".repeat(MIB / 35)}[]]`],
      ["nested lists", "[".repeat(MIB / 20) + "]".repeat(MIB / 20)],
    ] as const
  ).map(([name, value]) => ({
    name,
    type: JSON_TYPE,
    body: `{${FIELDS.map((field) => `"${field}":${value}`).join(",")}}`,
  })),
  { name: "fields nobody knows", type: JSON_TYPE, body: `{${manyFields(80_000)},"z":0}` },
  { name: "keys of recordings", type: JSON_TYPE, body: `{"keys":[${'"20260607_101500_N",'.repeat(50_000)}"x"]}` },
  { name: "objects side by side", type: JSON_TYPE, body: `{"keys":[${"{},".repeat(MIB / 3 - 10)}{}]}` },
  { name: "as many fields as are read", type: JSON_TYPE, body: `{${manyFields(19_999)},"z":"${"y".repeat(800_000)}"}` },
  { name: "texts that are all different", type: JSON_TYPE, body: `{"keys":[${manyTexts(80_000)}]}` },
  { name: "escapes", type: JSON_TYPE, body: `{"note":"${"\\u00e9".repeat(MIB / 6 - 10)}"}` },
  { name: "form fields", type: FORM_TYPE, body: "a&".repeat(MIB / 2) },
  { name: "escapes in a form", type: FORM_TYPE, body: `username=${"%22".repeat(MIB / 4)}` },
];

function manyTexts(count: number): string {
  return Array.from({ length: count }, (_, index) => `"\\n${index}"`).join(",");
}

function manyFields(count: number): string {
  return Array.from({ length: count }, (_, index) => `"f${index}":0`).join(",");
}
