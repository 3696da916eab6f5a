/** Parts of its process that a command may use. */
export interface CommandIO {
  env: Readonly<Record<string, string | undefined>>;
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
  /** Calls back once for each interrupt or termination signal; returns the way to stop listening. */
  onSignal(listener: (signal: "SIGINT" | "SIGTERM") => void): () => void;
  /** Calls back when what reads the output, such as `head`, has closed it; returns the way to stop listening. */
  onOutputClosed(listener: () => void): () => void;
}
