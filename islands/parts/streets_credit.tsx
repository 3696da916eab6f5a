/** @jsxImportSource preact */

/** Whose streets a map shows: each map of streets has this line. */
export function StreetsCredit({ host }: { readonly host: string }) {
  if (!/(^|\.)openstreetmap\.org$/.test(host)) return <>Streets from {host}</>;
  return (
    <>
      ©{" "}
      <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener noreferrer">
        OpenStreetMap contributors
      </a>
    </>
  );
}
