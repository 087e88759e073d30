import { z } from 'zod';
import { plainLine } from '@palabre/text';

export const MAX_FILE_NAME_CHARACTERS = 200;

/** A name that is safe to save a download under: no path, and no characters that disguise the extension. */
export const FileName = z
  .string()
  .regex(/^[^/\\\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u, {
    error: 'A file’s name has no slashes and no control characters.',
    abort: true,
  })
  .transform(plainLine)
  .pipe(
    z
      .string()
      .min(1, 'A file needs a name.')
      .max(MAX_FILE_NAME_CHARACTERS, `A file’s name has at most ${MAX_FILE_NAME_CHARACTERS} characters.`),
  );

const TOKEN = String.raw`[\w!#$&^.+-]+`;

/** Such as `text/plain; charset=utf-8`. */
export const MediaType = z
  .string()
  .max(200, 'A media type has at most 200 characters.')
  .regex(new RegExp(`^${TOKEN}/${TOKEN}(; ?${TOKEN}=${TOKEN})*$`), 'This is not a media type.');
