/** @jsxImportSource preact */
import type { App } from "../app.ts";
import { csrfToken } from "../http/csrf.ts";
import { html } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";
import { page } from "./login.tsx";

/** `GET /`: what the service is doing in a sentence, and where to ask for more. The dashboard proper comes with the pages. */
export function home(visit: Visit, app: App): Response {
  const { state, files_completed, files_total } = app.job.snapshot;
  const token = csrfToken(visit, app);
  return html(
    page(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="csrf-token" content={token} />
          <title>Dashdock</title>
        </head>
        <body data-state={state}>
          <main>
            <h1>Dashdock</h1>
            <p>
              {state === "running"
                ? `Bringing recordings home: ${files_completed} of ${files_total} files.`
                : "The service is running."}
            </p>
            <p>
              <a href="/api/status">Status</a> · <a href="/api/sync/progress">Progress</a> ·{" "}
              <a href="/api/logs/recent">Logs</a> · <a href="/api/stats/series">Statistics</a> ·{" "}
              <a href="/api/viewer/days">Recordings</a> · <a href="/api/settings">Settings</a>
            </p>
            {visit.user?.mode === "login" && (
              <form method="post" action="/logout">
                <input type="hidden" name="csrf_token" value={token} />
                <button type="submit">Sign out</button>
              </form>
            )}
          </main>
        </body>
      </html>,
    ),
  );
}
