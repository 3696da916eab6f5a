import { chromium } from "playwright-core";
const [base, out, ...paths] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox","--disable-gpu","--disable-background-networking"] });
for (const spec of paths) {
  const [path, w, theme, act] = spec.split("@");
  const ctx = await browser.newContext({ viewport: { width: Number(w), height: Number(w) < 500 ? 844 : 900 }, colorScheme: theme as any, deviceScaleFactor: 1 });
  const page = await ctx.newPage();
  const errs: string[] = [];
  page.on("pageerror", (e) => errs.push(String(e))); page.on("console", (m) => m.type() === "error" && errs.push(m.text()));
  page.on("response", (r) => r.status() >= 400 && errs.push(`${r.status()} ${r.url()}`));
  await page.goto(base + path); await page.waitForTimeout(1800);
  if (act) { await page.click(act); await page.waitForTimeout(700); }
  const name = `${out}${path.replace(/[^a-z0-9]+/gi, "_")}-${w}-${theme}.png`;
  const full = !path.startsWith("/viewer");
  await page.screenshot({ path: name, fullPage: full });
  console.log(name, errs.slice(0,5));
  await ctx.close();
}
await browser.close();
