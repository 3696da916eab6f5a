import * as v from "valibot";
import { type Parameter, query } from "./endpoint.ts";

const LETTERS = v.pipe(v.string(), v.regex(/^[A-Z](,[A-Z])*$/));

/** Parameters that narrow a list of the viewer. */
export const FILTER: Readonly<Record<string, Parameter>> = {
  types: query("Only clips of these types, such as `E,M`", LETTERS),
  cameras: query("Only clips with one of these cameras, such as `R`", LETTERS),
  only: query("`kept`, or `due`: what the next scheduled run would delete", v.picklist(["kept", "due"])),
};

/** A day of the camera's calendar. */
export const DATE: Parameter = query(
  "`YYYY-MM-DD`; the newest day when it is left out",
  v.pipe(v.string(), v.regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)),
);
