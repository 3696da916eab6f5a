/** @jsxImportSource preact */
import { type ButtonHTMLAttributes, Component, type ComponentChildren } from "preact";
import { pageMayChange } from "../browser/page_role.ts";

interface PageForProps {
  /** False for people who may look and save, and change nothing. */
  readonly mayChange: boolean;
  readonly children: ComponentChildren;
}

type Known = Partial<Pick<PageForProps, "mayChange">>;

/**
 * A page as the server draws it for one user: its parts know what that user may do. Its scripts read it of the page.
 */
export class PageFor extends Component<PageForProps> {
  override getChildContext(): Known {
    return { mayChange: this.props.mayChange };
  }

  override render({ children }: PageForProps) {
    return children;
  }
}

/** Draws its content only for people who may change something. */
export function ForChange({ children }: { readonly children: ComponentChildren }, { mayChange }: Known) {
  const may = mayChange ?? (typeof document === "undefined" || pageMayChange(document));
  return may ? children : null;
}

/** A button that changes something: it is drawn only for people who may. */
export function ChangeButton(props: ButtonHTMLAttributes) {
  return (
    <ForChange>
      <button {...props} />
    </ForChange>
  );
}
