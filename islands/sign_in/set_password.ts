import { reached } from "../browser/address.ts";

/** Problems by field; `form` is about none of them. */
export interface FirstRunProblems {
  readonly form?: string;
  readonly code?: string;
  readonly username?: string;
  readonly password?: string;
  readonly confirm?: string;
  readonly keep?: string;
}

/** New state of a refused form: the token to send it again, and its problems. */
export interface Refused {
  readonly token: string;
  readonly problems: FirstRunProblems;
}

const AGAIN_MS = 1000;
/** A service that has not started by then does not start. */
const MOST_TRIES = 60;
const NO_CONNECTION = "Dashdock does not answer. Check that it runs and that this device is in the same network.";
const NOT_UNDERSTOOD = "That did not work. Load the page again and repeat it.";

/** Sends the form of the first run and waits for a service that starts. @returns null when it was taken */
export async function setPassword(form: HTMLFormElement): Promise<Refused | null> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  // The value that the page wrote there may be older than the text of a password manager.
  body.set("confirm", body.get("password") ?? "");
  const token = body.get("csrf_token") ?? "";
  let answer: Response;
  try {
    const send = () => fetch(reached("/first-run"), { method: "POST", body, redirect: "manual" });
    answer = await send();
    for (let tries = 1; answer.status === 503 && tries < MOST_TRIES; tries++) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      answer = await send();
    }
    // To the sign-in page.
    if (answer.type === "opaqueredirect") return null;
    return refusedIn(await answer.text()) ?? { token, problems: { form: NOT_UNDERSTOOD } };
  } catch {
    return { token, problems: { form: NO_CONNECTION } };
  }
}

/** The problems in the page that came instead; null when it is another page. */
function refusedIn(html: string): Refused | null {
  const page = new DOMParser().parseFromString(html, "text/html");
  const props = page.querySelector<HTMLElement>("[data-island=sign_in]")?.dataset["props"];
  if (props === undefined) return null;
  const { token, problems } = JSON.parse(props) as Refused;
  return { token, problems };
}
