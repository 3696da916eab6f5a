/** @jsxImportSource preact */
import { Fragment } from "preact";
import { Icon } from "../../islands/parts/icon.tsx";

/** Keys of one page: what to press, and what it does. */
export type PageKeys = readonly (readonly [keys: string, does: string])[];

const EVERYWHERE: PageKeys = [
  ["?", "Show this list"],
  ["G D", "Dashboard"],
  ["G V", "Viewer"],
  ["G S", "Stats"],
  ["G L", "Logs"],
  ["G E", "Settings"],
];

/** The dialog that `?` opens. */
export function KeyList({ keys }: { readonly keys: PageKeys }) {
  return (
    <dialog class="dialog" data-modal="keys" aria-labelledby="keys-title">
      <form method="dialog">
        <div class="dialog-head">
          <h2 id="keys-title">Keys</h2>
          <button class="b b-icon" type="submit" aria-label="Close">
            <Icon name="i-close" />
          </button>
        </div>
        <dl class="facts facts-wide">
          {[...keys, ...EVERYWHERE].map(([pressed, does]) => (
            <Fragment key={pressed}>
              <dt>
                {pressed.split(" ").map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </Fragment>
          ))}
        </dl>
        <label class="check">
          <input class="switch" type="checkbox" role="switch" name="keys" checked />
          <span>Single keys do something</span>
        </label>
      </form>
    </dialog>
  );
}
