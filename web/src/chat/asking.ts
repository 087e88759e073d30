import {
  type AskedTurn,
  PalabreError,
  type RegenerateInput,
  type StartedTurn,
  type StartTurnInput,
} from '@palabre/client';
import { useMemo, useState } from 'react';

import { usePalabre } from '../api/client.js';
import { expire } from '../app/session.js';
import { t } from '../i18n/catalogue.js';
import { bytesOf } from '../i18n/numbers.js';
import { momentOf } from '../i18n/dates.js';
import { attachmentProblem } from './attachment-problem.js';

interface Asking {
  /** Why the last question was not taken; null: it was. */
  problem: string | null;
  ask: (input: StartTurnInput) => Promise<StartedTurn>;
  regenerate: (input: RegenerateInput) => Promise<StartedTurn>;
}

export function useAsk(): Asking {
  const palabre = usePalabre();
  const [problem, setProblem] = useState<string | null>(null);
  const actions = useMemo(() => {
    const stored = async (asked: AskedTurn, attachmentIds: readonly string[] = []): Promise<StartedTurn> => {
      setProblem(null);
      try {
        return await asked.started;
      } catch (error) {
        setProblem((await attachmentProblem(palabre, error, attachmentIds)) ?? explained(error));
        throw error;
      }
    };
    return {
      ask: (input: StartTurnInput) => stored(palabre.ask(input), input.attachmentIds ?? []),
      regenerate: (input: RegenerateInput) => stored(palabre.regenerate(input)),
    };
  }, [palabre]);
  return { problem, ...actions };
}

/** What went wrong, for people. */
export function explained(error: unknown): string {
  if (!(error instanceof PalabreError)) return t('failure.internal');
  switch (error.code) {
    case 'UNAUTHENTICATED':
      expire();
      return t('signIn.expired');
    case 'UNREACHABLE':
    case 'UNAVAILABLE':
      return t('failure.offline');
    case 'RATE_LIMITED':
      return t('failure.tooMuch');
    case 'PAYLOAD_TOO_LARGE': {
      const { limit } = error.extensions;
      return typeof limit === 'number' ? t('failure.tooLarge', { bytes: bytesOf(limit) }) : error.message;
    }
    case 'QUOTA_EXCEEDED': {
      const { resetsAt } = error.extensions;
      return typeof resetsAt === 'string'
        ? t('chat.quotaUntil', { moment: momentOf(resetsAt) })
        : t('chat.quota');
    }
    default:
      return error.message;
  }
}
