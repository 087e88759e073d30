import { errorIn } from './turn-failure.js';
import { turnErrorCodes, type TurnFailure } from './turn-event.js';

function said(language: string, failure: TurnFailure, finishReason: 'ERROR' | 'MAX_SECONDS' = 'ERROR') {
  return errorIn({ finishReason, error: failure }, language)?.message;
}

const failures: TurnFailure[] = [
  ...turnErrorCodes.map((code) => ({ code, retryable: true })),
  ...(['KEY', 'MODEL', 'CREDIT', 'ADDRESS', 'BUSY'] as const).map((fault) => ({
    code: 'MODEL_UNAVAILABLE' as const,
    retryable: false,
    fault,
  })),
];

it.each(['fr', 'es', 'zh-Hant', 'en'])(
  'says in %s why a turn failed, each in words of its own',
  (language) => {
    const words = failures.map((failure) => said(language, failure));
    expect(new Set(words).size).toBe(failures.length);
    if (language !== 'en') for (const failure of failures) expect(words).not.toContain(said('en', failure));
  },
);

it('says that the time was over, whose code is that of a model that is away', () => {
  expect(said('fr', { code: 'MODEL_UNAVAILABLE', retryable: true }, 'MAX_SECONDS')).toBe(
    'Aucune réponse n’est venue dans le temps prévu. Vous pouvez reposer la question.',
  );
});

it('says what was said already of a quota, and nothing but what people are told', () => {
  const error = { code: 'RATE_LIMITED', retryable: false, message: 'Ha agotado su cuota.' } as const;
  expect(errorIn({ finishReason: 'ERROR', error }, 'es')).toEqual(error);
  const failure: TurnFailure = { code: 'MODEL_UNAVAILABLE', retryable: false, fault: 'KEY' };
  expect(errorIn({ finishReason: 'ERROR', error: failure }, 'fr')).toEqual({
    code: 'MODEL_UNAVAILABLE',
    retryable: false,
    message: 'Le fournisseur du modèle refuse la clé : la personne qui en est responsable doit la vérifier.',
  });
  expect(errorIn({ finishReason: 'ANSWERED', error: null }, 'fr')).toBeNull();
});
