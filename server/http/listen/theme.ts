import type { Visit } from "./request_context.ts";

/** A browser's choice of theme, kept where the server sees it: so the first paint has it. */
export function themeOf(visit: Visit): "light" | "dark" | undefined {
  const [chosen] = visit.cookies("dashdock_theme");
  return chosen === "light" || chosen === "dark" ? chosen : undefined;
}
