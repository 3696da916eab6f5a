import type { RequestContext } from "./request_context.ts";

/** A browser's choice of theme, kept where the server sees it: so the first paint has it. */
export function themeOf(context: RequestContext): "light" | "dark" | undefined {
  const [chosen] = context.cookies("dashdock_theme");
  return chosen === "light" || chosen === "dark" ? chosen : undefined;
}
