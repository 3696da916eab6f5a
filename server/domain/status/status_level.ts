/** The five states anything can be in; each has its own shape, word and colour. */
export type StatusLevel = "fine" | "busy" | "waiting" | "attention" | "failed";
