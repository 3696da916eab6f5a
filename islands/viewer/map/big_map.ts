/** Part of the pictures that stays in view while the page is scrolled; null when none does now. */
function heldPicture(whole: HTMLElement, below: number): DOMRect | null {
  const picture = whole.querySelector(".lay-strip > .is-main") ?? whole.querySelector(".stage");
  if (!picture || getComputedStyle(picture).position !== "sticky") return null;
  const place = picture.getBoundingClientRect();
  return place.top > below + 1 ? place : null;
}

/** Lays the map over the pictures, between what stands above and below them. @returns what puts it back */
export function lieOverPictures(map: HTMLElement): () => void {
  const whole = map.closest<HTMLElement>(".vw");
  // On a phone that is held upright only a part of what moves the pictures stands right below them.
  const [above, below] = [".vw-head", ".transport, .tr-now"].map((places) =>
    [...(whole?.querySelectorAll<HTMLElement>(places) ?? [])].find((place) => place.offsetHeight > 0),
  );
  if (!whole || !above || !below) return () => {};
  const lay = () => {
    const [frame, head, foot] = [whole, above, below].map((place) => place.getBoundingClientRect()) as [
      DOMRect,
      DOMRect,
      DOMRect,
    ];
    const held = heldPicture(whole, head.bottom);
    map.style.position = held ? "fixed" : "";
    map.style.left = `${head.left - (held ? 0 : frame.left)}px`;
    map.style.top = `${held?.top ?? head.bottom - frame.top}px`;
    map.style.width = `${head.width}px`;
    map.style.height = `${foot.top - head.bottom}px`;
  };
  const resized = new ResizeObserver(lay);
  for (const place of [whole, above, below]) resized.observe(place);
  addEventListener("scroll", lay, { passive: true });
  lay();
  map.scrollIntoView({ block: "nearest" });
  return () => {
    resized.disconnect();
    removeEventListener("scroll", lay);
    map.removeAttribute("style");
  };
}
