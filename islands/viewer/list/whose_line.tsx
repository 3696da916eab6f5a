/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { type PlateCamera, Whose } from "../../parts/plate.tsx";

interface WhoseLineProps {
  /** Null and left out where all on the list is of one camera: then there is nothing but the line. */
  readonly camera?: PlateCamera | null | undefined;
  readonly children: ComponentChildren;
}

/** The line of a row that begins with whose it is. */
export function WhoseLine({ camera, children }: WhoseLineProps) {
  if (!camera) return <>{children}</>;
  return (
    <span class="whose-line">
      <Whose camera={camera} />
      {children}
    </span>
  );
}
