import type { Trash } from "./trash.ts";

/** The head of the page, which always is there. */
export const HEAD_ID = "trash-head";

/** Next place of the focus when its control goes: the same control of the row that stays, else the head. */
export function focusTargetOf(trash: Trash, control: "restore" | "pick"): HTMLElement | null {
  const row = [...document.querySelectorAll<HTMLElement>("[data-row]")].find(
    ({ dataset }) => dataset["row"] === trash.focusRow,
  );
  return row?.querySelector<HTMLElement>(control === "pick" ? "input" : ".restore") ?? document.getElementById(HEAD_ID);
}
