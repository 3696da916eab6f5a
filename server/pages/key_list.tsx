/** @jsxImportSource preact */
import { Icon } from "../../islands/parts/icon.tsx";

interface KeyGroup {
  readonly title: string;
  /** Keys to press, and their effect. */
  readonly keys: readonly (readonly [keys: string, does: string])[];
  /** Earlier effect of these keys, for people who are used to it. */
  readonly changed?: string;
}

/** Keys of one page, grouped by what they are for. */
export type PageKeys = readonly KeyGroup[];

const EVERYWHERE: KeyGroup = {
  title: "Everywhere",
  keys: [
    ["G D", "Dashboard"],
    ["G V", "Viewer"],
    ["G S", "Stats"],
    ["G L", "Logs"],
    ["G E", "Settings"],
    ["?", "This list"],
    ["Esc", "Close"],
  ],
};

/** The dialog that `?` opens. */
export function KeyList({ keys }: { readonly keys: PageKeys }) {
  return (
    <dialog class="dialog sheet" data-modal="keys" aria-labelledby="keys-title">
      <form method="dialog">
        <div class="dialog-head">
          <div>
            <h2 id="keys-title">Keys</h2>
            <p>Not active while typing.</p>
          </div>
          <button class="b b-icon" type="submit" aria-label="Close">
            <Icon name="i-close" />
          </button>
        </div>
        <div class="keycols">
          {[...keys, EVERYWHERE].map((group) => (
            <section key={group.title}>
              <h3>{group.title}</h3>
              <dl class="keylist">
                {group.keys.map(([pressed, does]) => (
                  <div key={pressed}>
                    <dt>
                      {pressed.split(" ").map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
              </dl>
              {group.changed && <p class="small soft">{group.changed}</p>}
            </section>
          ))}
        </div>
        <label class="check">
          <input class="switch" type="checkbox" role="switch" name="keys" checked />
          <span>Enable keyboard shortcuts</span>
        </label>
      </form>
    </dialog>
  );
}
