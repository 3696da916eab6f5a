import type * as v from "valibot";

/** Takes a schema whose values are exactly those of `T`, and nothing else, at compile time. */
export function exactly<T>() {
  return <S extends v.GenericSchema<unknown, T>>(schema: S & ([T] extends [v.InferOutput<S>] ? unknown : never)): S =>
    schema;
}
