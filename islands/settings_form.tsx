/** @jsxImportSource preact */
export default function SettingsForm(_props: Record<never, never>) {
  return null;
}
