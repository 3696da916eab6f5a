import { type Asker, leaveForSignIn, NO_CONNECTION, Refusal, refusalOf } from "./client.ts";
import { asked } from "./page_camera.ts";

/**
 * Asks for a part of a page as the server draws it; an ended session leads to sign-in.
 * @returns null when nothing came
 * @throws Refusal
 */
export async function fetchFragment({ page, ask }: Asker, path: string, signal: AbortSignal): Promise<Element | null> {
  const headers = { "hx-request": "true", "hx-current-url": page.location.href };
  const template = page.createElement("template");
  let answer: Response;
  try {
    answer = await ask(asked(path, page), { headers, signal });
    template.innerHTML = answer.ok ? await answer.text() : "";
  } catch {
    throw new Refusal("NO_CONNECTION", NO_CONNECTION);
  }
  // Without the header it is a sign-in elsewhere, such as a proxy's, that has ended.
  const signIn = answer.headers.get("hx-redirect");
  if (signIn !== null || answer.status === 401) {
    leaveForSignIn(page, signIn ?? undefined);
    throw new Refusal("AUTH_REQUIRED", "You were signed out.");
  }
  if (!answer.ok) throw refusalOf(null, answer.status);
  return template.content.firstElementChild;
}
