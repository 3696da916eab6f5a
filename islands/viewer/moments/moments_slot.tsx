/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { reached } from "../../browser/address.ts";
import type { MomentsListProps } from "./moments_list.tsx";

type ListScript = typeof import("./moments_list.tsx");

/** The place of the list of moments. Its script and its style sheet come when it is opened for the first time. */
export function MomentsSlot(props: MomentsListProps & { readonly momentsSheet: string }) {
  const script = useSignal<ListScript | "none" | null>(null);
  useEffect(() => {
    Promise.all([import("./moments_list.tsx"), withSheet(document, reached(props.momentsSheet))]).then(
      ([came]) => {
        script.value = came;
      },
      () => {
        script.value = "none";
      },
    );
  }, []);
  const { value } = script;
  if (value === null) return null;
  if (value === "none") return <p class="list-says">This part of the page did not come. Load the page again.</p>;
  return <value.MomentsList {...props} />;
}

/** Resolves when the page has the sheet; without it the list would be drawn twice. */
function withSheet(page: Document, address: string): Promise<void> {
  if (page.querySelector(`link[href="${address}"]`)) return Promise.resolve();
  const link = page.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error("The style sheet did not come."));
    };
    page.head.append(link);
  });
}
