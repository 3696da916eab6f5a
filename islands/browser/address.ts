/** The path below which this page reaches the service, such as `/dashcam`; empty where it has a host of its own. */
export function baseOf(page: Document): string {
  return page.documentElement.dataset["base"] ?? "";
}

/** An address of the service, which begins with a slash, as this page reaches it. */
export function reached(address: string, page: Document = document): string {
  return baseOf(page) + address;
}
