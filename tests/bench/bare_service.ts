/** The least that a service can be: the runtime and one answer. `dashdock` is measured against it. */
const server = Bun.serve({
  port: Number(process.argv[process.argv.indexOf("--port") + 1]),
  hostname: "127.0.0.1",
  development: false,
  routes: { "/healthz": () => Response.json({ status: "ok" }) },
});
process.stdout.write(`listening on ${server.url.origin}\n`);
