/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import changelog from "../../CHANGELOG.md" with { type: "text" };
import { Icon } from "../../islands/parts/icon.tsx";
import type { App } from "../app.ts";
import { bundledLicenceTexts } from "../http/assets/licences.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { Document, PageFoot, page } from "./document.tsx";
import { Markdown } from "./guide_markdown.tsx";

/** `GET /help/changes`: what changed with each version. */
export async function changes(context: RequestContext, app: App): Promise<Response> {
  return html(
    page(
      <Help context={context} app={app} title="Changes">
        <div class="prose">
          <Markdown text={changelog} />
        </div>
      </Help>,
    ),
  );
}

/** `GET /help/licences`: of everything that is in the program. */
export async function licences(context: RequestContext, app: App): Promise<Response> {
  return html(
    page(
      <Help context={context} app={app} title="Licences">
        <div class="prose">
          <h2>Licences</h2>
          {bundledLicenceTexts().map(({ of, name, text }) => (
            <details class="fold" key={of}>
              <summary>
                <h3>{of}</h3>
                <span>{name}</span>
              </summary>
              <pre>{text}</pre>
            </details>
          ))}
        </div>
      </Help>,
    ),
  );
}

interface HelpProps {
  readonly context: RequestContext;
  readonly app: App;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Help({ context, app, title, children }: HelpProps) {
  return (
    <Document context={context} app={app} title={title} path="/settings" sheet="help.css">
      <a class="back" href="/settings#about">
        <Icon name="i-left" />
        Settings
      </a>
      {children}
      <PageFoot app={app} />
    </Document>
  );
}
