/** @jsxImportSource preact */
import { useRef } from "preact/hooks";
import type { Film } from "../../../server/domain/film/film_schema.ts";
import { counted, formatBytes, formatSeconds } from "../../../server/domain/text/format.ts";
import { cameraName, camerasInOrder } from "../../../server/domain/viewer/viewer_address.ts";
import { Icon } from "../../parts/icon.tsx";
import type { PartProps } from "./part_props.ts";

/** One film for each camera, which the browser downloads by itself. */
export function FilmsPart({ films, directions, query, choice }: PartProps) {
  const list = useRef<HTMLUListElement>(null);
  const told = films.isReading.value ? null : films.answer.value;
  const { value: problem } = films.problem;
  const { value: isPlain } = choice.isPlain;
  const letters = camerasInOrder(told?.cameras.map(({ direction }) => direction) ?? directions);
  const ready = told?.cameras.filter(({ bytes }) => bytes > 0) ?? [];
  const bytes = ready.reduce((sum, film) => sum + film.bytes, 0);
  return (
    <>
      <p class="label">One film per camera</p>
      <ul class="save-list" ref={list} aria-busy={films.isReading.value}>
        {letters.map((direction) => (
          <FilmRow
            key={direction}
            direction={direction}
            film={told?.cameras.find((one) => one.direction === direction) ?? null}
            href={`/film/${direction}.mp4?${query}${isPlain ? "&plain=true" : ""}&download=1`}
          />
        ))}
      </ul>
      <p class="save-says" role="status">
        {problem}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={isPlain}
          onChange={(event) => {
            choice.isPlain.value = event.currentTarget.checked;
          }}
        />
        <span>
          Cut the rest out <span class="small soft">Nothing outside this part is in the file</span>
        </span>
      </label>
      {ready.length > 0 && (
        <div class="save-foot">
          <p class="state is-fine">
            <Icon name="s-fine" />
            Ready at once, not encoded again
          </p>
          {ready.length > 1 && (
            <button
              class="b b-primary"
              type="button"
              onClick={() => {
                for (const link of list.current?.querySelectorAll("a") ?? []) link.click();
              }}
            >
              Save {ready.length === 2 ? "both" : `all ${ready.length}`}, {formatBytes(bytes)}
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** @param film null while it is not known */
function FilmRow({
  direction,
  film,
  href,
}: {
  readonly direction: string;
  readonly film: Film | null;
  readonly href: string;
}) {
  const name = cameraName(direction);
  const size = film && formatBytes(film.bytes);
  return (
    <li>
      <div>
        <b>{name}</b>
        <span class="small">{film === null ? "Reading…" : amountOf(film)}</span>
      </div>
      {film?.bytes !== 0 && (
        <a class="b" href={href} download aria-label={size === null ? `Save ${name}` : `Save ${name}, ${size}`}>
          <Icon name="i-download" />
          {size ?? "Save"}
        </a>
      )}
      {film?.cannot != null && (
        <span class="small state is-attention">
          <Icon name="s-attention" />
          <span>{film.cannot}</span>
        </span>
      )}
    </li>
  );
}

/** `3 clips, 2 min`, and what is left out. */
function amountOf({ clips, seconds, bytes, gaps }: Film): string {
  if (bytes === 0) return "No film";
  const lost = gaps.reduce((sum, gap) => sum + gap.seconds, 0);
  const left = gaps.length === 0 ? "" : ` · ${counted(gaps.length, "gap")} of ${formatSeconds(lost)} left out`;
  return `${counted(clips, "clip")}, ${formatSeconds(seconds)}${left}`;
}
