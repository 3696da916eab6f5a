import { useEffect } from "preact/hooks";
import { copyText } from "./browser/copy_text.ts";

const SVG = "http://www.w3.org/2000/svg";

/** Gives each block of the guide that is meant to be typed a button that copies it; draws nothing itself. */
export default function GuideCopies() {
  useEffect(() => {
    for (const block of document.querySelectorAll(".code-block")) block.append(...copyButton(block));
  }, []);
  return null;
}

/** A button with what a screen reader says after a press. Elements by hand: a component of its own would weigh on all pages. */
function copyButton(block: Element): Element[] {
  const button = document.createElement("button");
  const icon = document.createElementNS(SVG, "svg");
  const shape = document.createElementNS(SVG, "use");
  const said = document.createElement("span");
  for (const [element, attributes] of [
    [button, { class: "b b-icon", type: "button", title: "Copy", "aria-label": "Copy the lines" }],
    [icon, { class: "i", "aria-hidden": "true" }],
    [shape, { href: "#i-copy" }],
    [said, { class: "sr", role: "status" }],
  ] as const)
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  icon.append(shape);
  button.append(icon);
  button.addEventListener("click", async () => {
    if (!(await copyText(document, block.querySelector("code")?.textContent?.trimEnd() ?? ""))) return;
    shape.setAttribute("href", "#i-check");
    said.textContent = "Copied.";
  });
  return [button, said];
}
