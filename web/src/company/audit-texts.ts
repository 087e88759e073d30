import { t, type TextKey } from '../i18n/catalogue.js';

type Noun = Extract<TextKey, `audit.noun.${string}`> extends `audit.noun.${infer Name}` ? Name : never;
type Verb = Extract<TextKey, `audit.verb.${string}`> extends `audit.verb.${infer Name}` ? Name : never;

/** What changes are made to. */
export const NOUNS = [
  'api-key',
  'approval',
  'assistant',
  'company',
  'document',
  'mcp-server',
  'member',
  'memory',
  'prompt',
  'provider',
  'quota',
  'schedule',
  'skill',
  'skill-record',
  'turn',
  'webhook',
] as const satisfies Noun[];

const VERBS = [
  'access-set',
  'activated',
  'approval-set',
  'approved',
  'archived',
  'created',
  'deactivated',
  'deleted',
  'denied',
  'erased',
  'forgotten',
  'paused',
  'published',
  'reactivated',
  'refreshed',
  'registered',
  'remembered',
  'removed',
  'resumed',
  'revoked',
  'rolled-back',
  'set',
  'shared',
  'shown',
  'sign-in-expired',
  'sign-in-too-narrow',
  'signed-in',
  'signed-out',
  'spoke-for',
  'tested',
  'tools-changed',
  'tried',
  'unarchived',
  'unshared',
  'updated',
  'uploaded',
] as const satisfies Verb[];

export function nounText(noun: Noun): string {
  return t(`audit.noun.${noun}`);
}

/** `skill.deactivated`, for people. A newer server may do what is not known here. */
export function actionText(action: string): string {
  const [first, second] = action.split('.');
  const noun = NOUNS.find((known) => known === first);
  const verb = VERBS.find((known) => known === second);
  if (!noun || !verb) return action;
  return t('audit.change', { noun: nounText(noun), verb: t(`audit.verb.${verb}`) });
}
