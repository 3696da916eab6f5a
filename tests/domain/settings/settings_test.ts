import { describe, expect, test } from "bun:test";
import { fieldsOf, initialSettings, mask, SECTION_NAMES, SECTIONS } from "../../../server/domain/settings/settings.ts";
import { checkStored } from "../../../server/domain/settings/stored_settings.ts";

const INITIAL = initialSettings();

describe("the schema", () => {
  test("has the nineteen sections in order, each with its tier", () => {
    expect(SECTION_NAMES.map((name) => `${name} ${SECTIONS[name].tier}`)).toEqual([
      "connection restart",
      "schedule next_tick",
      "sync next_tick",
      "retention next_tick",
      "logging immediate",
      "metrics immediate",
      "stats next_tick",
      "viewer immediate",
      "places immediate",
      "moments immediate",
      "share immediate",
      "export immediate",
      "camera immediate",
      "notify immediate",
      "mqtt immediate",
      "offsite immediate",
      "web restart",
      "auth immediate",
      "system restart",
    ]);
  });

  test("starts from these values", () => {
    expect(INITIAL).toEqual({
      connection: { address: "", timeout_seconds: 10 },
      schedule: {
        cron_expression: "*/15 * * * *",
        on_arrival: true,
        arrival_seconds: 30,
        timezone: "UTC",
        paused: false,
      },
      sync: {
        priority: "date",
        grouping: "none",
        include: [],
        exclude: [],
        retry_failed_after: "1d",
        metadata_first: true,
        max_video_gb: 32,
        skip_metadata: [],
        affinity_key: null,
      },
      retention: {
        keep: "2w",
        keep_event: "",
        keep_parking: "",
        keep_manual: "",
        event_context: 1,
        max_gb: null,
        max_percent: null,
        trash_days: 7,
        scrub_days: 90,
        max_used_disk_percent: 90,
      },
      logging: {
        verbose: 0,
        quiet: false,
        format: "text",
        file_max_bytes: 10485760,
        file_backup_count: 5,
        ring_buffer_capacity: 500,
      },
      metrics: {
        file: null,
        pushgateway_url: null,
        job: "dashdock",
        instance: null,
        state_file: "",
        scrape: false,
        scrape_token: null,
      },
      stats: { retention_days: 365 },
      viewer: {
        journey_mode: "full",
        speed_unit: "kmh",
        continuous_play: false,
        trip_gap_minutes: 5,
        map_tiles: false,
        tile_url: "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
        map_file: null,
      },
      places: { list: [], in_messages: false },
      moments: { brake: 0.4, accelerate: 0.35, turn: 0.4, bump: 0.6, impact: 2, parked_bump: 0.3 },
      share: { enabled: false },
      export: { police_days: 7, timestamp_url: null },
      camera: { read_timeout_seconds: 3 },
      notify: {
        targets: [],
        events: [
          "event",
          "overwritten",
          "sync_failed",
          "camera_missing",
          "disk_nearly_full",
          "held",
          "damaged",
          "offsite_failed",
        ],
        camera_missing_days: 3,
        quiet_from: "",
        quiet_to: "",
        ping_url: null,
      },
      mqtt: {
        url: null,
        username: "",
        password: null,
        topic_prefix: "dashdock",
        discovery_prefix: "homeassistant",
        ca_file: null,
      },
      offsite: {
        endpoint: null,
        bucket: "",
        region: "us-east-1",
        access_key: null,
        secret_key: null,
        ca_file: null,
        prefix: "",
        what: "kept",
        from: "",
        to: "",
        events_at_once: false,
        rate_limit: null,
        passphrase: null,
        passphrase_noted: false,
      },
      web: { port: 8080, session_lifetime_hours: 24, allowed_hosts: [], public_url: null, base_path: "" },
      auth: {
        mode: "login",
        username: "admin",
        password_hash: "",
        viewer_username: "",
        viewer_password_hash: "",
        session_secret: "",
        trusted_proxies: [],
        proxy_user_header: "X-Remote-User",
        proxy_groups_header: "",
        proxy_admin_group: "",
      },
      system: { destination: "/recordings", import_folder: null, dry_run: false },
    });
  });

  test("accepts all of its own initial values", () => {
    expect(checkStored({ ...INITIAL }).problems).toEqual([]);
  });

  test("gives every field a label, a help sentence and a variable of its own", () => {
    const fields = SECTION_NAMES.flatMap(fieldsOf).map(([, field]) => field);
    for (const field of fields) {
      expect(field.label).not.toBe("");
      expect(field.help).toEndWith(".");
    }
    const variables = fields.flatMap((field) => field.env?.name ?? []);
    expect(new Set(variables).size).toBe(variables.length);
  });
});

describe("mask()", () => {
  test("shows version and tiers, and every secret as *** even when it is empty", () => {
    const masked = mask(INITIAL);
    expect(Object.keys(masked)).toEqual(["version", ...SECTION_NAMES]);
    expect(masked.version).toBe(2);
    expect(masked.auth).toEqual({
      _tier: "immediate",
      mode: "login",
      username: "admin",
      password_hash: "***",
      viewer_username: "",
      viewer_password_hash: "***",
      session_secret: "***",
      trusted_proxies: [],
      proxy_user_header: "X-Remote-User",
      proxy_groups_header: "",
      proxy_admin_group: "",
    });
    expect(masked.metrics.scrape_token).toBe("***");
  });
});
