import { SkillError } from '@palabre/plugin';

import { fill, type Values, type Wording, wordingOf } from './wording.js';

type FaultCode = keyof Wording['results']['errors'];

/** What a model, or the user behind it, can mend; it becomes a SkillError in the words of a language. */
export class Fault extends Error {
  override readonly name = 'Fault';

  constructor(
    readonly code: FaultCode,
    readonly values: Values = {},
    options?: ErrorOptions,
  ) {
    super(sayFault({ code, values }, 'en'), options);
  }
}

function sayFault({ code, values }: Pick<Fault, 'code' | 'values'>, language: string): string {
  return fill(wordingOf(language).results.errors[code], values);
}

/** Says in a language the fault of `work`, or those of its AggregateError, each once. Rejects with SkillError. */
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
