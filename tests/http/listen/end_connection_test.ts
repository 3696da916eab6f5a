import { describe, expect, test } from "bun:test";
import { endConnection, socketsIn } from "../../../server/http/listen/end_connection.ts";

const IPV4 = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 100 1 0
   1: 0100007F:1F90 0100007F:C822 01 00000000:00000000 00:00000000 00000000     0        0 101 1 0
   2: 0100007F:C822 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 102 1 0
   3: 0A01A8C0:1F90 1401A8C0:C822 01 00000000:00000000 00:00000000 00000000     0        0 103 1 0
   4: 0A01A8C0:1F90 1401A8C0:C823 06 00000000:00000000 03:000017A3 00000000     0        0 0 3 0
`;
const IPV6 = `  sl  local_address                         remote_address                        st ...
   0: 00000000000000000000000001000000:1F90 00000000000000000000000001000000:C822 01 0:0 00:0 0     0        0 201 1 0
   1: 0000000000000000FFFF00000A01A8C0:1F90 0000000000000000FFFF00001401A8C0:C822 01 0:0 00:0 0     0        0 202 1 0
   2: B80D0120000000000000000001000000:1F90 B80D0120000000000000000002000000:C822 01 0:0 00:0 0     0        0 203 1 0
`;

describe("socketsIn()", () => {
  const rows: [table: string, address: string, port: number, sockets: string[]][] = [
    [IPV4, "127.0.0.1", 0xc822, ["socket:[101]"]],
    [IPV4, "192.168.1.20", 0xc822, ["socket:[103]"]],
    // A connection that is over has no socket.
    [IPV4, "192.168.1.20", 0xc823, []],
    [IPV4, "192.168.1.21", 0xc822, []],
    [IPV4, "127.0.0.1", 0x1f90, []],
    [IPV6, "::1", 0xc822, ["socket:[201]"]],
    [IPV6, "::ffff:192.168.1.20", 0xc822, ["socket:[202]"]],
    [IPV6, "192.168.1.20", 0xc822, ["socket:[202]"]],
    [IPV6, "2001:db8::2", 0xc822, ["socket:[203]"]],
    [IPV6, "2001:db8::3", 0xc822, []],
    ["", "127.0.0.1", 0xc822, []],
  ];
  for (const [table, address, port, sockets] of rows)
    test(`finds ${sockets.length} for ${address}, port ${port}`, () => {
      expect(socketsIn(table, 8080, { address, port })).toEqual(sockets);
    });
});

test("a connection that is not there is not ended", () => {
  expect(endConnection(9, { address: "192.0.2.1", port: 9 })).toBe(false);
});
