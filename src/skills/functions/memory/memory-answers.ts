import type { JsonObject } from '@palabre/json';

import type { Memory } from '../../../memory/memory.entity.js';
import type { Calendar } from '../../../common/calendar.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { ArgumentsError } from '../../skill.js';

export function memoryForModel(
  { id, ownerId, kind, subject, content, attributes, validFrom }: Memory,
  calendar: Calendar,
): JsonObject {
  return {
    id,
    kind,
    subject,
    content,
    ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    since: calendar.dayOf(validFrom),
    ...(ownerId === null ? { shared: true } : {}),
  };
}

/** The date of a Date's UTC fields, in words of a BCP 47 language. */
export function dayInWords(day: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(day);
}

const repairable: ReadonlySet<string> = new Set(['BAD_USER_INPUT', 'CONFLICT', 'FORBIDDEN', 'NOT_FOUND']);

/** Turns errors that the model can correct into SkillErrors. Others stay as they are. */
export async function explainToModel<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || !repairable.has(error.code)) throw error;
    const { path } = error.extensions;
    const [, ...argument] = Array.isArray(path) ? path.map(String) : [];
    const where = argument.length > 0 ? `${argument.join('.')}: ` : '';
    throw new ArgumentsError(`${where}${error.message}`, { cause: error });
  }
}
