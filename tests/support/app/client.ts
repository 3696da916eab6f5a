/** A browser as far as the API sees it: keeps cookies, and brings the CSRF token of the last page it opened. */
export class Client {
  readonly url: string;
  readonly #cookies = new Map<string, string>();
  /** From the meta tag of the last page. */
  token = "";
  readonly #each: BunFetchRequestInit;

  /** @param each what goes with every request, such as how a certificate is checked */
  constructor(url: string, each: BunFetchRequestInit = {}) {
    this.url = url;
    this.#each = each;
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#cookies.size > 0)
      headers.set("cookie", [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(this.url + path, { redirect: "manual", ...this.#each, ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }

  /** Opens a page and takes its CSRF token. */
  async open(path: string): Promise<{ response: Response; text: string }> {
    const response = await this.fetch(path);
    const text = await response.text();
    this.token = /<meta name="csrf-token" content="([^"]*)"/.exec(text)?.[1] ?? this.token;
    return { response, text };
  }

  /** A request as scripts of our pages make it: JSON in, the CSRF token along. */
  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, {
      method,
      headers: {
        "x-csrftoken": this.token,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  }

  /** A submitted form, with the token as a field. */
  submit(path: string, fields: Record<string, string>): Promise<Response> {
    return this.fetch(path, { method: "POST", body: new URLSearchParams({ csrf_token: this.token, ...fields }) });
  }

  async signIn(username: string, password: string): Promise<Response> {
    await this.open("/login");
    const response = await this.submit("/login", { username, password });
    await response.body?.cancel();
    await this.open("/");
    return response;
  }
}
