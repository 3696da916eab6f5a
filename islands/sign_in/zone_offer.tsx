/** @jsxImportSource preact */

interface ZoneOfferProps {
  /** The zone in force, which was not chosen. */
  readonly zone: string;
  /** The browser's; null until the script is there. */
  readonly own: string | null;
  /** Offered before and not taken, it is offered unticked. */
  readonly wasOffered?: boolean;
}

/** Offers the browser's time zone in the place of the one that was not chosen. */
export function ZoneOffer({ zone, own, wasOffered = false }: ZoneOfferProps) {
  if (own === null || own === zone) return <p class="says zone-offer">Times are in {zone}.</p>;
  return (
    <label class="zone-offer">
      <input type="checkbox" name="timezone" value={own} defaultChecked={!wasOffered} />
      <span>Use this browser’s time zone ({own})</span>
    </label>
  );
}
