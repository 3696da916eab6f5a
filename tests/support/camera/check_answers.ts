import type { Page } from "playwright-core";
import {
  type CheckReport,
  type CheckStep,
  type CheckStepName,
  type CheckVerdict,
  STEP_LABELS,
} from "../../../server/domain/camera/check_report.ts";

const FINE: CheckVerdict = {
  level: "fine",
  reason: "fine",
  cause: "It works, and nothing stands in the way.",
  remedy: "It reads at 12.1 MB/s: all 412 recordings come home in about 1 h 22 min.",
  command: null,
  setting: null,
};

/** A verdict that differs from a good one. */
export function verdict(change: Partial<CheckVerdict> = {}): CheckVerdict {
  return { ...FINE, ...change };
}

/** A report whose steps before `at` are fine, that asks at `at`, and waits with the rest; all fine when left out. */
export function reportAt(at: CheckStepName | null, change: Partial<CheckReport> = {}): CheckReport {
  let state: CheckStep["state"] = "fine";
  const steps = (Object.keys(STEP_LABELS) as CheckStepName[]).map((name) => {
    if (state === "asking") state = "waiting";
    if (name === at) state = "asking";
    const finding = state === "fine" ? (FINDINGS[name] ?? "As it should be") : "";
    return { name, label: STEP_LABELS[name], state, finding, figure: name === "connect" ? "12 ms" : null, numbers: {} };
  });
  const took = at === null ? 9 : null;
  const began_at = "2026-11-20T20:51:00.000Z";
  return {
    address: "192.168.1.64",
    began_at,
    took_seconds: took,
    sync_running: false,
    steps,
    verdict: null,
    warnings: [],
    ...change,
  };
}

const FINDINGS: Readonly<Partial<Record<CheckStepName, string>>> = {
  address: "192.168.1.64, no name to look up",
  route: "Same network, 192.168.1.0/24 by eth0",
  list: "412 recordings, newest today 07:31",
  model: "DR900X Plus, firmware 1.015",
  settings: "None of 85 works against the schedule",
};

/** A frame of the stream, as the service writes it. */
export function frame(report: CheckReport): string {
  return `event: check\ndata: ${JSON.stringify(report)}\n\n`;
}

/** Answers to a page that asks for a check. */
export interface CheckStage {
  /** Sends one more report. */
  readonly send: (report: CheckReport) => Promise<void>;
  /** Ends the answer. */
  readonly end: () => Promise<void>;
}

/**
 * Answers the checks of a page report by report, as they are sent: also those that no camera on this machine can cause,
 * at the moment a test wants them. To be called before the page is opened.
 */
export async function stageChecks(page: Page): Promise<CheckStage> {
  await page.addInitScript(() => {
    // Reports sent before the page asks wait for it.
    let waiting: (string | null)[] = [];
    let open: ReadableStreamDefaultController<Uint8Array> | null = null;
    const flush = () => {
      for (; open !== null && waiting.length > 0; waiting = waiting.slice(1)) {
        const [text = null] = waiting;
        if (text !== null) open.enqueue(new TextEncoder().encode(text));
        else open.close();
        if (text === null) open = null;
      }
    };
    const send = (text: string | null) => {
      waiting.push(text);
      flush();
    };
    const real = window.fetch;
    const ask = async (path: string, init: RequestInit = {}) => {
      if (path !== "/api/camera/check") return await real(path, init);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          open = controller;
          init.signal?.addEventListener("abort", () => {
            if (open === controller) open = null;
            controller.error(init.signal?.reason);
          });
        },
      });
      flush();
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
    Object.assign(window, { stage: { send }, fetch: ask });
  });
  return {
    send: (report) => page.evaluate((text) => (window as unknown as Staged).stage.send(text), frame(report)),
    end: () => page.evaluate(() => (window as unknown as Staged).stage.send(null)),
  };
}

interface Staged {
  /** @param text null ends the answer */
  readonly stage: { readonly send: (text: string | null) => void };
}
