import type { ComponentProps } from "preact";

/** Every island by its name, each a script of its own that only the pages with that island load. */
export const ISLANDS = {
  backup: () => import("./backup.tsx"),
  camera_address: () => import("./camera_address.tsx"),
  camera_settings: () => import("./camera_settings.tsx"),
  card: () => import("./card.tsx"),
  coverage: () => import("./coverage.tsx"),
  sign_in: () => import("./sign_in.tsx"),
  fleet: () => import("./fleet.tsx"),
  guide_copies: () => import("./guide_copies.tsx"),
  job_panel: () => import("./job_panel.tsx"),
  links_list: () => import("./links_list.tsx"),
  log_view: () => import("./log_view.tsx"),
  map: () => import("./map.tsx"),
  settings_form: () => import("./settings_form.tsx"),
  shared_film: () => import("./shared_film.tsx"),
  stats_charts: () => import("./stats_charts.tsx"),
  trash_list: () => import("./trash_list.tsx"),
  trash_of_thousands: () => import("./trash_of_thousands.tsx"),
  viewer: () => import("./viewer.tsx"),
} as const;

export type IslandName = keyof typeof ISLANDS;

/** Props of an island: plain JSON, since they travel in an attribute. */
export type IslandProps<N extends IslandName> = ComponentProps<Awaited<ReturnType<(typeof ISLANDS)[N]>>["default"]>;
