import { SkillError } from '@palabre/plugin';

import { fill, type Values, type Wording, wordingOf } from './wording.js';

/** Values of a fault's places. A function gives the value in a language (BCP 47). */
type FaultValues = Readonly<Record<string, Values[string] | ((language: string) => string)>>;

type FaultCode = keyof Wording['results']['errors'];

/** An error that a model or its user can correct. It becomes a SkillError in a language. */
export class Fault extends Error {
  override readonly name = 'Fault';

  constructor(
    readonly code: FaultCode,
    readonly values: FaultValues = {},
    options?: ErrorOptions,
  ) {
    super(sayFault({ code, values }, 'en'), options);
  }
}

function sayFault({ code, values }: Pick<Fault, 'code' | 'values'>, language: string): string {
  const said = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function' ? value(language) : value,
  ]);
  return fill(wordingOf(language).results.errors[code], Object.fromEntries(said) as Values);
}

/** Rethrows the Fault of `work`, or each of its AggregateError once, as SkillError in a language. */
export async function sayingFaultsIn<Result>(language: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const faults: unknown[] = error instanceof AggregateError ? error.errors : [error];
    const said = faults.map((fault) => {
      if (fault instanceof Fault) return sayFault(fault, language);
      throw error;
    });
    throw new SkillError([...new Set(said)].join('\n'), { cause: error });
  }
}
