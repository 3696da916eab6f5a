import { ALL_CAMERAS } from "./camera_key.ts";

/** Addresses that are about a camera, and name it by no key. Those of the frame and of the guide are about none. */
const OF_CAMERA =
  /^\/(?:(?:api\/(?!auth\b|cameras\b|folders\b|logs\b|openapi)|hx\/|stats|trash|settings|viewer)|(?=$|[?#]))/;
/** Those that answer for all cameras at once. */
const OF_ALL =
  /^\/api\/(?:viewer\/(?:days|recordings|trips|calendar|moments)|map\/(?:drives|passes)|search|recordings\/recent|overview|sync\/progress\/stream)(?=$|\?)/;

/** An address with this camera in it, where it is about one and names none; unchanged for null. */
export function withCamera(address: string, camera: string | null): string {
  const isOf = camera === ALL_CAMERAS ? OF_ALL : OF_CAMERA;
  if (camera === null || !isOf.test(address) || /[?&]camera=/.test(address)) return address;
  const [, path = "", query = "", hash = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  return `${path}${query === "" ? "?" : `${query}&`}camera=${camera}${hash}`;
}

/** Markup whose links and forms lead to pages of this camera. */
export function linksOf(camera: string, markup: string): string {
  return markup.replace(/ (href|action)="(\/[^"]*)"/g, (_, name: string, address: string) => {
    const led = withCamera(address.replaceAll("&amp;", "&"), camera).replaceAll("&", "&amp;");
    return ` ${name}="${led}"`;
  });
}
