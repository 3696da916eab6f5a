import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";

setDefaultTimeout(60_000);

const ADDRESS = "203.0.113.5";
const PROGRAM = join(import.meta.dir, "../support/app/internet_program.ts");
const NETWORK = `ip link set lo up && ip addr add ${ADDRESS}/32 dev lo`;
const canMake = () => Bun.spawnSync(["unshare", "-rn", "sh", "-c", NETWORK]).success;

test.if(Bun.which("unshare") !== null && Bun.which("ip") !== null && canMake())(
  "from the internet nobody is taken for a proxy who is not named, and mode none is told of",
  async () => {
    const run = `${NETWORK} && exec ${process.execPath} ${PROGRAM} ${ADDRESS}`;
    const { stdout, stderr } = Bun.spawnSync(["unshare", "-rn", "sh", "-c", run], { cwd: import.meta.dir });
    const text = stdout.toString();
    if (!text.startsWith("{")) throw new Error(`${text}${stderr}`);
    const { stranger, named, none } = JSON.parse(text);
    expect(stranger).toEqual({ statuses: [...Array(10).fill(401), 429, 429], https: false });
    expect(named).toEqual({ statuses: Array(12).fill(401), https: true });
    const sentence = `No password is asked for, and the service listens on ${ADDRESS}, an address of the internet.`;
    expect(none.access_notes).toEqual([{ section: "auth", sentence }]);
    expect(none.page).toContain(sentence);
  },
);
