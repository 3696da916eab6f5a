/** @jsxImportSource preact */
import type { ComponentType, HTMLAttributes } from "preact";
import type { KeepDrawnProps } from "./keep/shared.ts";
import type { LaterPart } from "./later_part.ts";

/** Props of a part of the page that comes with a script of its own. */
export interface PartProps extends KeepDrawnProps {
  /** The setting it is about, where there is more than one of its kind, or the id of the camera. */
  readonly path?: string | undefined;
}

export interface LaterProps extends PartProps {
  readonly part: LaterPart;
}

interface PlaceProps extends LaterProps {
  /** Draws it, on the server. */
  readonly of: ComponentType<LaterProps> | undefined;
  /** More about its element. */
  readonly place?: HTMLAttributes<HTMLDivElement> & { readonly "data-section"?: string };
}

/** Preact leaves the server's markup as it is until `wake.tsx` hydrates it. */
const NOTHING = { __html: "" } as const;

/** The place of a part that would be too large to come with the rest: drawn by the server, hydrated when it is used. */
export function Later({ of: Part, place, ...about }: PlaceProps) {
  const marked = { ...place, "data-later": about.part, "data-path": about.path };
  if (Part === undefined) return <div {...marked} dangerouslySetInnerHTML={NOTHING} />;
  return (
    <div {...marked}>
      <Part {...about} />
    </div>
  );
}
