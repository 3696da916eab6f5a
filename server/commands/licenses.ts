import { bundledLicenceTexts } from "../http/assets/licences.ts";
import type { CommandIO } from "./command_io.ts";
import { readArgs } from "./usage.ts";

const RULE = "=".repeat(78);

/** `licenses`: a list of all that is in the executable, then each text. */
export async function licensesCommand(args: readonly string[], { out }: CommandIO): Promise<number> {
  readArgs(args, {}, 0);
  const licences = bundledLicenceTexts();
  const width = Math.max(...licences.map(({ of }) => of.length));
  const list = licences.map(({ of, name }) => `${of.padEnd(width)}  ${name}`);
  const texts = licences.map(({ of, name, text }) => `${RULE}\n${of}: ${name}\n${RULE}\n\n${text}\n`);
  const whole = `${list.join("\n")}\n\n${texts.join("\n")}`;
  // The process ends with the command: what a slow reader has not taken by then would be lost.
  await new Promise<void>((done) => out.write(whole, () => done()));
  return 0;
}
