import { wordingIn } from '../../common/wording/wording.js';
import type { TurnError } from './turn-event.js';
import { sayFailure } from './turn-notifications.service.js';

const codes = [
  'MODEL_UNAVAILABLE',
  'MODEL_REFUSED',
  'CONTEXT_TOO_LARGE',
  'RATE_LIMITED',
  'INTERNAL',
] as const;

type Code = TurnError['code'] | null;

function said(language: string, code: Code, finishReason: 'ERROR' | 'MAX_SECONDS' = 'ERROR') {
  return sayFailure(
    { finishReason, error: code === null ? null : { code, message: 'In English.', retryable: true } },
    wordingIn(language).turnNotifications,
  );
}

it.each(['fr', 'es', 'zh-Hant', 'en'])('says in %s why there is no answer, by the code', (language) => {
  const words = codes.map((code) => said(language, code));
  expect(new Set(words).size).toBe(codes.length);
  expect(words).not.toContain('In English.');
  if (language !== 'en') for (const code of codes) expect(words).not.toContain(said('en', code));
});

it('says that the time was over, whose code is that of a model that is away', () => {
  expect(said('fr', 'MODEL_UNAVAILABLE', 'MAX_SECONDS')).toBe(
    'Aucune réponse n’est venue dans le temps prévu. Vous pouvez reposer la question.',
  );
});

it.each<Code>([null, 'LEASE_LOST'])(
  'has words for an error that there is no more to say about: %s',
  (code) => {
    expect(said('es', code)).toBe('El trabajo se ha detenido. Puede volver a preguntar.');
  },
);
