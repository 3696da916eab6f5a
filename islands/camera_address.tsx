/** @jsxImportSource preact */
export default function CameraAddress(_props: Record<never, never>) {
  return null;
}
