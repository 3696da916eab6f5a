/** @jsxImportSource preact */

interface StreetsCreditProps {
  /** The host that pictures of streets come from; null where they are drawn from the own map file. */
  readonly host: string | null;
}

/** Whose streets a map shows: each map of streets has this line. */
export function StreetsCredit({ host }: StreetsCreditProps) {
  if (host !== null && !/(^|\.)openstreetmap\.org$/.test(host)) return <>Streets from {host}</>;
  return (
    <>
      ©{" "}
      <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener noreferrer">
        OpenStreetMap contributors
      </a>
    </>
  );
}
