/** @jsxImportSource preact */

/** The rest of what there is to say, for who wants to know; nothing when there is none. */
export function More({ text }: { readonly text: string }) {
  return text === "" ? null : (
    <details class="more">
      <summary>More</summary>
      <p>{text}</p>
    </details>
  );
}
