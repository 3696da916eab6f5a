/** @jsxImportSource preact */
import { type CheckRun, checkRun } from "../check/check_run.ts";
import { CheckedHere, isCamera } from "../check/checked_here.tsx";
import { SaveRow, type SaveRowProps } from "./save_row.tsx";

/** Readies the check of a typed address. */
export function readyCheck(address: string): CheckRun {
  return checkRun(address);
}

interface CheckedAddressProps extends SaveRowProps {
  readonly run: CheckRun;
  readonly again: () => void;
  /** Alone on the page: the steps of the check stay folded away. */
  readonly isAlone: boolean;
}

/** The check of the typed address in its place on the page; the address can be saved while it goes on. */
export function CheckedAddress({ run, again, isAlone, ...saving }: CheckedAddressProps) {
  const { how, report } = run.state.value;
  const found = isCamera(report) ? "yes" : how === "going" ? "unknown" : "no";
  return (
    <CheckedHere run={run} isFolded={isAlone}>
      <SaveRow found={found} again={again} {...saving} />
    </CheckedHere>
  );
}
