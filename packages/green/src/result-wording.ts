import { SkillError } from '@palabre/plugin';

import en from '../wording/results.en.json' with { type: 'json' };
import es from '../wording/results.es.json' with { type: 'json' };
import fr from '../wording/results.fr.json' with { type: 'json' };
import zhHant from '../wording/results.zh-hant.json' with { type: 'json' };
import { fill, type Values, type Wording, wordingsOf } from './wording.js';

export type ResultWording = Wording<typeof en>;

/** The wording of a BCP 47 language; English for one that is not there or not a language. */
export const resultWordingOf = wordingsOf<typeof en>({ en, fr, es, 'zh-Hant': zhHant });

export type FaultCode = keyof typeof en.errors;

/** What a model, or the user behind it, can mend; it becomes a SkillError in the words of a language. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly says: readonly { code: FaultCode; values: Values }[];

  constructor(code: FaultCode, values: Values = {}) {
    super(fill(en.errors[code], values));
    this.says = [{ code, values }];
  }
}

/** Several faults at once: each is said. */
export class Faults extends Error {
  override readonly name = 'Faults';

  constructor(readonly says: Fault['says']) {
    super(says.map(({ code }) => code).join(' '));
  }
}

export function sayFault({ code, values }: Fault['says'][number], { texts }: ResultWording): string {
  return fill(texts.errors[code], values);
}

/** Says the faults of `work` in a language, each once. Rejects with SkillError. */
export async function sayingFaultsIn<Result>(language: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault || error instanceof Faults)) throw error;
    const wording = resultWordingOf(language);
    throw new SkillError([...new Set(error.says.map((fault) => sayFault(fault, wording)))].join('\n'), {
      cause: error,
    });
  }
}
