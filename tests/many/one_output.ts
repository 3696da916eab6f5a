import { FILE, isOfTheEnd } from "./test_run.ts";

/** What several runs of `bun test` print at the same time, as if it came from one. */
export class OneOutput {
  readonly #show: (text: string) => void;
  /** Run and file of the line that was shown last. */
  #last = "";
  #runs = 0;
  readonly #ends: string[] = [];
  #text = "";

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  /** Everything that was shown. */
  get text(): string {
    return this.#text;
  }

  /**
   * Shows each line of a run as it comes, below the name of its file, and keeps the lists and sums of its end. Resolves
   * when it has ended.
   */
  async take(run: AsyncIterable<Uint8Array>): Promise<void> {
    const number = ++this.#runs;
    const decoder = new TextDecoder();
    let [rest, file, blanks, end] = ["", "", "", ""];
    const put = (line: string) => {
      const words = line.trimEnd();
      if (end !== "" || isOfTheEnd(words)) end += line;
      else if (words === "") blanks += line;
      else if (FILE.test(words)) [file, blanks] = [words, ""];
      else {
        this.#put(`${number} ${file}`, file, blanks + line);
        blanks = "";
      }
    };
    for await (const piece of run) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split(/(?<=\n)/);
      rest = lines.at(-1)?.endsWith("\n") ? "" : (lines.pop() ?? "");
      for (const line of lines) put(line);
    }
    if (rest !== "") put(`${rest}\n`);
    this.#ends.push(end);
  }

  /** Shows the ends of all runs, once these are over. */
  end(): void {
    for (const end of this.#ends) this.#write(`\n${end}`);
  }

  #put(here: string, file: string, text: string): void {
    const isThere = this.#last === here || file === "";
    this.#last = here;
    this.#write(isThere ? text : `\n${file}\n${text}`);
  }

  #write(text: string): void {
    this.#text += text;
    this.#show(text);
  }
}
