import * as v from "valibot";
import { number, orNull } from "../answers/answer_fields.ts";

/** Points and samples of a recording, as `/api/recordings/gps` and `/api/recordings/gsensor` answer them. */

const GPS_POINT = v.object({
  t: number("Seconds since the first sentence of the file: the place in the video"),
  lat: number("Decimal degrees, north positive"),
  lon: number("Decimal degrees, east positive"),
  speed: orNull(v.number(), "Knots over ground; null when unknown"),
});
export type GpsPoint = v.InferOutput<typeof GPS_POINT>;

export const GPS = v.object({ points: v.array(GPS_POINT) });

const GSENSOR_SAMPLE = v.object({
  t: number("Seconds since the beginning of the recording"),
  x: number("Vertical, in g: about 1 at rest"),
  y: number("Lateral"),
  z: number("Longitudinal"),
});
export type GsensorSample = v.InferOutput<typeof GSENSOR_SAMPLE>;

export const GSENSOR = v.object({ samples: v.array(GSENSOR_SAMPLE) });
