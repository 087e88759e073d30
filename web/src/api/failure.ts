import type { CombinedError } from '@urql/core';

import { t } from '../i18n/catalogue.js';

/** A code of the API's closed list; OFFLINE where nothing answered. */
export function codeOf(error: CombinedError): string {
  if (error.networkError) return statusOf(error) === 401 ? 'UNAUTHENTICATED' : 'OFFLINE';
  const code = error.graphQLErrors[0]?.extensions.code;
  return typeof code === 'string' ? code : 'INTERNAL';
}

/** What went wrong, for people: the API's own words where it has some that help. */
export function explain(error: CombinedError): string {
  switch (codeOf(error)) {
    case 'OFFLINE':
    case 'UNAVAILABLE':
      return t('failure.offline');
    case 'FORBIDDEN':
      return t('failure.forbidden');
    case 'NOT_FOUND':
      return t('failure.notFound');
    case 'RATE_LIMITED':
      return t('failure.tooMuch');
    case 'INTERNAL':
      return t('failure.internal');
    default:
      return error.graphQLErrors.map(({ message }) => message).join(' ');
  }
}

function statusOf(error: CombinedError): number | undefined {
  return (error.response as Response | undefined)?.status;
}
