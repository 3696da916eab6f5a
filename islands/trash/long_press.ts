/** How long a finger rests before it selects. */
const REST_MS = 500;
/** How far it may stray meanwhile. */
const STRAY_PX = 10;
/** So close to the edge the page goes on below the finger, by so much with each move. */
const [EDGE_PX, SCROLL_PX] = [96, 24];

/** What a finger that rests begins: it selects that place, and then all up to another one. */
export type BeginSelecting = (place: HTMLElement) => ((reached: HTMLElement) => void) | null;

/**
 * A finger that rests on a row or on a day selects it, and selects all that it is drawn over then. A finger that moves
 * first scrolls, as anywhere.
 * @param of.places a selector of what can be selected
 * @param of.signal ends it
 */
export function selectByLongPress(
  root: HTMLElement,
  { places, begin, signal }: { readonly places: string; readonly begin: BeginSelecting; readonly signal: AbortSignal },
): void {
  const { ownerDocument: page } = root;
  let resting: { readonly timer: ReturnType<typeof setTimeout>; readonly x: number; readonly y: number } | null = null;
  let reach: ((reached: HTMLElement) => void) | null = null;
  const placeAt = (x: number, y: number) => page.elementFromPoint(x, y)?.closest<HTMLElement>(places) ?? null;
  const stop = () => {
    if (resting !== null) clearTimeout(resting.timer);
    [resting, reach] = [null, null];
  };
  root.addEventListener(
    "touchstart",
    ({ touches }) => {
      stop();
      const [touch] = touches;
      if (touch === undefined || touches.length > 1) return;
      const { clientX: x, clientY: y } = touch;
      const timer = setTimeout(() => {
        resting = null;
        const place = placeAt(x, y);
        reach = place === null ? null : begin(place);
      }, REST_MS);
      resting = { timer, x, y };
    },
    { signal, passive: true },
  );
  root.addEventListener(
    "touchmove",
    (event) => {
      const [touch] = event.touches;
      if (touch === undefined) return;
      const { clientX: x, clientY: y } = touch;
      if (resting !== null && Math.hypot(x - resting.x, y - resting.y) > STRAY_PX) stop();
      if (reach === null) return;
      // A page that glides on takes the finger for its own.
      if (!event.cancelable) return stop();
      // The finger selects: the page stays, but for its edges.
      event.preventDefault();
      const { innerHeight, scrollBy } = page.defaultView ?? globalThis.window;
      if (y < EDGE_PX) scrollBy(0, -SCROLL_PX);
      else if (y > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
      const place = placeAt(x, y);
      if (place !== null) reach(place);
    },
    { signal, passive: false },
  );
  for (const end of ["touchend", "touchcancel"] as const)
    root.addEventListener(
      end,
      (event) => {
        // What follows a rest is no click.
        if (reach !== null && event.cancelable) event.preventDefault();
        stop();
      },
      { signal, passive: false },
    );
  // A picture has a menu of its own that comes with a rest.
  root.addEventListener(
    "contextmenu",
    (event) => {
      if (resting !== null || reach !== null) event.preventDefault();
    },
    { signal },
  );
  signal.addEventListener("abort", stop);
}
