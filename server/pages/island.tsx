/** @jsxImportSource preact */
import type { ComponentType } from "preact";
import type { IslandName, IslandProps } from "../../islands/registry.ts";

interface IslandPlace<N extends IslandName> {
  readonly name: N;
  /** The island itself, to draw it here. */
  readonly of: ComponentType<IslandProps<N>>;
  readonly props: IslandProps<N>;
  readonly class?: string;
}

/** An island as the server draws it; the browser finds it by name and goes on with the same properties. */
export function Island<N extends IslandName>({ name, of: Component, props, class: className }: IslandPlace<N>) {
  // Properties of an island are an object; the checker cannot know that of all of them at once.
  const Drawn = Component as ComponentType<object>;
  return (
    <div class={className} data-island={name} data-props={JSON.stringify(props)}>
      <Drawn {...(props as object)} />
    </div>
  );
}
