import { isDeepStrictEqual } from 'node:util';

type Partly<Given> = { [Name in keyof Given]?: Exclude<Given[Name], undefined> };

/** The properties of `given` that differ from `before`. Undefined ones are ignored. */
export function differences<Given extends object>(
  before: { readonly [Name in keyof Given]-?: unknown },
  given: Given,
): Partly<Given> {
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof Given]),
    ),
  ) as Partly<Given>;
}
