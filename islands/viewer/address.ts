import { asked } from "../browser/page_camera.ts";
/** Change of the address after a choice: a step to go back from, a replacement of the last one, or none. */
export type Step = "push" | "replace" | "none";

/** The page's address, which names what is on show and takes part in the browser's history. */
export class Address {
  /** Query of the last change. */
  #search = "";

  /** Makes it this one, which names what is on show. */
  write(path: string, step: Step): void {
    if (step === "push") history.pushState(null, "", asked(path, document));
    else if (step === "replace") history.replaceState(null, "", asked(path, document));
    this.#search = location.search;
  }

  /** Calls when the browser goes back or forward to something else. @returns what ends it */
  onMove(moved: () => void): () => void {
    this.#search = location.search;
    const onPopState = () => {
      // A link within the page changes only what stands behind the "#".
      if (location.search === this.#search) return;
      this.#search = location.search;
      moved();
    };
    addEventListener("popstate", onPopState);
    return () => removeEventListener("popstate", onPopState);
  }
}
