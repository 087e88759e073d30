import fc from 'fast-check';
import { O200kTokenizer } from '@palabre/llm-client';

import { Calendar } from '../../common/calendar.js';
import { wordingIn } from '../../common/wording/wording.js';
import type { Message } from '../../conversations/message.repository.js';
import type { RecalledMessage } from '../../conversations/recall/message-recall.service.js';
import type { Memory, MemoryKind } from '../memory.entity.js';
import { bestThatFit, composeContext, type Material, type ToTell } from './compose-context.js';
import type { ContextItem, ContextSection } from './memory-context.js';
import { memoryLine } from './render-context.js';
import { scriptedMemory } from './scripted-memory.double.js';

const BUDGET = 2000;
const RESERVED_TOKENS = 400;
const FACT_SHARE_TOKENS = 600;
/** An upper bound for the headings of two sections and a day. */
const HEADINGS = 60;
const tokens = new O200kTokenizer();
function count(text: string): number {
  return tokens.count(text);
}
const calendar = new Calendar('UTC');
function compose(material: Partial<Material>, language = 'en') {
  return composeContext(
    { preferences: [], project: null, contacts: [], facts: [], others: [], recalled: [], ...material },
    { language, calendar, count },
  );
}

function toTell(kind: MemoryKind, content: string, score = 1): ToTell {
  return {
    memory: scriptedMemory({ kind, subject: 'Note', content }),
    score,
  };
}
/** About this many tokens, different at each place. */
function words(length: number, seed = 0): string {
  return Array.from({ length: Math.ceil(length / 2) }, (_, index) => `w${(seed * 37 + index) % 100}`).join(
    ' ',
  );
}
function lineOf(memory: Memory, section: ContextSection, language: string): string {
  const isDated = section === 'PROJECT' || section === 'CONTACT';
  return memoryLine(
    memory,
    wordingIn(language).memoryContext,
    isDated ? calendar.dayOf(memory.validFrom) : null,
  );
}
function of(items: readonly ContextItem[], section: ContextSection): ContextItem[] {
  return items.filter((item) => item.section === section);
}
function sumOf<One>(items: readonly One[], of: (item: One) => number): number {
  return items.reduce((sum, one) => sum + of(one), 0);
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
    parts: null,
    attachmentIds: null,
    citations: [],
    author: 'Awa',
    withheld: false,
    withdrawn: false,
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
  others: fc.array(anyToTell('FACT'), { maxLength: 20 }),
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

  it('leaves out a preference rather than a part of it, and for what comes after no more than it needs', () => {
    const preferences = Array.from({ length: 20 }, (_, index) => toTell('PREFERENCE', words(180, index), 0));
    const { items } = compose({ preferences, facts: [toTell('FACT', words(300))] });
    const told = of(items, 'PREFERENCE').map(({ memory }) => memory);
    expect(told.length).toBeGreaterThan(6);
    expect(preferences.slice(0, told.length).map(({ memory }) => memory)).toEqual(told);
    expect(of(items, 'FACT')).toHaveLength(1);
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
        for (const { memory, section, text } of context.items) {
          expect(`\n${context.text}\n`).toContain(`\n${text}\n`);
          if (memory) expect(text).toBe(lineOf(memory, section, language));
        }
      }),
      { numRuns: 50, endOnFailure: true },
    );
  });

  it('no section takes the room that the next ones are left', () => {
    fc.assert(
      fc.property(anyMaterial, anyLanguage, (material, language) => {
        const { items } = compose(material, language);
        const { project, contacts, facts, recalled } = material;
        const named = [...(project ? [project] : []), ...contacts];
        for (const [sections, wanted] of [
          [['PROJECT', 'CONTACT'], named],
          [['FACT'], facts],
        ] as const) {
          const told = sections.flatMap((section) => of(items, section));
          const tokens = sumOf(told, (item) => item.tokens);
          for (const { memory } of wanted) {
            if (told.some((item) => item.memory === memory)) continue;
            const own = count(`${lineOf(memory, sections[0], language)}\n`);
            expect(tokens + own + HEADINGS).toBeGreaterThan(RESERVED_TOKENS);
          }
        }
        if (recalled.some(({ text }) => count(text) + HEADINGS < RESERVED_TOKENS))
          expect(of(items, 'CONVERSATION')).not.toEqual([]);
      }),
      { numRuns: 50, endOnFailure: true },
    );
  });

  it('no memory that is relevant is left out that would still have fitted', () => {
    fc.assert(
      fc.property(anyMaterial, (material) => {
        const { tokens: all, items } = compose({ ...material, others: [], recalled: [] });
        const labels = wordingIn('en').memoryContext;
        const wanted = [
          ...material.preferences.map((told) => ({ ...told, section: 'PREFERENCE' as const })),
          ...material.contacts.map((told) => ({ ...told, section: 'CONTACT' as const })),
          ...material.facts.map((told) => ({ ...told, section: 'FACT' as const })),
        ];
        for (const { memory, section } of wanted) {
          if (items.some((item) => item.memory === memory)) continue;
          const heading =
            of(items, section).length > 0 ? 0 : count(`${labels.headings[section]}\n2026-05-03:\n`);
          expect((all || 40) + heading + count(`${lineOf(memory, section, 'en')}\n`)).toBeGreaterThan(
            BUDGET - 4,
          );
        }
      }),
      { numRuns: 50, endOnFailure: true },
    );
  });

  it('excerpts lose no room to what is not relevant', () => {
    fc.assert(
      fc.property(anyMaterial, anyLanguage, ({ facts, others, recalled }, language) => {
        const [without, withOthers] = [
          compose({ facts, recalled }, language),
          compose({ facts, others, recalled }, language),
        ].map(({ items }) => of(items, 'CONVERSATION').map(({ text }) => text));
        expect(withOthers).toEqual(without);
      }),
      { numRuns: 50, endOnFailure: true },
    );
  });

  it('while it is little, all of it is told, in one order, whichever of it is relevant', () => {
    const anyNotes = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        anyNotes,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
        (notes, scores) => {
          const all = notes.map((content) => toTell('FACT', content, 0));
          const facts = all.flatMap((told, index) => {
            const score = scores[index] ?? 0;
            return score > 0.5 ? [{ ...told, score }] : [];
          });
          const others = all
            .filter(({ memory }) => !facts.some((fact) => fact.memory === memory))
            .toReversed();
          const { text, items } = compose({ facts, others });
          fc.pre(count(text) < FACT_SHARE_TOKENS);
          expect(items.map(({ memory }) => memory)).toEqual(all.map(({ memory }) => memory));
          expect(text).toBe(compose({ others: all }).text);
        },
      ),
      { numRuns: 50, endOnFailure: true },
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

const anyItems = fc.array(
  fc.record({
    name: fc.string(),
    tokens: fc.integer({ min: 1, max: 60 }),
    score: fc.double({ min: 0.01, max: 1, noNaN: true }),
  }),
  { maxLength: 10 },
);
const anyRoom = fc.integer({ min: -20, max: 200 });

function chosenOf(items: readonly Item[], room: number): Item[] {
  return bestThatFit(items, room, ({ tokens }) => tokens, scoreOf);
}

describe('the best that fit', () => {
  it('are all where there is room', () => {
    const items = [item('a', 50, 0.1), item('b', 50, 0.9)];
    expect(namesOf(chosenOf(items, 100))).toEqual(['a', 'b']);
  });

  it('are several short ones rather than a long one of little worth', () => {
    const items = [item('best', 20, 1), item('long', 80, 0.5), item('c', 30, 0.4), item('d', 30, 0.4)];
    expect(namesOf(chosenOf(items, 100))).toEqual(['best', 'c', 'd']);
  });

  it('are a long one that is worth more than what would fit in its place', () => {
    const items = [item('long', 80, 1), item('c', 40, 0.4), item('d', 40, 0.4)];
    expect(namesOf(chosenOf(items, 80))).toEqual(['long']);
  });

  it('are worth as much as the best of all choices, and leave nothing that would still fit', () => {
    fc.assert(
      fc.property(anyItems, anyRoom, (items, room) => {
        const taken = chosenOf(items, room);
        const tokens = sumOf(taken, (one) => one.tokens);
        expect(tokens).toBeLessThanOrEqual(Math.max(0, room));
        const choices = Array.from({ length: 2 ** items.length }, (_, bits) =>
          items.filter((_one, index) => (bits >> index) & 1),
        );
        const fitting = choices.filter((choice) => sumOf(choice, (one) => one.tokens) <= room);
        expect(sumOf(taken, scoreOf)).toBeCloseTo(
          Math.max(0, ...fitting.map((choice) => sumOf(choice, scoreOf))),
          9,
        );
        for (const one of items.filter((each) => !taken.includes(each)))
          expect(tokens + one.tokens).toBeGreaterThan(room);
      }),
    );
  });
});
