import type { App } from "../app.ts";
import { AppError } from "../domain/api/errors.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";

/** `POST /api/destination/accept`: the folder that is there now is the one to use. @throws AppError NOTHING_TO_ACCEPT */
export async function accept(
  _visit: RequestContext,
  { destination, retention, cards }: Pick<App, "destination" | "retention" | "cards">,
): Promise<Response> {
  if (!(await destination.accept()))
    throw new AppError("NOTHING_TO_ACCEPT", "The recordings folder is the one that was used before");
  // What is in it, nobody here has brought.
  retention.consent.forgetLibrary();
  cards.tell(["status-card", "storage-card"]);
  return json({ accepted: true });
}
