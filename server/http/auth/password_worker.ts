import { argon2id, argon2Verify } from "hash-wasm";

/** At least what OWASP asks for: 19 MiB, two passes, one lane. */
const COST = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const;

export type Question =
  | { readonly kind: "hash"; readonly password: string; readonly salt: Uint8Array }
  | { readonly kind: "verify"; readonly password: string; readonly hash: string };

export type Reply = { readonly text: string } | { readonly matches: boolean } | { readonly failure: string };

declare const self: Worker;

/** Hashing blocks for as long as it takes, which is why it happens in here. */
async function answer(question: Question): Promise<Reply> {
  try {
    const { kind, password } = question;
    if (kind === "hash") {
      return { text: await argon2id({ ...COST, password, salt: question.salt, outputType: "encoded" }) };
    }
    return { matches: await argon2Verify({ password, hash: question.hash }) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

self.onmessage = async ({ data }: MessageEvent<Question>) => self.postMessage(await answer(data));
