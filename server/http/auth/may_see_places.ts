import { mayCall } from "./permissions.ts";
import type { RequestContext } from "../request/request_context.ts";

/** True when the caller may know where the car was: people may, and keys that may load recordings. */
export function maySeePlaces({ user }: Pick<RequestContext, "user">): boolean {
  return user === null || mayCall(user, "recordings");
}
