import { expect, it } from '@jest/globals';
import { profileOf } from '../tool-profile.js';
import { abilityOf } from './abilities.js';

it.each(['fr', 'en', 'es', 'zh-Hant'] as const)(
  'tells in %s what the analysis of a document is',
  (language) => {
    const profile = profileOf({
      name: 'analyze_document',
      description: 'Analyses a whole document of the company.',
      parameters: {},
    });
    expect(abilityOf(profile, language)).not.toContain('Analyses a whole');
  },
);
