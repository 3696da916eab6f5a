const BLOCK = 512;
const encoder = new TextEncoder();

/** Files as a tar archive (ustar) without owner and time: the same files give the same bytes. */
export function tarOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array<ArrayBuffer> {
  const blocks = Object.keys(files)
    .sort()
    .flatMap((path) => {
      const content = files[path] ?? "";
      const bytes = typeof content === "string" ? encoder.encode(content) : content;
      return [headerOf(path, bytes.length), bytes, new Uint8Array(-bytes.length & (BLOCK - 1))];
    });
  return new Uint8Array(Buffer.concat([...blocks, new Uint8Array(2 * BLOCK)]));
}

function headerOf(path: string, size: number): Uint8Array {
  const name = encoder.encode(path);
  if (name.length > 100) throw new Error(`The name is too long for the archive: ${path}`);
  const header = new Uint8Array(BLOCK);
  const put = (text: string, at: number) => header.set(encoder.encode(text), at);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  header.set(name);
  put(octal(0o644, 7), 100);
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  put(octal(size, 11), 124);
  put(octal(0, 11), 136);
  // The sum counts its own place as blanks.
  put("        ", 148);
  put("0", 156);
  put("ustar\0", 257);
  put("00", 263);
  put(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
  );
  return header;
}
