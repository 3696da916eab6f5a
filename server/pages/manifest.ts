import { GROUND } from "../domain/text/theme_color.ts";
import { assetPath } from "../http/assets/assets.ts";
import type { RequestContext } from "../http/request/request_context.ts";

/** `GET /manifest.webmanifest`: how the service installs as an app of its own. */
export function manifest({ base }: RequestContext): Response {
  const icon = (name: string, sizes: string, purpose: "any" | "maskable") => {
    const type = name.endsWith(".svg") ? "image/svg+xml" : "image/png";
    return { src: base + assetPath(name), sizes, type, purpose };
  };
  const about = {
    name: "Dashdock",
    short_name: "Dashdock",
    description: "Brings your dashcam's recordings home and shows what it did",
    id: `${base}/`,
    start_url: `${base}/`,
    scope: `${base}/`,
    display: "standalone",
    background_color: GROUND.dark,
    theme_color: GROUND.dark,
    icons: [
      icon("favicon.svg", "any", "any"),
      icon("icon-192.png", "192x192", "any"),
      icon("icon-512.png", "512x512", "any"),
      icon("icon-maskable.png", "512x512", "maskable"),
    ],
    shortcuts: [
      { name: "Viewer", url: `${base}/viewer` },
      { name: "Stats", url: `${base}/stats` },
    ],
  };
  return new Response(JSON.stringify(about), {
    headers: { "content-type": "application/manifest+json", "cache-control": "no-cache" },
  });
}
