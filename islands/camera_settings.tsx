/** @jsxImportSource preact */
import { useEffect } from "preact/hooks";
import { startPanes } from "./camera/panes.ts";

interface CameraSettingsProps {
  /** The panes as HTML that only the server makes: a function, so it does not travel. */
  readonly panes?: () => string;
}

/** The camera's own settings. Preact leaves the server's markup as it is; `panes.ts` makes it live. */
export default function CameraSettings({ panes }: CameraSettingsProps) {
  useEffect(() => startPanes({ page: document, ask: fetch }), []);
  return <div dangerouslySetInnerHTML={{ __html: panes?.() ?? "" }} />;
}
