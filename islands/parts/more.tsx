/** @jsxImportSource preact */

/** Further text, folded up; nothing when it is empty. */
export function More({ text }: { readonly text: string }) {
  return text === "" ? null : (
    <details class="more">
      <summary>More</summary>
      <p>{text}</p>
    </details>
  );
}
