import { wordingIn } from '../../common/wording/wording.js';
import type { TurnError, TurnOutcome } from './turn-event.js';

/** The error of a turn in `language` (BCP 47). Null: none. */
export function errorIn(
  { finishReason, error }: Pick<TurnOutcome, 'finishReason' | 'error'>,
  language: string,
): TurnError | null {
  if (!error) return null;
  const { code, retryable, fault } = error;
  const { turnFailures: said } = wordingIn(language);
  const why = finishReason === 'MAX_SECONDS' ? said.OUT_OF_TIME : said[fault ?? code];
  return { code, message: error.message ?? why, retryable };
}
