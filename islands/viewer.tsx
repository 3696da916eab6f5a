/** @jsxImportSource preact */
export default function Viewer(_props: Record<never, never>) {
  return null;
}
