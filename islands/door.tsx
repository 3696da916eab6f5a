/** @jsxImportSource preact */
export default function DoorFields(_props: Record<never, never>) {
  return null;
}
