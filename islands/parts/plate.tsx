/** @jsxImportSource preact */

/** A camera as a plate shows it. */
export interface PlateCamera {
  readonly name: string;
  readonly letter: string;
  /** Its place among the cameras, from 0 on: it gives the colour. */
  readonly place: number;
}

interface PlateProps {
  readonly camera: PlateCamera;
  readonly isLarge?: boolean;
}

const COLORS = ["w1", "w2", "w3", "w4", "w5", "w6"] as const;

/** Shows whose something is: a small number plate with the camera's letter. Its name has to stand beside it. */
export function Plate({ camera: { letter, place }, isLarge = false }: PlateProps) {
  // From the seventh camera on the same colours are outlines.
  const outlined = place >= COLORS.length ? " who-o" : "";
  const color = COLORS[place % COLORS.length];
  return (
    <span class={`who ${color}${outlined}${isLarge ? " who-l" : ""}`} aria-hidden="true">
      {letter}
    </span>
  );
}

/** Shows whose something is, with the name: `<Whose camera={…} />`. */
export function Whose({ camera }: Pick<PlateProps, "camera">) {
  return (
    <span class="whose">
      <Plate camera={camera} />
      <span class="whose-n">{camera.name}</span>
    </span>
  );
}
