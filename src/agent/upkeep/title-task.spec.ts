import { faultOf, readAnswer } from './task.js';
import { titleTask } from './title-task.js';

const task = titleTask('fr-SN', 'Quelle est notre empreinte ?\nEt celle des autres ?', '42 t.');

describe('the task to name a conversation', () => {
  it('shows the exchange as a quotation, in the assistant’s language', () => {
    expect(task.messages[1]?.content).toBe(
      'Membre:\n> Quelle est notre empreinte ?\n> Et celle des autres ?\n\nAssistant:\n> 42 t.',
    );
    expect(titleTask('sw', 'Q', 'A').messages[1]?.content).toBe('Member:\n> Q\n\nAssistant:\n> A');
  });

  it.each([
    ['Empreinte carbone', 'Empreinte carbone'],
    ['  # Empreinte carbone\nEt plus encore', 'Empreinte carbone'],
    ['"Empreinte carbone."', 'Empreinte carbone'],
    ['« Empreinte carbone ».', 'Empreinte carbone'],
    ['“Carbon footprint”', 'Carbon footprint'],
    ['「碳足跡」。', '碳足跡'],
    ['« Bilan » et « PME »', '« Bilan » et « PME »'],
    ["Les besoins d'une PME'", "Les besoins d'une PME'"],
    ['a'.repeat(100), `${'a'.repeat(79)}…`],
    ['half \uD83D', 'half \uFFFD'],
  ])('takes %j as %j', (given, title) => {
    expect(task.read({ title: given })).toBe(title);
    expect(task.readText(given)).toBe(title);
  });

  it.each(['', ' \n', '""', '.', '# '])('takes %j for nothing', (given) => {
    expect(task.read({ title: given })).toBeNull();
    expect(task.readText(given)).toBeNull();
  });

  it.each([null, {}, { title: 7 }, ['title']])('cannot use %j', (input) => {
    expect(task.read(input)).toBeNull();
  });
});

describe('what counts of an answer', () => {
  const call = (name: string, input: string) =>
    ({ type: 'tool-call', call: { id: '1', name, arguments: input } }) as const;

  it('is the first call that can be used', () => {
    const parts = [
      { type: 'text', text: 'Voici :' } as const,
      call('other', '{"title":"No"}'),
      call('name_conversation', '{"title":'),
      call('name_conversation', '{"title":"Yes"}'),
    ];
    expect(readAnswer(task, parts)).toBe('Yes');
  });

  it('is the text where no call can be', () => {
    const parts = [
      { type: 'reasoning', text: 'Hm.' } as const,
      { type: 'text', text: 'Empreinte ' } as const,
      { type: 'text', text: 'carbone.' } as const,
    ];
    expect(readAnswer(task, parts)).toBe('Empreinte carbone');
    expect(readAnswer(task, [])).toBeNull();
    const thoughts = [{ type: 'text', text: 'Okay, a title.' } as const, { type: 'retraction' } as const];
    expect(readAnswer(task, [...thoughts, ...parts])).toBe('Empreinte carbone');
    expect(readAnswer(task, thoughts)).toBeNull();
    expect(faultOf(task, thoughts)).toBe('The answer was empty.');
  });

  it('is without what the database cannot store', () => {
    const title = 'Le NUL \0 en JSON \uD83D';
    const called = [call('name_conversation', String.raw`{"title":"Le NUL \u0000 en JSON \ud83d"}`)];
    expect(readAnswer(task, called)).toBe('Le NUL en JSON \uFFFD');
    expect(readAnswer(task, [{ type: 'text', text: title }])).toBe('Le NUL en JSON \uFFFD');
  });
});
