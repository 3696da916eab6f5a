/** @jsxImportSource preact */

const WAYS = [
  ["/viewer", "Trips"],
  ["/map", "Map"],
] as const;

/** Ways to look for recordings: by time, or by place. */
export function ViewerWays({ current }: { readonly current: (typeof WAYS)[number][0] }) {
  return (
    <nav class="seg ways" aria-label="Ways to look">
      {WAYS.map(([path, name]) => (
        <a key={path} href={path} aria-current={path === current ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
