/** Fills the list of the browser's time zones: there are hundreds, so only once the field is used. */
export function fillZones(list: HTMLElement | null): void {
  if (list?.childElementCount !== 0) return;
  list.append(
    ...["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map(
      (zone) => new Option("", zone),
    ),
  );
}
