import { Args } from '@nestjs/graphql';

/** The language of whoever reads a text that the server says. English, as BCP 47, if they do not name one. */
export function ReadersLanguage(): ParameterDecorator {
  return Args('language', {
    type: () => String,
    defaultValue: 'en',
    description:
      'What it is read in, BCP 47: en, es, fr and zh-Hant are known; English stands in for any other.',
  });
}
