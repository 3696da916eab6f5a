/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

/** A number large, its unit small: `2.6 GB`. */
export function Figure({ text }: { readonly text: string }) {
  const at = text.lastIndexOf("\u00a0");
  return (
    <>
      {text.slice(0, at)} <small>{text.slice(at + 1)}</small>
    </>
  );
}

/** Sign in the place of an unknown figure. */
export function Unknown() {
  return <small>not known yet</small>;
}

/** Before a figure that is a guess: read out as a word. */
export function About() {
  return (
    <>
      <span aria-hidden="true">≈{"\u00a0"}</span>
      <span class="sr">about </span>
    </>
  );
}

/** Below what is not known now: what was known last, and when. */
export function KnownAt({ children }: { readonly children: ComponentChildren }) {
  return (
    <span class="unknown-at">
      <Icon name="i-clock" />
      {children}
    </span>
  );
}
