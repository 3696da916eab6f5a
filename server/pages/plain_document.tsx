/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Icon } from "../../islands/parts/icon.tsx";
import type { IslandName } from "../../islands/registry.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { themeOf } from "../http/request/theme.ts";
import { Head, Sprite } from "./document.tsx";

interface PlainDocumentProps {
  readonly context: RequestContext;
  /** Null on a page without a script. */
  readonly token: string | null;
  readonly title: string;
  /** Beside that of the card. */
  readonly class?: string;
  readonly islands?: readonly IslandName[];
  /** A style sheet beside that of all pages. */
  readonly sheet?: string;
  /** Below the card; about the owner's recordings when left out. */
  readonly foot?: string;
  readonly children: ComponentChildren;
}

/** The shell of the pages in front of the sign-in, and of refusals: one card, no navigation and no version. */
export function PlainDocument({ context, token, title, islands = [], children, ...rest }: PlainDocumentProps) {
  const theme = themeOf(context);
  return (
    <html lang="en" data-theme={theme}>
      <Head
        title={title}
        token={token}
        theme={theme}
        islands={islands}
        sheet={rest.sheet}
        hasOwnLinks={context.base !== ""}
        paintsWith="foot"
      />
      <body class="gate">
        <Sprite />
        <main class={`gate-card ${rest.class ?? ""}`.trim()} id="main">
          <p class="gate-head">
            <Icon name="logo" class="logo" />
            Dashdock
          </p>
          {children}
        </main>
        {/* The card is in the middle of the page: half of it would stand elsewhere. */}
        <footer class="page-foot" id="foot">
          <span>{rest.foot ?? "Your recordings stay on this machine."}</span>
        </footer>
      </body>
    </html>
  );
}
