/** Lays the map over the picture, whatever size that has. @returns what puts it back */
export function lieOverStage(map: HTMLElement): () => void {
  const whole = map.closest<HTMLElement>(".vw");
  const stage = whole?.querySelector<HTMLElement>(".stage");
  if (!whole || !stage) return () => {};
  const lay = () => {
    const [frame, over] = [whole.getBoundingClientRect(), stage.getBoundingClientRect()];
    map.style.left = `${over.left - frame.left}px`;
    map.style.top = `${over.top - frame.top}px`;
    map.style.width = `${over.width}px`;
    map.style.height = `${over.height}px`;
  };
  const resized = new ResizeObserver(lay);
  resized.observe(stage);
  resized.observe(whole);
  lay();
  map.scrollIntoView({ block: "nearest" });
  return () => {
    resized.disconnect();
    map.removeAttribute("style");
  };
}
