/**
 * The benchmarks' camera: as fast as the machine allows, so that it is never what is measured. Every name on its list
 * is served from one file of its kind in memory by sendfile. `bun fast_camera.ts PORT LIST_FILE VIDEO_FILE COMPANION_FILE`,
 * to whose path the ending of each kind is added.
 */
const [port = "0", listPath = "", videoPath = "", companionPath = ""] = process.argv.slice(2);
const list = await Bun.file(listPath).text();
const video = Bun.file(videoPath);
const companions = new Map(["thm", "gps", "3gf"].map((kind) => [kind, Bun.file(`${companionPath}.${kind}`)]));

const server = Bun.serve({
  port: Number(port),
  hostname: "127.0.0.1",
  idleTimeout: 0,
  fetch(request) {
    const path = request.url.slice(request.url.indexOf("/", 7));
    if (path.endsWith(".cgi")) return new Response(list);
    // A slice with its own headers keeps sendfile and answers from where the client asks.
    const file = companions.get(path.slice(-3)) ?? video;
    const from = /^bytes=([0-9]+)-$/.exec(request.headers.get("range") ?? "")?.[1];
    if (from === undefined) return new Response(file);
    const start = Number(from);
    if (start >= file.size)
      return new Response(null, { status: 416, headers: { "content-range": `bytes */${file.size}` } });
    return new Response(file.slice(start), {
      status: 206,
      headers: { "content-range": `bytes ${start}-${file.size - 1}/${file.size}` },
    });
  },
});
console.log(server.port);

export {};
