/** Run in a network of its own, where one network is silent and all others have no way: what a check says of both, as JSON. */

import { checked } from "../camera/checked.ts";

const own = { address: "192.168.30.7", cidr: "192.168.30.7/24", netmask: "255.255.255.0", mac: "", internal: false };
const interfaces = () => ({ wlan0: [{ ...own, family: "IPv4" as const }] });

const { report: elsewhere } = await checked("192.168.30.64");
const { report: silent } = await checked("192.168.30.64", { world: { interfaces } });
const { report: unreachable } = await checked("10.9.9.9");
process.stdout.write(JSON.stringify({ elsewhere, silent, unreachable }));
process.exit(0);
