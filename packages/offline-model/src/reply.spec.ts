import fc from 'fast-check';

import { numberIn } from './numbers.js';
import { type CompletionRequest, completionRequest, type Reply, type Schema, type Tool } from './protocol.js';
import { replyTo } from './reply.js';
import { tokensOf } from './tokens.js';
import { languageOf } from './vocabulary.js';

function object(properties: Record<string, Schema>, ...required: string[]): Schema {
  return {
    type: 'object',
    properties,
    required,
  };
}

function text(description = ''): Schema {
  return { type: 'string', description };
}

/** The tools of a company that rents out machines. */
const tools: readonly Tool[] = [
  {
    name: 'quote_rental',
    description: 'Gives the price of a rental. Never use it for repairs.',
    parameters: object(
      {
        country: { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166 code of the country' },
        period: text('As it was said, e.g. "2025" or "par mois"'),
        machines: {
          type: 'array',
          items: object(
            {
              machine: {
                type: 'string',
                enum: ['crane', 'diesel_pump', 'mixer'],
                description:
                  'crane (grue, grúa, 起重機), diesel_pump (pompe diesel, R-2D), mixer (bétonnière)',
              },
              amount: { type: 'number' },
              unit: { type: 'string', enum: ['day', 'tonne', 'kg'], description: 'tonne (t, tonelada)' },
            },
            'machine',
            'amount',
            'unit',
          ),
        },
      },
      'machines',
    ),
  },
  {
    name: 'remember_note',
    description: 'Keeps a note.',
    parameters: object(
      {
        kind: {
          type: 'string',
          enum: ['PERSON', 'FACT'],
          description: 'PERSON: somebody; FACT: anything else',
        },
        title: { type: 'string', maxLength: 40 },
        content: { type: 'string', maxLength: 500 },
      },
      'kind',
      'title',
      'content',
    ),
  },
  { name: 'search_papers', description: 'Finds passages.', parameters: object({ query: text() }, 'query') },
  { name: 'search_web', description: 'Searches the web.', parameters: object({ query: text() }, 'query') },
  {
    name: 'find_grants',
    description: 'Finds grants for projects.',
    parameters: object({
      need: text('What it is for, in the user’s words'),
      budget: object(
        {
          value: { type: 'number' },
          currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'XOF for FCFA' },
        },
        'value',
        'currency',
      ),
    }),
  },
  {
    name: 'update_company',
    description: 'Stores facts about the company.',
    parameters: {
      ...object({ staff: { type: 'integer', description: 'How many people work there (salariés)' } }),
      minProperties: 1,
    },
  },
];

type Given = Partial<Record<keyof CompletionRequest, unknown>>;

function request(messages: object[], given: Given = {}): CompletionRequest {
  return completionRequest.parse({
    model: 'any',
    messages,
    tools: tools.map((tool) => ({ type: 'function', function: tool })),
    ...given,
  });
}

function user(content: string): object {
  return { role: 'user', content };
}
function replyToWords(...said: string[]): Reply {
  return replyTo(request(said.map(user)));
}
function callsOf(reply: Reply): [string, object][] {
  return 'calls' in reply ? reply.calls.map((call) => [call.name, call.arguments]) : [];
}
function textOf(reply: Reply): string {
  return 'text' in reply ? reply.text : '';
}

/** Only a search: nothing was understood. */
function isSearch(reply: Reply): boolean {
  return callsOf(reply).every(([name]) => name === 'search_papers');
}

function machine(of: string, amount: number, unit: string): object {
  return { machine: of, amount, unit };
}

describe('a request in plain words', () => {
  it.each<[string, string, object]>([
    ['Rental : 3 jours de grue', 'quote_rental', { machines: [machine('crane', 3, 'day')] }],
    [
      'Quel est le rental pour 2 jours de grue et 1,5 tonne de R-2D au Mali ?',
      'quote_rental',
      { country: 'ML', machines: [machine('crane', 2, 'day'), machine('diesel_pump', 1.5, 'tonne')] },
    ],
    [
      'rental of mixer: 12 days, crane: 3 days',
      'quote_rental',
      { machines: [machine('mixer', 12, 'day'), machine('crane', 3, 'day')] },
    ],
    [
      'rental of 12 days of mixer per month',
      'quote_rental',
      { machines: [machine('mixer', 12, 'day')], period: 'per month' },
    ],
    [
      'Please remember that Ana is our notary, ana@x.example',
      'remember_note',
      { kind: 'FACT', title: 'Ana is our notary', content: 'Ana is our notary, ana@x.example' },
    ],
    [
      'Retiens : la clé est sous le tapis.',
      'remember_note',
      { kind: 'FACT', title: 'clé est sous le tapis', content: 'clé est sous le tapis' },
    ],
    [
      '請記住會計師是林美華',
      'remember_note',
      { kind: 'FACT', title: '會計師是林美華', content: '會計師是林美華' },
    ],
    [
      'Find grants of 5 000 FCFA for a solar pump',
      'find_grants',
      { budget: { value: 5000, currency: 'XOF' }, need: 'solar pump' },
    ],
    ['Update our company: 25 salariés', 'update_company', { staff: 25 }],
  ])('%s', (message, name, given) => {
    expect(callsOf(replyToWords(message))).toEqual([[name, given]]);
  });
});

describe('what is not understood to the last word', () => {
  it.each([
    'rental of 3 days of crane, not 2',
    'rental of 3 days of crane without mixer',
    'rental of 3 days of crane or 2 days of mixer',
    'rental of 3 to 5 days of crane',
    'rental of -3 days of crane',
    'rental of 3 days of crane 5 days of mixer',
    'rental of 3 days of crane, 5 days of crane',
    'rental of 3 days of crane and mixer',
    'rental of 3 days of crane. And 5 days of mixer?',
    'rental of 3 days of crane per month and 5 days of mixer',
    'rental of 3 days of crane in Mali and 5 days of mixer in Chad',
    'rental of 3 days of yellow crane',
    'rental of 3 days of crane, then repair it',
    'Rental pour 3,500 jours de grue',
    'Retiens que Marc est comptable et update company: 25 salariés',
    'Did you remember that Ana is our notary?',
    'I have remembered a note',
  ])('is not acted upon: %s', (message) => {
    expect(isSearch(replyToWords(message))).toBe(true);
  });

  it('is not acted upon where it changes figures of an earlier message', () => {
    expect(isSearch(replyToWords('rental of 3 days of crane', 'rental of 5 days of mixer'))).toBe(true);
    expect(callsOf(replyToWords('Hello', 'rental of 5 days of mixer'))).toHaveLength(1);
  });

  it('is named, in the language of the message, with how to set a model', () => {
    const question = 'Quel est le rental pour 3 jours de grue jaune ?';
    const asked = [user(question), call('search_papers', question), result({ passages: [] })];
    const text = textOf(replyTo(request(asked)));
    expect(text).toContain('« jaune »');
    expect(text).toContain('LLM_BASE_URL');
    expect(textOf(replyToWords('Hola'))).toContain('Sin modelo de lenguaje');
    expect(textOf(replyToWords('你好'))).toContain('沒有語言模型');
  });
});

const word = fc.constantFrom(
  ...'rental of of days day tonne crane mixer grue diesel pump and et , . ? not or per month in Mali Chad FCFA'.split(
    ' ',
  ),
  ...'remember that grants find salariés update company R-2D € kg × - ½ trois en 2024 de la 起重機 和 的'.split(
    ' ',
  ),
);
const figure = fc.oneof(
  fc.nat(99_999).map(String),
  fc
    .tuple(
      fc.integer({ min: 1, max: 999 }),
      fc.constantFrom(' ', ',', '.', ' '),
      fc.integer({ min: 100, max: 999 }),
    )
    .map((parts) => parts.join('')),
);

it('works with no figure that the message has not got, and with all of them', () => {
  let called = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(word, figure), { minLength: 3, maxLength: 9 }), (words) => {
      const message = `the rental of ${words.join(' ')}`;
      const language = languageOf(message);
      // A figure in a name does not count.
      const said = tokensOf(message.replaceAll('R-2D', '')).flatMap(({ kind, text }) =>
        kind === 'number' ? [numberIn(text, language)] : [],
      );
      for (const [name, given] of callsOf(replyToWords(message))) {
        if (name !== 'quote_rental') continue;
        called += 1;
        const used = JSON.stringify(given).match(/\d+(?:\.\d+)?/g) ?? [];
        expect(used.map(Number).toSorted()).toEqual(said.toSorted());
      }
    }),
    { numRuns: 2_000, examples: [[['3', 'days', 'crane']]] },
  );
  expect(called).toBeGreaterThan(0);
});

function call(name: string, query: string | null): object {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: '1', function: { name, arguments: JSON.stringify(query === null ? {} : { query }) } }],
  };
}
function result(value: object): object {
  return {
    role: 'tool',
    tool_call_id: '1',
    content: `<result>\n${JSON.stringify(value)}\n</result>`,
  };
}

describe('after a result', () => {
  const passages = [
    {
      marker: 1,
      document: 'plan.md',
      text: 'Plan 2024\n\nThe crane is checked in May. The mixer is checked in June.',
    },
    { marker: 2, document: 'old.md', text: 'Plan 2019\n\nThe crane is checked in March.' },
  ];
  const asked = (question: string): string =>
    textOf(replyTo(request([user(question), call('search_papers', question), result({ passages })])));

  it('quotes what has every word of the question, with its marker', () => {
    expect(asked('When is the mixer checked?')).toContain('“The mixer is checked in June.” [1] (plan.md)');
    expect(asked('When is the crane checked in 2019?')).toMatch(/^[^[]*March\.” \[2\][^[]*$/);
    expect(asked('When is the crane checked?')).toMatch(/May\.” \[1\][\s\S]*March\.” \[2\]/);
    expect(asked('When is the pump checked?')).not.toMatch(/\[\d\]/);
  });

  it('says which words of the question nothing has that was found', () => {
    const question = 'When is the pump checked in Lima?';
    const searched = call('search_papers', question);
    const text = textOf(
      replyTo(request([user(question), searched, result({ passages, missing: ['Lima'] })])),
    );
    expect(text).toContain('Nothing that I found mentions “Lima”');
    expect(asked('When is the pump checked?')).not.toContain('mentions');
  });

  it('says its sentence for people, or what went wrong', () => {
    const said = (value: object): string =>
      textOf(
        replyTo(request([user('rental of 3 days of crane'), call('quote_rental', null), result(value)])),
      );
    expect(said({ summary: 'It costs 90.' })).toMatch(/^It costs 90\.\n\n.*LLM_BASE_URL/);
    expect(said({ error: 'There is none.' })).toContain('There is none.');
    expect(said({ price: 90, of: { crane: 'big' } })).toMatch(/- price: 90\n- crane: big/);
  });

  it('finds in what it was told what is asked', () => {
    const told = { role: 'system', content: 'Be kind.\n<memory>\n- Ana is our notary (2026)\n</memory>' };
    const text = textOf(replyTo(request([told, user('Who is our notary?')])));
    expect(text).toContain('“Ana is our notary (2026)”');
    expect(isSearch(replyTo(request([told, user('Who is our doctor?')])))).toBe(true);
  });

  it('finds it in a file beside the question, whatever the file is called', () => {
    const file = '<file name="plan.txt">\nAna is our notary.\n</file>';
    const text = textOf(replyTo(request([user(`[file plan.txt]\n${file}\nWho is our notary?`)])));
    expect(text).toContain('“Ana is our notary.”');
  });
});

describe('where it has to call', () => {
  const closing = {
    name: 'write_answer',
    description: '',
    parameters: { type: 'object', properties: { reason: { type: 'string' } }, required: ['reason'] },
  };
  const required: Given = {
    tool_choice: 'required',
    tools: [...tools, closing].map((tool) => ({ type: 'function', function: tool })),
  };

  it('has the answer written after one step', () => {
    const first = replyTo(
      request([user('rental of 3 days of crane\n\n<note>\n5 steps are left.\n</note>')], required),
    );
    expect(callsOf(first)).toEqual([['quote_rental', { machines: [machine('crane', 3, 'day')] }]]);
    const done = [user('rental of 3 days of crane'), call('quote_rental', null), result({ summary: '90' })];
    expect(callsOf(replyTo(request(done, required)))).toEqual([
      ['write_answer', { reason: 'A plan of one step.' }],
    ]);
  });

  it('fills what it is told to call by cutting', () => {
    const schema = {
      type: 'object',
      properties: {
        title: { type: 'string', maxLength: 20 },
        points: { type: 'array', items: { type: 'string' }, maxItems: 2 },
        figures: { type: 'array', items: { type: 'object' } },
        level: { type: 'integer', minimum: 1 },
        page: { type: ['integer', 'null'] },
      },
      required: ['title', 'points', 'figures', 'level', 'page'],
    };
    const forced: Given = {
      tools: [{ type: 'function', function: { name: 'keep', parameters: schema } }],
      tool_choice: { type: 'function', function: { name: 'keep' } },
    };
    const exchange =
      'Ana:\n> Where is the crane now? I need it.\n\nBo:\n> In the yard. It rests.\n>\n> Soon it leaves.';
    expect(callsOf(replyTo(request([user(exchange)], forced)))).toEqual([
      [
        'keep',
        {
          title: 'Where is the crane',
          points: ['Where is the crane now?', 'In the yard.'],
          figures: [],
          level: 1,
          page: null,
        },
      ],
    ]);
  });
});
