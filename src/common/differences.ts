import { isDeepStrictEqual } from 'node:util';

type Partly<Given> = { [Name in keyof Given]?: Exclude<Given[Name], undefined> };

/** What of `given` is not so `before`; what is undefined is not given. */
export const differences = <Given extends object>(
  before: { readonly [Name in keyof Given]-?: unknown },
  given: Given,
): Partly<Given> =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof Given]),
    ),
  ) as Partly<Given>;
