/** Lays the map over the pictures, between what stands above and below them. @returns what puts it back */
export function lieOverPictures(map: HTMLElement): () => void {
  const whole = map.closest<HTMLElement>(".vw");
  const [above, below] = [".vw-head", ".transport"].map((place) => whole?.querySelector<HTMLElement>(place));
  if (!whole || !above || !below) return () => {};
  const lay = () => {
    const [frame, head, foot] = [whole, above, below].map((place) => place.getBoundingClientRect()) as [
      DOMRect,
      DOMRect,
      DOMRect,
    ];
    map.style.left = `${head.left - frame.left}px`;
    map.style.top = `${head.bottom - frame.top}px`;
    map.style.width = `${head.width}px`;
    map.style.height = `${foot.top - head.bottom}px`;
  };
  const resized = new ResizeObserver(lay);
  for (const place of [whole, above, below]) resized.observe(place);
  lay();
  map.scrollIntoView({ block: "nearest" });
  return () => {
    resized.disconnect();
    map.removeAttribute("style");
  };
}
