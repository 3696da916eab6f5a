import { rmSync } from "node:fs";
import { join } from "node:path";
import { median } from "./measure.ts";
import { BENCH_LOGIN } from "./offsite_login.ts";
import { openService, syncAndWait } from "./service.ts";
import { openStage } from "./stage.ts";

const SENT = 4;
const SENT_BYTES = 50_000_000;
/** Sending takes longer than the sync. */
const RATE = 10_000_000;

/** One sync beside sending, encrypted, and one with nothing beside it, in turn: median of the ratios. */
export async function benchSyncBesideSending(rounds: number): Promise<number> {
  await using stage = await openStage({
    moments: 30,
    directions: ["F"],
    videoBytes: 25_000_000,
    companionBytes: 20_000,
  });
  const bucket = Bun.spawn([process.execPath, join(import.meta.dir, "offsite_bucket.ts")], {
    stdin: "pipe",
    stdout: "pipe",
  });
  try {
    const { value } = await bucket.stdout.getReader().read();
    const endpoint = new TextDecoder().decode(value).trim();
    const secondsOf = async (name: string, isSending: boolean): Promise<number> => {
      const { bucket: of, region, accessKey, secretKey } = BENCH_LOGIN;
      const keys = { bucket: of, region, access_key: accessKey, secret_key: secretKey };
      const more = { what: "events", prefix: name, rate_limit: RATE, passphrase: "five words that are long" };
      const fill = async (folder: string) => {
        for (let at = 0; at < SENT; at++) {
          const path = join(folder, "recordings", `2025060${at + 1}_101500_EF.mp4`);
          await Bun.write(path, new Uint8Array(SENT_BYTES).fill(at));
        }
      };
      try {
        const settings = isSending ? { offsite: { endpoint, ...keys, ...more } } : {};
        await using service = await openService(stage, name, stage.address, { settings, fill });
        while (isSending) {
          const { state } = (await (await fetch(`${service.url}/api/offsite`)).json()) as { state: string };
          if (state === "sending") break;
          if (state === "problem") throw new Error("Nothing is sent");
          await Bun.sleep(5);
        }
        const began = performance.now();
        await syncAndWait(service);
        return (performance.now() - began) / 1000;
      } finally {
        rmSync(join(stage.folder, name), { recursive: true, force: true });
      }
    };
    const ratios: number[] = [];
    await secondsOf("first", false);
    for (let round = 0; round < rounds; round++) {
      const alone = await secondsOf(`alone-${round}`, false);
      ratios.push((await secondsOf(`beside-${round}`, true)) / alone);
    }
    return median(ratios);
  } finally {
    bucket.kill();
  }
}
