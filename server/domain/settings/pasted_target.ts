import type { TargetKind } from "./notify_address.ts";

/**
 * Makes an address of what people copy from a service, such as the web address of a topic or a Discord webhook. An
 * address that says already what it is stays as it is.
 */
export function pastedTarget(kind: TargetKind, pasted: string): string {
  const text = pasted.trim();
  // So other programs write the same.
  const [, web] = /^generic\+(https?:\/\/.*)$/i.exec(text) ?? [];
  if (web !== undefined) return pastedTarget("generic", web);
  const [, scheme = "", rest = ""] = /^(https?):\/\/(.*)$/i.exec(text) ?? [];
  if (scheme === "") return /^[a-z]+:\/\//.test(text) || text === "" ? text : `${kind}://${text}`;
  const isPlain = scheme.toLowerCase() === "http";
  const with_ = (address: string, option: string) =>
    isPlain ? `${address}${address.includes("?") ? "&" : "?"}${option}` : address;
  switch (kind) {
    case "discord": {
      const [, id, token] = /^[^/]+\/api\/webhooks\/([0-9]+)\/([-_A-Za-z0-9]+)/.exec(rest) ?? [];
      return id === undefined ? text : `discord://${token}@${id}`;
    }
    case "telegram":
    case "smtp":
      return text;
    case "generic":
      return with_(`generic://${rest}`, "disabletls=yes");
    case "gotify": {
      const [, host = "", token = ""] = /^(.*?)\/message\?token=([^&]+)/.exec(rest) ?? [];
      return with_(`gotify://${token === "" ? rest : `${host}/${token}`}`, "scheme=http");
    }
    case "apprise":
      return with_(`apprise://${rest.replace("/notify/", "/")}`.replace(/\/$/, ""), "scheme=http");
    case "ntfy":
      return with_(`ntfy://${rest}`.replace(/\/$/, ""), "scheme=http");
  }
}
