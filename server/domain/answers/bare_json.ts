/**
 * The answer that our own pages accept: JSON whose addresses come without the path below which the service is reached. The
 * pages put that before each themselves.
 */
export const BARE_JSON = "application/json;base=no";
