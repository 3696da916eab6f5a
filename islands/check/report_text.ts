import { type CheckReport, furtherWarnings } from "../../server/domain/camera/check_report.ts";
import { formatSeconds } from "../../server/domain/text/format.ts";
import { settled, WORDS } from "./check_steps.tsx";

/** A check as plain text, as it is copied into a message or a forum. */
export function reportText(report: CheckReport): string {
  const { address, began_at, took_seconds, steps, verdict } = report;
  const took = took_seconds === null ? "not ended" : `took ${formatSeconds(took_seconds)}`;
  const rows = steps.map((step) => {
    const { label, state, finding, figure } = settled(step, false);
    const found = [finding, figure].filter(Boolean).join(", ");
    return `${label.padEnd(LABEL)}${WORDS[state].padEnd(STATE)}${found}`.trimEnd();
  });
  const said = verdict === null ? [] : [verdict.cause, verdict.remedy, verdict.command ?? "", ""];
  const further = furtherWarnings(report).flatMap(({ cause, remedy }) => [cause, remedy, ""]);
  const lines = [`Check of the camera at ${address}, ${began_at}, ${took}`, "", ...said, ...further, ...rows];
  return `${lines.filter((line, at) => line !== "" || lines[at - 1] !== "").join("\n")}\n`.replaceAll(
    /[\u00a0\u202f]/g,
    " ",
  );
}

/** Widths of the columns, with a space at the end. */
const LABEL = 12;
const STATE = 16;
