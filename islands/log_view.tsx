/** @jsxImportSource preact */
export default function LogView(_props: Record<never, never>) {
  return null;
}
