/** Keeps toasts in sight: of a page in full screen only the element that fills it is seen. @returns what ends it */
export function followFullScreen(page: Document): () => void {
  const region = page.getElementById("toasts");
  const changed = () => {
    const full = page.fullscreenElement;
    // A native player shows nothing that is put into it.
    if (region) (full && !full.matches("video") ? full : page.body).append(region);
  };
  page.addEventListener("fullscreenchange", changed);
  return () => page.removeEventListener("fullscreenchange", changed);
}
