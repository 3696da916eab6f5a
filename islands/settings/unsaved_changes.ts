import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { leaveForSignIn, send } from "../browser/client.ts";

export interface Leaving {
  /** The session has ended, and the page stays for what is not saved. */
  readonly isSignedOut: ReadonlySignal<boolean>;
  /** Leaves the page without asking. */
  readonly leave: (go: () => void) => void;
  /** There is a session again: what has stopped goes on. */
  readonly signedIn: () => void;
}

/** While there are unsaved changes, the browser asks before the page is left, and it stays when the session ends. */
export function useUnsavedChanges(isNeeded: boolean): Leaving {
  const isFree = useRef(false);
  const isSignedOut = useSignal(false);
  const signedIn = () => {
    if (!isSignedOut.value) return;
    isSignedOut.value = false;
    document.dispatchEvent(new Event("signedin"));
  };
  useEffect(() => {
    if (!isNeeded) {
      // The changes were taken back: nothing holds the page any longer.
      if (isSignedOut.value) leaveForSignIn();
      return;
    }
    const ended = new AbortController();
    const { signal } = ended;
    const hold = (event: Event) => {
      if (isFree.current) return;
      event.preventDefault();
      if (event.type === "signedout") isSignedOut.value = true;
    };
    /** The user may have signed in in another tab. */
    const checkSession = () => {
      if (isSignedOut.value && !document.hidden) send("GET /api/auth/me").then(signedIn, () => {});
    };
    addEventListener("beforeunload", hold, { signal });
    document.addEventListener("signedout", hold, { signal });
    document.addEventListener("visibilitychange", checkSession, { signal });
    addEventListener("focus", checkSession, { signal });
    return () => ended.abort();
  }, [isNeeded]);
  const leave = (go: () => void) => {
    isFree.current = true;
    go();
  };
  return { isSignedOut, leave, signedIn };
}
