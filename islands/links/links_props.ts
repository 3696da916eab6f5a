import type { ShareFacts, Shares } from "../../server/domain/shares/share_schema.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";

/** The links as `GET /api/shares` tells them. */
export type Links = Shares;
export type Link = ShareFacts;
export type EndedLink = Links["ended"][number];

export interface LinksProps {
  readonly links: Links;
  /** Addresses of pictures by the ids of links. */
  readonly pictures: Readonly<Record<string, string>>;
  readonly isOn: boolean;
  /** No sign-in is asked for. */
  readonly isOpen: boolean;
  readonly now: number;
  readonly zone: ZoneTime | string;
}
