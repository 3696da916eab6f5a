import { describe, expect, test } from "bun:test";
import { type FormField, type FormGroup, settingsForm } from "../../../server/domain/settings/form_fields.ts";
import {
  fieldsOf,
  initialSettings,
  SECTION_NAMES,
  SECTIONS,
  type Settings,
} from "../../../server/domain/settings/settings.ts";
import { applyPatch } from "../../../server/domain/settings/settings_patch.ts";

const INITIAL = initialSettings();

const sections = (groups: readonly FormGroup[]) => groups.flatMap((group) => group.sections);

function fieldOf(groups: readonly FormGroup[], path: string): FormField {
  const [section, name] = path.split(".");
  const found = sections(groups)
    .find((one) => one.name === section)
    ?.fields.find((field) => field.name === name);
  if (!found) throw new Error(`${path} is not in the form`);
  return found;
}

/** A secret's value; patches refuse some of them, files do not. */
function withSecrets(settings: Settings): Settings {
  const secrets = { password_hash: "$argon2id$secret-hash", session_secret: "s".repeat(40) };
  return {
    ...applyPatch(settings, "metrics", { scrape_token: "a-token-of-sixteen" }),
    auth: { ...settings.auth, ...secrets },
  };
}

describe("the form", () => {
  const form = settingsForm(INITIAL, INITIAL);

  test("calls the camera a camera, and what is played in one go a trip", () => {
    // Fields that are not offered yet are read, too.
    const fields = SECTION_NAMES.flatMap((name) => fieldsOf(name).map(([, field]) => field));
    // Names of hosts, folders and fields may hold any word; they have a dot, a slash or an underscore beside it.
    const words = JSON.stringify([form, fields.map(({ label, help, empty, widget }) => [label, help, empty, widget])]);
    expect(words).toContain("Camera address");
    expect(words.match(/(?<![\w./-])(?:dashcams?|journeys?)(?![\w./-]\w|\w)/gi)).toBeNull();
  });

  test("has every field of every section once, but for those that nothing reads yet", () => {
    expect(
      sections(form)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...SECTION_NAMES].sort());
    for (const { name, fields } of sections(form))
      expect(fields.map((field) => field.name).sort()).toEqual(
        fieldsOf(name)
          .flatMap(([key, { unread }]) => (unread ? [] : [key]))
          .sort(),
      );
  });

  test("groups whole sections by what people want", () => {
    expect(form.map(({ name, sections: own }) => [name, ...own.map((section) => section.name)].join(" "))).toEqual([
      "How often schedule",
      "What to download sync",
      "Keep and delete retention",
      "Storage system",
      "Camera connection camera",
      "Tell me notify",
      "Home Assistant mqtt",
      "Off-site offsite",
      "Sign-in auth",
      "Logs logging",
      "Metrics metrics stats",
      "Viewer viewer",
      "Places places",
      "Moments moments",
      "Links share",
      "Evidence export",
      "Expert web",
    ]);
  });

  test("puts what is rarely needed last in its section", () => {
    for (const { fields } of sections(form)) {
      const rare = fields.map((field) => field.rare === true);
      expect(rare).toEqual([...rare].sort());
    }
    expect(fieldOf(form, "sync.affinity_key").rare).toBe(true);
  });

  test("is plain JSON", () => {
    expect(JSON.parse(JSON.stringify(form))).toEqual(form);
  });

  test("holds no secret, only whether it is set", () => {
    const set = settingsForm(withSecrets(INITIAL), INITIAL);
    const text = JSON.stringify(set);
    for (const secret of ["secret-hash", "ssssss", "a-token-of"]) expect(text).not.toContain(secret);
    for (const path of ["auth.password_hash", "auth.session_secret", "metrics.scrape_token"]) {
      expect(fieldOf(set, path).value).toBe("***");
      expect(fieldOf(form, path).value).toBe("");
    }
    expect(fieldOf(set, "auth.password_hash").widget).toEqual({ kind: "password" });
    expect(fieldOf(set, "auth.session_secret").widget).toEqual({ kind: "sessions" });
    expect(fieldOf(set, "metrics.scrape_token").widget).toEqual({ kind: "secret", nullable: true });
  });

  test("says what is running where a change waits for a restart, and only there", () => {
    const changed = applyPatch(INITIAL, "web", { port: 9000 });
    expect(fieldOf(settingsForm(changed, INITIAL), "web.port")).toMatchObject({ value: "9000", running: "8080" });
    for (const { name, fields } of sections(form))
      for (const field of fields) expect([name, field.running !== undefined]).toEqual([name, field.tier === "restart"]);
  });

  test("says what this start was given, when that is something else than it was set to", () => {
    const inUse = { system: { destination: "/mnt/card" }, web: { port: String(INITIAL.web.port) } };
    const given = settingsForm(applyPatch(INITIAL, "web", { port: 9000 }), INITIAL, inUse);
    expect(fieldOf(given, "system.destination").given).toBe("/mnt/card");
    const others = sections(given).flatMap(({ fields }) => fields.filter((field) => field.given !== undefined));
    expect(others.map(({ name }) => name)).toEqual(["destination"]);
  });

  test("knows what counts sooner than the tier of its section says", () => {
    const sooner = sections(form).flatMap(({ name, fields }) =>
      fields.flatMap((field) => (field.tier === SECTIONS[name].tier ? [] : [`${name}.${field.name} ${field.tier}`])),
    );
    expect(sooner).toEqual([
      "schedule.on_arrival immediate",
      "schedule.arrival_seconds immediate",
      "system.import_folder immediate",
      "connection.address next_tick",
      "connection.timeout_seconds next_tick",
      "web.allowed_hosts immediate",
      "web.public_url immediate",
    ]);
  });

  test("gives numbers their limits, without one that nobody reaches", () => {
    expect(fieldOf(form, "web.port").widget).toEqual({ kind: "number", whole: true, min: 1, max: 65_535 });
    expect(fieldOf(form, "logging.verbose").widget).toEqual({ kind: "number", whole: true, min: 0 });
  });
});
