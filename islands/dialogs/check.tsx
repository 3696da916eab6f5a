/** @jsxImportSource preact */
import { render } from "preact";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { CheckDialog } from "../check/check_dialog.tsx";
import { type CheckOf, checkRun } from "../check/check_run.ts";
import { focusOpener } from "./frame.ts";

/** Checks the camera in a dialog. @param address null for the one that is set */
export function showCheck(page: Document, opener: HTMLElement, address: string | null, of?: CheckOf): void {
  const place = page.createElement("div");
  page.body.append(place);
  const href = opener.getAttribute("href");
  const zone = ZoneTime.from(page.querySelector<HTMLElement>("[data-clock]")?.dataset["clock"] ?? "UTC");
  const close = () => {
    render(null, place);
    place.remove();
    focusOpener(page, opener, href);
  };
  render(<CheckDialog run={checkRun(address, of)} zone={zone} onClosed={close} />, place);
}
