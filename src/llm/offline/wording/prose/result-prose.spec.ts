import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '../../../../common/json.js';
import { meaningsOf } from '../../reading/words/meaning.js';
import { failureIn } from '../../result-failure.js';
import { describeResult } from './result-prose.js';

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('describeResult', () => {
  it('says nothing twice of what the summary says', () => {
    const value: JsonValue = {
      summary: 'Total : 6 t, sans les pertes.',
      totalTonnes: 6,
      lines: [{ text: 'électricité : 12 kWh × 0,5 = 6 kg', quantity: 12, unit: 'kWh' }],
      refused: [{ label: 'charbon', reason: 'sans les pertes' }],
      caveats: [
        { code: 'a', text: 'sans les pertes' },
        { code: 'b', text: 'moyenne nationale' },
      ],
      sources: [
        { id: 'x', publisher: 'Ember', title: 'Grids', year: 2025, licence: 'CC', url: 'https://ember.org' },
        { publisher: 'Ember', title: 'Undated' },
      ],
    };
    expect(describeResult(value, 'fr')).toBe(
      [
        'Total : 6 t, sans les pertes.',
        '**Détail**\n- électricité : 12 kWh × 0,5 = 6 kg',
        '**Sources**\n- Ember, Grids (2025), https://ember.org\n- Ember, Undated',
        '**À savoir**\n- moyenne nationale',
      ].join('\n\n'),
    );
  });

  it.each<[string, JsonValue, string]>([
    [
      'the whole',
      { name: 'Teranga', headcount: 45, notKnown: ['city'] },
      'Here is what I found:\n- name: Teranga\n- headcount: 45\n\nNot known yet: city.',
    ],
    [
      'what was written down',
      { stored: ['city'], profile: { name: 'T', city: 'Thiès', notKnown: ['sector'] } },
      'Noted:\n- city: Thiès\n\nNot known yet: sector.',
    ],
    ['names of fields alone', { updated: ['headcount'] }, 'Noted:\n- headcount'],
    [
      'money and codes',
      { revenue: { amount: 1200.5, currency: 'EUR' }, country: 'SN', language: 'fr' },
      'Here is what I found:\n- revenue: €1,200.50\n- country: Senegal\n- language: French',
    ],
    ['a language that is none', { language: 'zzzz' }, 'Here is what I found:\n- language: zzzz'],
    ['nothing', {}, ''],
  ])('tells %s', (_, value, expected) => {
    expect(plain(describeResult(value, 'en'))).toBe(expected);
  });

  it('tells the one fact asked for, or that it is not known', () => {
    const profile = { name: 'Teranga', headcount: 45, notKnown: ['country'] };
    expect(describeResult(profile, 'fr', meaningsOf('combien de salariés'))).toBe('- effectif : 45');
    expect(describeResult(profile, 'fr', meaningsOf('quel pays'))).toBe(
      "Je n'ai pas encore cette information : pays.",
    );
  });
});

it.each<[JsonValue, string | null]>([
  [{ error: 'no' }, 'no'],
  [{ error: { message: 'no' } }, 'no'],
  [{ error: true, message: 'no' }, 'no'],
  [{ error: false }, null],
  ['error', null],
])('finds the failure in %j', (value, expected) => {
  expect(failureIn(value)).toBe(expected);
});
