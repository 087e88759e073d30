import fc from 'fast-check';

import { Calendar } from '../../common/calendar.js';
import type { Message } from '../../conversations/message.entity.js';
import type { RecalledMessage } from '../../conversations/recall/message-recall.service.js';
import { O200kTokenizer } from '../../llm/o200k-tokenizer.js';
import type { Memory, MemoryKind } from '../memory.entity.js';
import { composeContext, type Material, type ToTell, packBest, packInOrder } from './compose-context.js';
import type { ContextItem, ContextSection } from './memory-context.js';
import { contextLabelsFor, memoryLine } from './render-context.js';
import { scriptedMemory } from './scripted-memory.double.js';

const BUDGET = 2000;
const tokens = new O200kTokenizer();
function count(text: string): number {
  return tokens.count(text);
}
const calendar = new Calendar('UTC');
function compose(material: Partial<Material>, language = 'en') {
  return composeContext(
    { preferences: [], project: null, contacts: [], facts: [], recalled: [], ...material },
    { language, calendar, count },
  );
}

function toTell(kind: MemoryKind, content: string, score = 1): ToTell {
  return {
    memory: scriptedMemory({ kind, subject: 'Note', content }),
    score,
  };
}
/** So many tokens or a few more, and different at each place. */
function words(length: number, seed = 0): string {
  return Array.from({ length: Math.ceil(length / 2) }, (_, index) => `w${(seed * 37 + index) % 100}`).join(
    ' ',
  );
}
function of(items: readonly ContextItem[], section: ContextSection): ContextItem[] {
  return items.filter((item) => item.section === section);
}
function idsOf(told: readonly { memory: Memory | null }[]): string[] {
  return told.map(({ memory }) => memory?.id ?? '').toSorted();
}

let messages = 0;
function said(text: string, session: string, score: number, day = 8): RecalledMessage {
  messages += 1;
  const message: Message = {
    companyId: 'nord',
    id: `m${String(messages).padStart(6, '0')}`,
    branchId: 'branch',
    conversationId: session,
    turnId: null,
    role: 'USER',
    status: 'COMPLETE',
    text,
    citations: [],
    author: 'Awa',
    withheld: false,
    createdAt: new Date(Date.UTC(2023, 4, day, 13, messages % 60)),
  };
  return { message, speaker: 'Awa', text, session, shownAt: message.createdAt, score };
}

const scripts = [
  'réunion avec le client à Dakar ',
  '會議改到星期三下午，請通知所有同事。',
  '👩🏽‍💻🇸🇳🎉 ',
  'aaaaaaaaaaaaaaaaaaaa',
  'https://example.org/a?b=c&d=%20#e ',
  'เชียงใหม่ประชุมพรุ่งนี้',
];
const anyContent = fc
  .tuple(
    fc.constantFrom(...scripts),
    fc.integer({ min: 1, max: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  )
  .map(([script, times, end]) => script.repeat(times) + end);
function anyToTell(kind: MemoryKind) {
  return fc
    .tuple(anyContent, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([content, score]) => toTell(kind, content, score));
}
const anyMaterial = fc.record({
  preferences: fc.array(anyToTell('PREFERENCE'), { maxLength: 12 }),
  project: fc.option(anyToTell('PROJECT')),
  contacts: fc.array(anyToTell('CONTACT'), { maxLength: 3 }),
  facts: fc.array(anyToTell('FACT'), { maxLength: 20 }),
  recalled: fc.array(
    fc
      .tuple(anyContent, fc.integer({ min: 1, max: 3 }), fc.double({ min: 0.01, max: 1, noNaN: true }))
      .map(([text, session, score]) => said(text, `s${session}`, score, session)),
    { maxLength: 15 },
  ),
});
const anyLanguage = fc.constantFrom('fr', 'en', 'es', 'zh-Hant');

describe('a context', () => {
  it('tells all of it where there is room, and says what that takes', () => {
    const context = compose({
      preferences: [toTell('PREFERENCE', 'short answers', 0)],
      project: toTell('PROJECT', 'goes on'),
      contacts: [toTell('CONTACT', 'works here')],
      facts: [toTell('FACT', 'is so', 0.5)],
      recalled: [said('We chose the blue one.', 'a', 3), said('Shall we?', 'b', 1.5)],
    });
    expect(context.items.map(({ section }) => section)).toEqual(
      expect.arrayContaining(['PREFERENCE', 'PROJECT', 'CONTACT', 'FACT', 'CONVERSATION']),
    );
    expect(context).toMatchObject({ budget: BUDGET, omitted: 0, tokens: count(context.text) });
    for (const item of context.items) {
      expect(context.text).toContain(`\n${item.text}\n`);
      expect(item.tokens).toBe(count(`${item.text}\n`));
    }
    const excerpts = of(context.items, 'CONVERSATION');
    expect(Math.max(...excerpts.map(({ score }) => score))).toBe(1);
    expect(excerpts.flatMap(({ messages }) => messages.map(({ text }) => text))).toContain(
      'We chose the blue one.',
    );
  });

  it('is empty, and takes nothing, when there is nothing to tell', () => {
    expect(compose({})).toEqual({ text: '', tokens: 0, budget: BUDGET, items: [], omitted: 0 });
  });

  it('says how much there was no room for', () => {
    const facts = Array.from({ length: 30 }, (_, index) => toTell('FACT', words(150, index), 0.5));
    const context = compose({ facts });
    expect(of(context.items, 'FACT').length).toBeGreaterThan(10);
    expect(context.omitted).toBe(30 - context.items.length);
  });

  it('leaves out a preference rather than a part of it, and none for the sake of what comes after', () => {
    const preferences = Array.from({ length: 20 }, (_, index) => toTell('PREFERENCE', words(180, index), 0));
    const { items } = compose({ preferences, facts: [toTell('FACT', words(500))] });
    expect(of(items, 'PREFERENCE').length).toBeGreaterThan(8);
    expect(of(items, 'FACT')).toEqual([]);
    const told = items.map(({ memory }) => memory);
    expect(preferences.slice(0, items.length).map(({ memory }) => memory)).toEqual(told);
  });

  it('tells several short facts in the place of a long one that bears less on the message', () => {
    const best = toTell('FACT', words(900, 1), 1);
    const long = toTell('FACT', words(900, 2), 0.5);
    const short = Array.from({ length: 6 }, (_, index) => toTell('FACT', words(100, 3 + index), 0.4));
    expect(idsOf(compose({ facts: [best, long, ...short] }).items)).toEqual(idsOf([best, ...short]));
  });

  it('does not give up what bears most on the message for a crowd of what hardly does', () => {
    const best = toTell('FACT', words(1_500, 1), 1);
    const short = Array.from({ length: 12 }, (_, index) => toTell('FACT', words(150, 2 + index), 0.2));
    expect(idsOf(compose({ facts: [best, ...short] }).items)).toContain(best.memory.id);
  });
});

describe('whatever is remembered', () => {
  it('a context never has more tokens than its budget, and every item is whole', () => {
    fc.assert(
      fc.property(anyMaterial, anyLanguage, (material, language) => {
        const context = compose(material, language);
        expect(context.tokens).toBe(count(context.text));
        expect(context.tokens).toBeLessThanOrEqual(BUDGET);
        const labels = contextLabelsFor(language);
        for (const { memory, text } of context.items) {
          expect(`\n${context.text}\n`).toContain(`\n${text}\n`);
          if (memory) expect(text).toBe(memoryLine(memory, labels, calendar));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('what comes first is left out only where it does not fit in what all before it leave', () => {
    fc.assert(
      fc.property(anyMaterial, anyLanguage, (material, language) => {
        const { text, items } = compose(material, language);
        const { preferences, project, contacts } = material;
        const inOrder = [
          ...preferences.map(({ memory }) => ({ memory, section: 'PREFERENCE' as const })),
          ...(project ? [{ memory: project.memory, section: 'PROJECT' as const }] : []),
          ...contacts.map(({ memory }) => ({ memory, section: 'CONTACT' as const })),
        ];
        const labels = contextLabelsFor(language);
        const frame = count(`<memory>\n${labels.introduction}\n</memory>\n`);
        let taken = frame;
        const begun = new Set<ContextSection>();
        for (const { memory, section } of inOrder) {
          const heading = begun.has(section) ? 0 : count(`${labels.headings[section]}\n`);
          const needed = heading + count(`${memoryLine(memory, labels, calendar)}\n`);
          if (items.some((item) => item.memory === memory)) {
            taken += needed;
            begun.add(section);
          } else expect(taken + needed).toBeGreaterThan(BUDGET);
        }
        expect(text === '').toBe(items.length === 0);
      }),
      { numRuns: 50 },
    );
  });

  it('no fact is left out that would still have fitted', () => {
    fc.assert(
      fc.property(anyMaterial, (material) => {
        const { tokens: all, items } = compose({ ...material, recalled: [] });
        const labels = contextLabelsFor('en');
        const heading = of(items, 'FACT').length > 0 ? 0 : count(`${labels.headings.FACT}\n`);
        for (const { memory } of material.facts) {
          if (items.some((item) => item.memory === memory)) continue;
          expect((all || 40) + heading + count(`${memoryLine(memory, labels, calendar)}\n`)).toBeGreaterThan(
            BUDGET - 2,
          );
        }
      }),
      { numRuns: 50 },
    );
  });

  it('the same material gives the same text', () => {
    fc.assert(
      fc.property(anyMaterial, anyLanguage, (material, language) => {
        expect(compose(material, language)).toEqual(compose(material, language));
      }),
      { numRuns: 10 },
    );
  });
});

interface Item {
  name: string;
  tokens: number;
  score: number;
}

function item(name: string, tokens: number, score = 1): Item {
  return { name, tokens, score };
}
function namesOf(items: readonly Item[]): string[] {
  return items.map(({ name }) => name);
}
function scoreOf({ score }: Item): number {
  return score;
}
function sumOf(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, one) => sum + of(one), 0);
}

const anyItems = fc.array(
  fc.record({
    name: fc.string(),
    tokens: fc.integer({ min: 1, max: 60 }),
    score: fc.double({ min: 0.01, max: 1, noNaN: true }),
  }),
  { maxLength: 10 },
);
const anyRoom = fc.integer({ min: -20, max: 200 });

describe('packing in order', () => {
  it('leaves out what does not fit in what those before it leave, and nothing else', () => {
    const { taken, left, tokens } = packInOrder([item('a', 50), item('b', 60), item('c', 40)], 100);
    expect([namesOf(taken), namesOf(left), tokens]).toEqual([['a', 'c'], ['b'], 90]);
  });

  it('never takes more than there is room for, and leaves nothing out without need', () => {
    fc.assert(
      fc.property(anyItems, anyRoom, (items, room) => {
        const { taken, left, tokens } = packInOrder(items, room);
        expect(tokens).toBe(sumOf(taken, ({ tokens }) => tokens));
        expect(tokens).toBeLessThanOrEqual(Math.max(0, room));
        expect(taken.length + left.length).toBe(items.length);
        for (const one of left) {
          const before = items.slice(0, items.indexOf(one)).filter((other) => taken.includes(other));
          expect(sumOf(before, ({ tokens }) => tokens) + one.tokens).toBeGreaterThan(room);
        }
      }),
    );
  });
});

describe('packing the best', () => {
  it('takes all that fits together', () => {
    const items = [item('a', 50, 0.1), item('b', 50, 0.9)];
    expect(namesOf(packBest(items, 100, scoreOf).taken)).toEqual(['a', 'b']);
  });

  it('has a long item of little worth give way to several short ones', () => {
    const items = [item('best', 20, 1), item('long', 80, 0.5), item('c', 30, 0.4), item('d', 30, 0.4)];
    const { taken, left, tokens } = packBest(items, 100, scoreOf);
    expect([namesOf(taken), namesOf(left), tokens]).toEqual([['best', 'c', 'd'], ['long'], 80]);
  });

  it('keeps a long item that is worth more than what would fit in its place', () => {
    const items = [item('long', 80, 1), item('c', 40, 0.4), item('d', 40, 0.4)];
    expect(namesOf(packBest(items, 80, scoreOf).taken)).toEqual(['long']);
  });

  it('is worth as much as the best of all choices, and leaves nothing that would still fit', () => {
    fc.assert(
      fc.property(anyItems, anyRoom, (items, room) => {
        const { taken, left, tokens } = packBest(items, room, scoreOf);
        expect(tokens).toBe(sumOf(taken, ({ tokens }) => tokens));
        expect(tokens).toBeLessThanOrEqual(Math.max(0, room));
        expect(taken.length + left.length).toBe(items.length);
        const choices = Array.from({ length: 2 ** items.length }, (_, bits) =>
          items.filter((_, index) => (bits >> index) & 1),
        );
        const fitting = choices.filter((choice) => sumOf(choice, ({ tokens }) => tokens) <= room);
        const best = Math.max(0, ...fitting.map((choice) => sumOf(choice, scoreOf)));
        expect(sumOf(taken, scoreOf)).toBeCloseTo(best, 9);
        for (const one of left) expect(tokens + one.tokens).toBeGreaterThan(room);
      }),
    );
  });
});
