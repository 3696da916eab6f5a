import { field, section } from "../field.ts";
import { controlProblem, flag, nullableText, secretText, text } from "../field_kinds.ts";
import { gatewayProblem, withoutCredentials } from "../gateway.ts";

export const METRICS = section("immediate", "Metrics", {
  file: field(nullableText(controlProblem, "path"), null, {
    label: "Metrics file",
    help: "After each sync its figures are written here in the Prometheus text format. Empty: no file.",
    empty: "no file",
    env: { name: "METRICS_FILE", read: "text" },
  }),
  pushgateway_url: field(nullableText(gatewayProblem, "gateway"), null, {
    label: "Pushgateway",
    help: "After each sync its figures are sent to this address, such as http://pushgateway:9091. Empty: not sent.",
    empty: "not sent",
    env: { name: "METRICS_PUSHGATEWAY_URL", read: "text" },
    shownAs: withoutCredentials,
  }),
  job: field(text(), "dashdock", {
    label: "Job label",
    help: "The job name under which the figures are sent.",
    rare: true,
    env: { name: "METRICS_JOB", read: "text" },
  }),
  instance: field(nullableText(), null, {
    label: "Instance label",
    help: "The instance name under which the figures are sent. Empty: the camera address.",
    empty: "the camera address",
    rare: true,
    env: { name: "METRICS_INSTANCE", read: "text" },
  }),
  state_file: field(text(controlProblem, "path"), "", {
    label: "State file",
    help: "Totals are kept in this file between syncs. Empty: metrics-state.json beside the settings file.",
    empty: "beside the settings file",
    rare: true,
    env: { name: "METRICS_STATE_FILE", read: "text" },
  }),
  scrape: field(flag("On, at /metrics", "Off"), false, {
    label: "Offer /metrics",
    help: "Let Prometheus collect the figures from this service.",
  }),
  scrape_token: field(secretText(/^([!-~]{16,256})?$/, "empty or 16 to 256 visible ASCII characters"), null, {
    label: "Token for /metrics",
    help: "A collector must send this as its bearer token.",
    secret: { remedy: null },
    guards: "scrape",
  }),
});
