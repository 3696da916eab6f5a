/** Line of the drawing: its colour and its width. */
export interface Ink {
  readonly colour: string;
  readonly width: number;
}

export interface MapInks {
  /** By how often a road was driven, from class 1 on. */
  readonly often: readonly Ink[];
  /** By speed, from class 0 on, which is not known. */
  readonly speeds: readonly Ink[];
  /** Around lines of speed. */
  readonly casing: Ink;
  readonly grid: string;
  /** Names of towns, of own places, and around both. */
  readonly town: string;
  readonly own: string;
  readonly halo: string;
  readonly font: string;
}

const OFTEN = ["--g-h1", "--g-h2", "--g-h3", "--accent", "--accent-hot"].map((name) => `var(${name})`);
/** The first classes, whose colours are mixed with that of the ground. */
const FAINT = 3;
const OFTEN_WIDTHS = [1.5, 2.25, 3.25, 4.75, 7];
const SPEEDS = ["--g-h1", "--q1", "--q2", "--q3", "--q4", "--q5"].map((name) => `var(${name})`);
const SPEED_WIDTH = 3.25;
const CASING_WIDTH = 6;

/**
 * Inks of this place and theme. On streets all lines have the full colour.
 *
 * A canvas knows neither custom properties nor `light-dark()`: an element is asked.
 */
export function readInks(place: Element, isOnStreets: boolean): MapInks {
  const probe = document.createElement("span");
  place.append(probe);
  const read = (value: string) => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const inks = {
    often: OFTEN.map((value, at) => ({
      colour: read(isOnStreets && at < FAINT ? "var(--accent)" : value),
      width: OFTEN_WIDTHS[at] ?? 1,
    })),
    speeds: SPEEDS.map((value, at) => ({ colour: read(value), width: at === 0 ? 1.5 : SPEED_WIDTH })),
    casing: { colour: read("var(--g-case)"), width: CASING_WIDTH },
    grid: read("var(--g-grid)"),
    town: read("var(--g-word)"),
    own: read("var(--text)"),
    halo: read("var(--g-ground)"),
    font: getComputedStyle(place).fontFamily,
  };
  probe.remove();
  return inks;
}
