import { Args } from '@nestjs/graphql';

/** The language of the reader of a server text, BCP 47. Default: English. */
export function ReadersLanguage(): ParameterDecorator {
  return Args('language', {
    type: () => String,
    defaultValue: 'en',
    description:
      'The reader’s language, BCP 47: en, es, fr and zh-Hant are supported. Any other language gets English.',
  });
}
