import { type AnswerInputInput, PalabreError } from '@palabre/client';
import { useState } from 'react';
import { useClient } from 'urql';

import { usePalabre } from '../api/client.js';
import { t } from '../i18n/catalogue.js';
import { waitingQuery } from '../inbox/waiting.js';
import { explained } from './asking.js';

interface Answering {
  isBusy: boolean;
  /** Why the last answer was not taken. */
  problem: string | null;
  setProblem: (problem: string | null) => void;
  answer: (input: AnswerInputInput) => Promise<void>;
}

/** Gives a turn what it waits for. */
export function useAnswering(onAnswered?: () => void): Answering {
  const palabre = usePalabre();
  const client = useClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function answer(input: AnswerInputInput): Promise<void> {
    setIsBusy(true);
    setProblem(null);
    try {
      await palabre.answerInput(input);
      onAnswered?.();
    } catch (error) {
      setProblem(refusalIn(error));
      setIsBusy(false);
    }
    await client.query(waitingQuery, {}, { requestPolicy: 'network-only' });
  }
  return { isBusy, problem, setProblem, answer };
}

function refusalIn(error: unknown): string {
  const code = error instanceof PalabreError ? error.code : '';
  return code === 'CONFLICT' || code === 'NOT_FOUND' ? t('input.over') : explained(error);
}
