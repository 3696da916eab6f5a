/** @jsxImportSource preact */
import * as v from "valibot";
import { Icon } from "../../islands/parts/icon.tsx";
import { FieldProblem, Note } from "../../islands/parts/note.tsx";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { placeText, typedPlace } from "../domain/places/typed_place.ts";
import { type UsualStop, usualStops } from "../domain/places/usual_stops.ts";
import { clipName } from "../domain/recordings/camera_clock.ts";
import type { FieldError } from "../domain/settings/field_check.ts";
import { LONGEST_PLACE_NAME, MOST_PLACES, type OwnPlace, RADIUS } from "../domain/settings/own_places.ts";
import { pathOf } from "../domain/settings/settings.ts";
import { counted } from "../domain/text/format.ts";
import { endsOfDay } from "../engine/viewer/trip_summaries.ts";
import { csrfToken } from "../http/auth/csrf.ts";
import { readForm, readQuery, TYPED } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html, redirect } from "../http/request/respond.ts";
import { Document, PageFoot, page } from "./document.tsx";

const PAGE = "/settings/places";
/** Days with recordings whose trips are looked at for places that have no name yet. */
const DAYS_LOOKED_AT = 14;
const MOST_STOPS = 4;

const ASKED = v.object({
  /** A place that is to get a name, as `typedPlace` reads it. */
  at: v.fallback(v.nullable(v.pipe(v.string(), v.maxLength(60))), null),
  done: v.fallback(v.nullable(v.picklist(["added", "saved", "removed"])), null),
});
const SENT = v.object({
  action: v.fallback(v.nullable(v.picklist(["add", "save", "remove"])), null),
  /** The place as the page showed it: the list may be another one by now. */
  shown: TYPED,
  name: TYPED,
  place: TYPED,
  radius: TYPED,
});
const DONE = { added: "The place is added.", saved: "The place is saved.", removed: "The place is removed." } as const;

/** A place as it stands in its form. */
interface Typed {
  readonly name: string;
  readonly place: string;
  readonly radius: string;
}

/** A form that was refused: which, what was typed, and why. */
interface Refused {
  /** Number of the place in the list; null for the new one. */
  readonly at: number | null;
  readonly typed: Typed;
  readonly problems: Partial<Record<keyof Typed, string>>;
  /** A problem that no field has. */
  readonly trouble: string | null;
}

/** `GET /settings/places`: the owner's own places, each in a form of its own, which needs no script. */
export async function placesPage(context: RequestContext, app: App): Promise<Response> {
  return html(await drawn(context, app, null));
}

/** `POST /settings/places`: adds, changes or removes a place. */
export async function changePlaces(context: RequestContext, app: App): Promise<Response> {
  const { settings, log } = app;
  const sent = await readForm(context, SENT);
  const { list } = settings.current.places;
  const at = sent.action === "add" ? null : list.findIndex((one) => keyOf(one) === sent.shown);
  const refuse = async (why: Pick<Refused, "problems" | "trouble">, status = 422) =>
    html(await drawn(context, app, { at, typed: sent, ...why }), { status });
  if (sent.action === null || at === -1)
    return refuse({ problems: {}, trouble: "Your places have changed meanwhile. Try again." }, 409);
  const typed = placeOf(sent);
  const changed =
    sent.action === "remove"
      ? list.filter((_, place) => place !== at)
      : at === null
        ? [...list, typed]
        : list.map((one, place) => (place === at ? typed : one));
  try {
    await settings.patch("places", { list: changed });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const number = at ?? list.length;
    return refuse(problemsOf(error, number), error.code === "SETTINGS_INVALID" ? 422 : 507);
  }
  log.info("settings", `The places settings were changed from ${context.address}`);
  const done = { add: "added", save: "saved", remove: "removed" } as const;
  return redirect(`${PAGE}?done=${done[sent.action]}`, { status: 303 });
}

/** The place that was typed; what cannot be read is left to the check of the setting. */
function placeOf({ name, place, radius }: Typed) {
  const read = typedPlace(place);
  return {
    name,
    lat: read?.lat ?? null,
    lon: read?.lon ?? null,
    radius: Number(radius.replace(",", ".") || Number.NaN),
  };
}

/** Puts the problems of one place at its fields. */
function problemsOf({ message, details }: AppError, number: number): Pick<Refused, "problems" | "trouble"> {
  const errors = (details["field_errors"] ?? []) as readonly FieldError[];
  const problems: Partial<Record<keyof Typed, string>> = {};
  const begin = `${pathOf("places", "list")}.${number}.`;
  for (const { path } of errors) {
    if (path === `${begin}name`) problems.name = `Type a name of 1 to ${LONGEST_PLACE_NAME} characters.`;
    if (path === `${begin}lat` || path === `${begin}lon`)
      problems.place = "Type latitude and longitude, such as 52.5163, 13.3777.";
    if (path === `${begin}radius`) problems.radius = `Type a number from ${RADIUS.min} to ${RADIUS.max}.`;
  }
  if (Object.keys(problems).length > 0) return { problems, trouble: null };
  const isFull = errors.some(({ path }) => path === pathOf("places", "list"));
  return { problems, trouble: isFull ? `There is room for ${MOST_PLACES} places. Remove one first.` : message };
}

/** A place as a form names it. */
const keyOf = ({ name, lat, lon, radius }: OwnPlace) => JSON.stringify([name, lat, lon, radius]);

async function drawn(context: RequestContext, app: App, refused: Refused | null): Promise<string> {
  const { list } = app.settings.current.places;
  const asked = readQuery(context, ASKED);
  const token = csrfToken(context, app);
  const chosen = asked.at === null ? null : typedPlace(asked.at);
  const fresh = { name: "", place: chosen ? placeText(chosen) : "", radius: String(RADIUS.usual) };
  const stops = list.length < MOST_PLACES ? await stopsOf(app) : [];
  const form = (at: number | null, typed: Typed) => {
    const mine = refused !== null && refused.at === at ? refused : null;
    return { token, typed: mine?.typed ?? typed, problems: mine?.problems ?? {} };
  };
  return page(
    <Document context={context} app={app} title="Places" path="/settings" sheet="places.css" isAboutAll>
      <a class="back" href="/settings#places">
        <Icon name="i-left" />
        Settings
      </a>
      <div class="places">
        <p class="pl-intro">
          Trips are called by these names, such as “Home to Work”. Elsewhere the nearest town gives the name. No map
          service is asked.
        </p>
        {asked.done && refused === null && (
          <p class="says" role="status">
            {DONE[asked.done]}
          </p>
        )}
        {refused?.trouble && <Note level="failed" role="alert" title={refused.trouble} />}
        <section class="section" aria-labelledby="pl-own">
          <div class="section-head">
            <h2 id="pl-own">{list.length === 0 ? "No places yet" : counted(list.length, "place")}</h2>
          </div>
          {list.map((one, at) => (
            <PlaceForm
              key={keyOf(one)}
              id={`place-${at}`}
              shown={one}
              {...form(at, { name: one.name, place: placeText(one), radius: String(one.radius) })}
            />
          ))}
        </section>
        {list.length < MOST_PLACES && (
          <section class="section" id="new" aria-labelledby="pl-new">
            <div class="section-head">
              <h2 id="pl-new">Add a place</h2>
            </div>
            <PlaceForm id="new-place" shown={null} {...form(null, fresh)} />
          </section>
        )}
        {stops.length > 0 && <Stops stops={stops} app={app} />}
        <p class="says">
          Names of towns come from <a href="https://www.geonames.org">GeoNames</a> (
          <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>) and are part of Dashdock.
        </p>
      </div>
      <PageFoot app={app} />
    </Document>,
  );
}

interface NamedStop extends UsualStop {
  /** The town it is in. */
  readonly near: string | null;
}

/** Places at which the latest trips of all cameras ended. */
async function stopsOf(app: App): Promise<NamedStop[]> {
  const names = await app.placeNames();
  const { viewer, places } = app.settings.current;
  const ends = await Promise.all(
    app.cameras.all.map(async (one) => {
      const days = (await one.viewed.days()).slice(0, DAYS_LOOKED_AT);
      const found = [];
      for (const { date } of days) found.push(...(await endsOfDay(one, date, viewer.trip_gap_minutes)).reverse());
      return found;
    }),
  );
  const latest = ends.flat().sort((one, other) => (one.key < other.key ? 1 : -1));
  const usual = usualStops(latest, places.list, MOST_STOPS);
  return await Promise.all(usual.map(async (one) => ({ ...one, near: await names.at(one.place) })));
}

/** The places at which trips ended most often: one press takes them over. */
function Stops({ stops, app }: { readonly stops: readonly NamedStop[]; readonly app: App }) {
  const { zone, clock } = app;
  const { year } = zone.wall(clock.now());
  return (
    <section class="section" aria-labelledby="pl-stops">
      <div class="section-head">
        <h2 id="pl-stops">Where the car was parked lately</h2>
      </div>
      <ul class="pl-stops">
        {stops.map(({ place, key, count, near }) => (
          <li key={key}>
            <p>
              <b>{near === null ? placeText(place) : `In or near ${near}`}</b>
              <span class="small soft">
                {counted(count, "trip")} ended here, the last {clipName(key, year, zone.format)}
                {near !== null && ` · ${placeText(place)}`}
              </span>
            </p>
            <a class="b" href={`${PAGE}?at=${encodeURIComponent(placeText(place))}#new`}>
              Name this place
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PlaceFormProps {
  readonly id: string;
  readonly token: string;
  /** The place as it is now; null for a new one. */
  readonly shown: OwnPlace | null;
  readonly typed: Typed;
  readonly problems: Refused["problems"];
}

/** One place: its name, where it is, and how far around. */
function PlaceForm({ id, token, shown, typed, problems }: PlaceFormProps) {
  const field = (name: keyof Typed, label: string, more: Readonly<Record<string, unknown>>) => {
    const problem = problems[name];
    return (
      <div class={`pl-${name}`}>
        <label for={`${id}-${name}`}>{label}</label>
        <input
          class="in"
          id={`${id}-${name}`}
          name={name}
          value={typed[name]}
          autocomplete="off"
          aria-invalid={problem === undefined ? undefined : "true"}
          aria-describedby={problem === undefined ? undefined : `${id}-${name}-error`}
          {...more}
        />
        {problem !== undefined && <FieldProblem id={`${id}-${name}-error`} text={problem} />}
      </div>
    );
  };
  return (
    <form class="pl" method="post" action={PAGE} aria-label={shown === null ? "New place" : shown.name}>
      <input type="hidden" name="csrf_token" value={token} />
      {shown !== null && <input type="hidden" name="shown" value={keyOf(shown)} />}
      {field("name", "Name", { maxlength: LONGEST_PLACE_NAME, placeholder: "Home", required: true })}
      {field("place", "Latitude, longitude", { placeholder: "52.5163, 13.3777", required: true })}
      {field("radius", "Radius, m", { inputmode: "numeric", required: true })}
      <div class="row pl-do">
        {shown === null ? (
          <button class="b b-primary" type="submit" name="action" value="add">
            Add this place
          </button>
        ) : (
          <>
            <button class="b" type="submit" name="action" value="save">
              Save
            </button>
            <button
              class="b b-quiet b-danger"
              type="submit"
              name="action"
              value="remove"
              formnovalidate
              aria-label={`Remove ${shown.name}`}
            >
              Remove
            </button>
          </>
        )}
      </div>
    </form>
  );
}
