import { describe, expect, it } from '@jest/globals';

import { completionRequest } from '../server/protocol.js';
import { think } from '../think.js';

const tool = {
  type: 'function',
  function: { name: 'forget_memory', description: '', parameters: { type: 'object' } },
};

interface Asking {
  language?: string;
  /** Lines of the memory section, as it is when the model is asked. */
  memory: readonly string[];
  /** Calls since the question, with their results. */
  results?: readonly (readonly [call: object, result: object])[];
}

const reply = (question: string, { language = 'fr', memory, results = [] }: Asking) =>
  think(
    completionRequest.parse({
      model: 'x',
      tools: [tool],
      messages: [
        {
          role: 'system',
          content: `Language: ${language}. Date : jeudi 7 mai 2026.\n\n<memory>\nNotes.\n${memory.join('\n')}\n</memory>`,
        },
        { role: 'user', content: question },
        ...results.flatMap(([call, result], at) => [
          {
            role: 'assistant',
            content: '',
            tool_calls: [
              { id: `${at}`, function: { name: 'forget_memory', arguments: JSON.stringify(call) } },
            ],
          },
          { role: 'tool', tool_call_id: `${at}`, content: JSON.stringify(result) },
        ]),
      ],
    }),
  );

const callsFor = (question: string, asking: Asking): unknown[] => {
  const given = reply(question, asking);
  return 'text' in given ? [] : given.toolCalls.map((call) => JSON.parse(call.arguments) as unknown);
};
const textFor = (question: string, asking: Asking): string => {
  const given = reply(question, asking);
  return 'text' in given ? given.text : '';
};

const contact = '- Sékou Bah est mon dentiste, son mail est sekou.bah@cab.example. (2026-05-01)';
const home = '- Sékou Bah habite rue 12 à Conakry. (2026-05-02)';
const forgetContact = { subject: 'Sékou Bah', kind: 'CONTACT' };
const forgetHome = { subject: 'Sékou Bah', kind: 'FACT' };
const done = { forgotten: { kind: 'CONTACT' } };

describe('forgetting a person', () => {
  it.each(['Oublie Sékou Bah', 'Oublie Sékou.', "Oublie tout ce que je t'ai dit sur Sékou Bah"])(
    'takes with it all that is noted under the name: «%s»',
    (order) => {
      const memory = ['Contacts nommés :', contact, 'Autres souvenirs :', home];
      expect(callsFor(order, { memory })).toEqual([forgetContact, forgetHome]);
    },
  );

  it('leaves others of the same first name, and what only tells of the person', () => {
    const memory = [
      'Contacts nommés :',
      contact,
      '- Sékou Diallo : plombier (2026-05-01)',
      'Autres souvenirs :',
      '- dîner : Le dîner avec Sékou Bah est jeudi. (2026-05-02)',
    ];
    expect(callsFor('Oublie Sékou Bah', { memory })).toEqual([forgetContact]);
  });

  const results = [[forgetContact, done]] as const;

  it('says that nothing is left where nothing is, once', () => {
    const memory = ['Contacts nommés :', '- Sékou Diallo : plombier (2026-05-01)'];
    const both = [...results, [forgetHome, done] as const];
    const told = textFor('Oublie Sékou Bah', { memory, results: both });
    expect(told.split('\n\n')[0]).toBe("C'est oublié : il n'en reste rien dans ma mémoire.");
  });

  it.each([
    ['fr', 'Autres souvenirs :', /^C'est oublié, mais .*\?\n- .*rue 12/s],
    ['en', 'Other memories:', /^Forgotten, but .*\?\n- .*rue 12/s],
    ['es', 'Otros recuerdos:', /^Olvidado, pero .*\?\n- .*rue 12/s],
    ['zh', '其他記憶：', /^已經忘記，但.*？\n- .*rue 12/s],
  ])('tells what still speaks of them, in %s', (language, heading, words) => {
    expect(textFor('Oublie Sékou Bah', { language, memory: [heading, home], results })).toMatch(words);
  });

  it('tells what is left under the first name alone, and what the skill found near', () => {
    const memory = ['Autres souvenirs :', '- Sékou : Sékou part jeudi. (2026-05-02)'];
    const candidate = { kind: 'FACT', subject: 'rendez-vous', content: 'Dentiste lundi.' };
    const near = { forgotten: null, candidates: [candidate] };
    const told = textFor('Oublie Sékou Bah', { memory, results: [...results, [forgetHome, near]] });
    expect(told).toContain('Sékou part jeudi');
    expect(told).toContain('Dentiste lundi');
    expect(told).not.toContain("Je n'ai encore rien effacé");
  });
});

describe('forgetting anything else', () => {
  it('does not bring up what only shares a word with it', () => {
    const memory = ['Contacts nommés :', "- Marc : L'adresse de Marc est m@a.example."];
    const results = [[{ subject: 'Adresse', kind: 'FACT' }, { forgotten: { kind: 'FACT' } }]] as const;
    expect(textFor('Oublie mon adresse.', { memory, results })).toMatch(/il n'en reste rien/);
  });
});
