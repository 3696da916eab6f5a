import caddy from "../assets/deploy/Caddyfile" with { type: "text" };
import caddySignIn from "../assets/deploy/Caddyfile-sign-in" with { type: "text" };
import caddySubPath from "../assets/deploy/Caddyfile-sub-path" with { type: "text" };
import nginxSignIn from "../assets/deploy/nginx-sign-in.conf" with { type: "text" };
import nginxSubPath from "../assets/deploy/nginx-sub-path.conf" with { type: "text" };
import traefik from "../assets/deploy/traefik.yaml" with { type: "text" };
import api from "../assets/guide/api.md" with { type: "text" };
import cameras from "../assets/guide/cameras.md" with { type: "text" };
import commands from "../assets/guide/commands.md" with { type: "text" };
import deleting from "../assets/guide/deleting.md" with { type: "text" };
import disk from "../assets/guide/disk.md" with { type: "text" };
import firstSteps from "../assets/guide/first-steps.md" with { type: "text" };
import install from "../assets/guide/install.md" with { type: "text" };
import messages from "../assets/guide/messages.md" with { type: "text" };
import missing from "../assets/guide/missing.md" with { type: "text" };
import monitoring from "../assets/guide/monitoring.md" with { type: "text" };
import moving from "../assets/guide/moving.md" with { type: "text" };
import nas from "../assets/guide/nas.md" with { type: "text" };
import offsite from "../assets/guide/offsite.md" with { type: "text" };
import otherTools from "../assets/guide/other-tools.md" with { type: "text" };
import pages from "../assets/guide/pages.md" with { type: "text" };
import proxy from "../assets/guide/proxy.md" with { type: "text" };
import security from "../assets/guide/security.md" with { type: "text" };
import settings from "../assets/guide/settings.md" with { type: "text" };
import signIn from "../assets/guide/sign-in.md" with { type: "text" };
import slow from "../assets/guide/slow.md" with { type: "text" };
import syncing from "../assets/guide/syncing.md" with { type: "text" };
import homeAssistant from "../assets/guide/home-assistant.md" with { type: "text" };
import telling from "../assets/guide/telling.md" with { type: "text" };
import transfers from "../assets/guide/transfers.md" with { type: "text" };
import unreachable from "../assets/guide/unreachable.md" with { type: "text" };
import update from "../assets/guide/update.md" with { type: "text" };
import variables from "../assets/guide/variables.md" with { type: "text" };
import viewer from "../assets/guide/viewer.md" with { type: "text" };
import type { DescribedRoute } from "./api/endpoint.ts";
import { allHelp, type CommandHelp } from "./commands/command_help.ts";
import { ERRORS } from "./domain/answers/errors.ts";
import { CHAPTER_NAMES, type Chapter, type ChapterName, chapterOf } from "./domain/guide/chapters.ts";
import { settingsText, variablesTable } from "./domain/guide/settings_text.ts";

const TEXTS: Readonly<Record<ChapterName, string>> = {
  "first-steps": firstSteps,
  "sign-in": signIn,
  api,
  cameras,
  commands,
  deleting,
  disk,
  install,
  messages,
  missing,
  monitoring,
  moving,
  nas,
  pages,
  proxy,
  security,
  settings,
  slow,
  syncing,
  telling,
  "home-assistant": homeAssistant,
  offsite,
  "other-tools": otherTools,
  transfers,
  unreachable,
  update,
  variables,
  viewer,
};

/** Stands in a chapter for text made from the code: `<!-- made: settings -->`. */
const MADE = /^<!-- made: (.*) -->$/gm;

/** The guide with everything in it that is made from the code. @param routes all endpoints, for the table of the API */
export async function openGuide(routes: readonly DescribedRoute[]): Promise<readonly Chapter[]> {
  const made: Readonly<Record<string, string>> = {
    settings: settingsText(),
    variables: variablesTable(),
    commands: commandsText(),
    errors: errorsTable(),
    api: await apiTable(routes),
    Caddyfile: fenced("caddyfile", caddy),
    "Caddyfile-sign-in": fenced("caddyfile", caddySignIn),
    "Caddyfile-sub-path": fenced("caddyfile", caddySubPath),
    "nginx-sign-in.conf": fenced("nginx", nginxSignIn),
    "nginx-sub-path.conf": fenced("nginx", nginxSubPath),
    "traefik.yaml": fenced("yaml", traefik),
  };
  return CHAPTER_NAMES.map((name) =>
    chapterOf(
      name,
      TEXTS[name].replaceAll(MADE, (_, what: string) => made[what] ?? ""),
    ),
  );
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

function errorsTable(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`);
  return tableOf("code | status | means", rows);
}

async function apiTable(routes: readonly DescribedRoute[]): Promise<string> {
  const rows = await Promise.all(
    routes.map(async ({ method, path, about }) => {
      const endpoint = await about();
      return endpoint === null ? [] : [`| \`${method} ${path}\` | ${endpoint.summary} |`];
    }),
  );
  return tableOf("address | answers", rows.flat());
}

/** Lists the commands with the words of `dashdock help`, and the options of each. */
function commandsText(): string {
  const commands = allHelp();
  const rows = commands.map(({ name, about }) => `| \`${name}\` | ${about} |`);
  return [tableOf("command | does", rows), "## All options", ...commands.map(commandText)].join("\n\n");
}

function commandText({ name, usage, before, options, behind }: CommandHelp): string {
  const rows = options.map(({ short, long, value, text }) => {
    const names = [short, long].filter((one) => one !== null).join(", ");
    return `| \`${value === null ? names : `${names} ${value}`}\` | ${plain(text)} |`;
  });
  return [
    `### \`dashdock ${name}\``,
    fenced("", usage),
    ...before.map(paragraphOf),
    ...(rows.length > 0 ? [tableOf("option | does", rows)] : []),
    ...behind.map(paragraphOf),
  ].join("\n\n");
}

/** Keeps what is indented in the help as it stands. */
function paragraphOf(text: string): string {
  return /^ /m.test(text) ? fenced("", text) : plain(text);
}

/** A text of the help, of which nothing is a mark of Markdown. */
function plain(text: string): string {
  return text.replaceAll(/[<|*_\\`[\]]/g, "\\$&");
}

function tableOf(heads: string, rows: readonly string[]): string {
  return [`| ${heads} |`, `|${heads.replaceAll(/[^|]+/g, "---")}|`, ...rows].join("\n");
}
