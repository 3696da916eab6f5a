import { useEffect, useState } from "preact/hooks";

/** False as the server draws it and where there is no script, true from then on: links become buttons. */
export function useHydrated(): boolean {
  const [isAlive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return isAlive;
}
