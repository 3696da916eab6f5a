/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import { Film, type FilmProps } from "./film.tsx";
import type { Source } from "./film_runs.ts";
import { useHydrated } from "./use_hydrated.ts";

interface CameraProps extends Omit<FilmProps, "source" | "role" | "isHydrated" | "ready"> {
  /** The video that plays of the clip on show; null unless its video is here. */
  readonly source: Source | null;
  /** The same of the clip that plays next, which is made ready. */
  readonly next: Source | null;
  /** Seconds at which that begins. */
  readonly nextStart: number;
  /** Only the clip that plays next has it: it is made ready, and nothing of it is seen. */
  readonly isComing: boolean;
  readonly isAlone: boolean;
  /** Why there is only a still of it; null unless its video is still on the camera. */
  readonly waits: ComponentChildren;
  /** Speed and force, over the picture. */
  readonly hud: ComponentChildren;
}

/** One camera's place, with what it shows now, and unseen what it shows next. */
export function Camera(props: CameraProps) {
  const { camera, source, next, index, isComing, isAlone, small, players, actions } = props;
  const { direction, name } = camera;
  const address = source?.address ?? null;
  const isHydrated = useHydrated();
  const isLarge = small === 0;
  const { past, ready } = usePast(address);
  // Sorted in an order that nothing changes: a video that is moved in the page stops.
  const addresses = [...new Set([address, next?.address ?? null, past].filter((one) => one !== null))].sort();
  const isHeard = !players.sound.isMuted.value && !players.sound.isTooFast && players.sound.audible.value === index;
  const isLate = players.late.value.includes(index);
  return (
    <div
      class={`cam ${isComing ? "is-coming" : isLarge ? "is-main" : `is-small small-${small}`}`}
      data-camera={direction}
    >
      <figure class="cam-pic">
        {address === null && camera.thumb !== null && (
          <img src={camera.thumb} alt={`${name}, a still from the camera`} decoding="async" />
        )}
        {addresses.map((one) => (
          <Film
            key={one}
            {...props}
            source={one === address && source ? source : one === next?.address ? next : { address: one, part: null }}
            start={one === next?.address && one !== address ? props.nextStart : props.start}
            role={one === address ? "shown" : one === next?.address ? "next" : "past"}
            isHydrated={isHydrated}
            ready={ready}
          />
        ))}
        <figcaption>
          {isHydrated && !isAlone ? (
            <button
              class="cam-name"
              type="button"
              aria-pressed={isLarge}
              title={`Make this camera large (Shift+${index + 1})`}
              onClick={() => actions.focus(index)}
            >
              <span>{name}</span>
            </button>
          ) : (
            <span class="cam-name">
              <span>{name}</span>
            </span>
          )}
        </figcaption>
        {isHydrated && !isAlone && address !== null && (
          <button
            class="cam-save cam-hear"
            type="button"
            aria-pressed={isHeard}
            title={`Hear ${name}`}
            aria-label={`Hear ${name}`}
            onClick={() => players.sound.hear(index)}
          >
            <Icon name={isHeard ? "i-volume" : "i-mute"} />
          </button>
        )}
        {props.hud}
        {props.waits}
        <p class="cam-wait" role="status">
          {isLate && `Waiting for ${name}`}
        </p>
      </figure>
    </div>
  );
}

/** Address shown before this one, until the picture of this one is there. */
function usePast(address: string | null): { readonly past: string | null; readonly ready: () => void } {
  const changes = useSignal(0);
  const seen = useRef<{ shown: string | null; past: string | null }>({ shown: address, past: null });
  if (seen.current.shown !== address) seen.current = { shown: address, past: seen.current.shown };
  const { past } = seen.current;
  const drop = () => {
    if (seen.current.past === null) return;
    seen.current.past = null;
    changes.value++;
  };
  // Read, so that dropping it draws anew.
  void changes.value;
  return { past, ready: drop };
}
