import type { Trash } from "./trash.ts";

/** The head of the page, which always is there. */
export const HEAD_ID = "trash-head";

/** Where the focus goes when the control that has it goes: to the same control of the row that stays, else to the head. */
export function focusTargetOf(trash: Trash, control: "restore" | "pick"): HTMLElement | null {
  const row = [...document.querySelectorAll<HTMLElement>("[data-row]")].find(
    ({ dataset }) => dataset["row"] === trash.focusRow,
  );
  return row?.querySelector<HTMLElement>(control === "pick" ? "input" : ".restore") ?? document.getElementById(HEAD_ID);
}
