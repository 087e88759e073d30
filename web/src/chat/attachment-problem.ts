import { type Palabre, PalabreError } from '@palabre/client';

import { language } from '../i18n/catalogue.js';
import { attachmentErrorQuery } from './conversation-operations.js';

/** Why a question was refused for the files that it was to go with, in the language of the interface; null: it was not. */
export async function attachmentProblem(
  palabre: Pick<Palabre, 'request'>,
  error: unknown,
  ids: readonly string[],
): Promise<string | null> {
  if (!(error instanceof PalabreError) || error.extensions['argument'] !== 'input.attachmentIds') return null;
  const asked = ids.map((id) => palabre.request(attachmentErrorQuery, { id, language: language() }));
  // Whoever asks has been refused already: what is not found out is said in the server's words.
  const found = await Promise.all(asked).catch(() => []);
  const failed = found.flatMap(({ attachment }) =>
    attachment?.error == null ? [] : `${attachment.name}: ${attachment.error}`,
  );
  return failed.length === 0 ? null : failed.join('\n');
}
