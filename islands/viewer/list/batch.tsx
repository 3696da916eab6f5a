/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { formatCount } from "../../../server/domain/text/format.ts";

interface BatchProps<T> {
  readonly all: readonly T[];
  /** Index of the item that has to be drawn; -1 for none. */
  readonly at: number;
  /** Number of items drawn at first, and added each time. */
  readonly size: number;
  /** Names for the buttons of items that are not drawn: `later clips`, which stand above, and `earlier clips`. */
  readonly names: readonly [above: string, below: string];
  /** Draws one, in a list item or beside it. */
  readonly draw: (one: T, index: number) => ComponentChildren;
  /** The buttons stand in a list. */
  readonly isList?: boolean;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** A long list, of which only a part is drawn: around the one on show, and further as it is asked for. */
export function Batch<T>({ all, at, size, names, draw, isList = false }: BatchProps<T>) {
  const range = useSignal(around(at, size));
  const before = range.peek();
  // The clip on show may have moved out of the drawn part: an event of another hour, another day. A change before the
  // first reading of the value does not draw it twice.
  if (at >= 0 && (at < before.from || at >= before.to)) range.value = around(at, size);
  const to = Math.min(range.value.to, all.length);
  const from = Math.min(range.value.from, to);
  const more = (count: number, name: string, next: Range) => {
    if (count <= 0) return null;
    const press = () => {
      range.value = next;
    };
    const button = (
      <button class="list-more text-b needs-script" type="button" onClick={press}>
        {count > size ? `Show ${size} ${name} (${formatCount(count)} left)` : `Show ${formatCount(count)} ${name}`}
      </button>
    );
    return isList ? <li>{button}</li> : button;
  };
  return (
    <>
      {more(from, names[0], { from: Math.max(0, from - size), to })}
      {all.slice(from, to).map((one, index) => draw(one, from + index))}
      {more(all.length - to, names[1], { from, to: to + size })}
    </>
  );
}

function around(at: number, size: number): Range {
  const from = at < size ? 0 : at - Math.floor(size / 2);
  return { from, to: from + size };
}
