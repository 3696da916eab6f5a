import { expect, test } from "bun:test";
import { isSystemFolder } from "../../../server/domain/settings/system_folder.ts";

test.each([
  ...[
    "/",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/boot",
    "/boot/efi",
    "/dev",
    "/dev/shm",
    "/dev/sda1",
    "/proc/self",
    "/sys",
    "/etc",
  ],
  ...[
    "/etc/dashcam",
    "/usr",
    "/usr/share/dashcam",
    "/usr/local/dashcam",
    "/run",
    "/run/user/1000",
    "/run/media",
    "/root",
  ],
])("%s is the system's", (path) => expect(isSystemFolder(path)).toBe(true));

test.each([
  ...[
    "/home",
    "/home/anna/dashcam",
    "/mnt",
    "/mnt/user/dashcam",
    "/media",
    "/media/usb",
    "/run/media/anna/disk",
    "/dev/shm/dashcam",
    "/srv",
  ],
  ...[
    "/var/lib",
    "/var/lib/dashdock",
    "/opt",
    "/opt/dashcam",
    "/data",
    "/volume1",
    "/volume1/dashcam",
    "/share/dashcam",
  ],
  ...["/recordings", "/tmp/dashcam", "/root/dashcam", "/rooted", "/usrlocal", "/libs", "/etcetera", "/devices"],
])("%s is not", (path) => expect(isSystemFolder(path)).toBe(false));
