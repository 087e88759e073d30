import fc from 'fast-check';
import type { ParsedPage } from '@palabre/reader';
import { O200kTokenizer } from '@palabre/llm-client';

import type { CutPassage } from './cut-passage.js';
import { LanguageDetector } from './language-detector.js';
import { PassageCutter } from './passage-cutter.js';

const tokenizer = new O200kTokenizer();
const MAX_TOKENS = 450;

async function cut(pages: readonly ParsedPage[]): Promise<CutPassage[]> {
  const cutter = new PassageCutter(tokenizer, await LanguageDetector.load());
  const passages: CutPassage[] = [];
  for (const page of pages) passages.push(...(await cutter.push(page)));
  return [...passages, ...(await cutter.end())];
}

function unpaged(...pieces: string[]): ParsedPage[] {
  return pieces.map((markdown) => ({ number: null, markdown }));
}
function paged(...pages: string[]): ParsedPage[] {
  return pages.map((markdown, index) => ({ number: index + 1, markdown }));
}
function textOf(pages: readonly ParsedPage[]): string {
  return pages.map(({ markdown }) => markdown).join('\n\n');
}

/** Laws for any document. */
function checkLaws(pages: readonly ParsedPage[], passages: readonly CutPassage[]): void {
  const text = textOf(pages).replaceAll('\0', '\uFFFD').toWellFormed();
  let covered = 0;
  passages.forEach((passage, index) => {
    expect(passage.ordinal).toBe(index);
    expect(passage.text.trim()).not.toBe('');
    expect(passage.text.endsWith(text.slice(passage.startOffset, passage.endOffset))).toBe(true);
    expect(passage.tokens).toBe(tokenizer.count(passage.text));
    expect(passage.tokens).toBeLessThanOrEqual(MAX_TOKENS);
    expect(passage.text).toBe(passage.text.toWellFormed());
    expect(text.slice(covered, Math.max(covered, passage.startOffset)).trim()).toBe('');
    expect(passage.endOffset).toBeGreaterThan(covered);
    covered = passage.endOffset;
  });
  expect(text.slice(covered).trim()).toBe('');
}

function sentences(count: number): string {
  return Array.from({ length: count }, (_, at) => `Sentence ${at} tells of the emissions of a plant.`).join(
    ' ',
  );
}

async function textsOf(pages: readonly ParsedPage[]): Promise<string[]> {
  return (await cut(pages)).map(({ text }) => text);
}

const words = fc.stringMatching(/^[a-z]{1,12}$/);
const sentence = fc.array(words, { minLength: 1, maxLength: 30 }).map((all) => `${all.join(' ')}.`);
const chinese = fc
  .array(fc.constantFrom(...'綠色貸款的申請流程與審查標準，企業應提交。年度報告'), {
    minLength: 1,
    maxLength: 400,
  })
  .map((all) => all.join(''));
const block = fc.oneof(
  { weight: 6, arbitrary: fc.array(sentence, { minLength: 1, maxLength: 40 }).map((all) => all.join(' ')) },
  { weight: 2, arbitrary: chinese },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 6 }), words)
      .map(([level, title]) => `${'#'.repeat(level)} ${title}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(sentence, { minLength: 1, maxLength: 60 })
      .map((all) => all.map((each) => `- ${each}`).join('\n')),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(words, sentence), { minLength: 1, maxLength: 60 })
      .map((rows) =>
        ['| a | b |', '| --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(sentence, { minLength: 1, maxLength: 40 })
      .map((all) => ['```', ...all, '```'].join('\n')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('x', '😀', '字', '=', ' ', '\t', 'é'), fc.integer({ min: 1, max: 6000 }))
      .map(([unit, times]) => unit.repeat(times)),
  },
);
const markdown = fc.array(block, { maxLength: 12 }).map((blocks) => blocks.join('\n\n'));

describe('PassageCutter', () => {
  it('covers whatever text there is, in order, with exact offsets, within the limit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(markdown, { maxLength: 4 }), fc.boolean(), async (texts, isPaged) => {
        const pages = isPaged ? paged(...texts) : unpaged(...texts);
        checkLaws(pages, await cut(pages));
      }),
      // A fixed seed: a failure must be caused by the tested change.
      { seed: 20_240, numRuns: 60 },
    );
  });

  it('cuts a text without pages alike, however it comes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(markdown, { minLength: 2, maxLength: 5 }), async (texts) => {
        expect(await cut(unpaged(...texts))).toEqual(await cut(unpaged(textOf(unpaged(...texts)))));
      }),
      // A fixed seed: a failure must be caused by the tested change.
      { seed: 20_240, numRuns: 40 },
    );
  });

  it('tells where a passage stands', async () => {
    const pages = paged(
      '# Guide\n\n## Credit\n\nThe rate is six percent a year.',
      '## Water\n\nTwo turns a week.',
    );
    expect(await cut(pages)).toEqual([
      {
        ordinal: 0,
        page: 1,
        pageBreaks: [],
        headings: ['Guide', 'Credit'],
        startOffset: 0,
        endOffset: 51,
        tokens: 14,
        language: 'en',
        text: '# Guide\n\n## Credit\n\nThe rate is six percent a year.',
      },
      expect.objectContaining({ page: 2, headings: ['Guide', 'Water'], startOffset: 53, language: 'en' }),
    ]);
  });

  it('keeps each section by itself, unless it says next to nothing', async () => {
    const entry = (at: number): string => `## Question ${at}?\n\n${sentences(4)}`;
    const texts = await textsOf(
      unpaged([entry(1), entry(2), '## A\n\nYes.', '## B\n\nNo.', entry(3)].join('\n\n')),
    );
    expect(texts).toEqual([entry(1), entry(2), '## A\n\nYes.\n\n## B\n\nNo.', entry(3)]);
  });

  it('keeps a question with its answer where there are no headings', async () => {
    const entry = (at: number): string => `How is number ${at} done?\n\n${sentences(5)}`;
    expect(await textsOf(unpaged([entry(1), entry(2), entry(3)].join('\n\n')))).toEqual([1, 2, 3].map(entry));
  });

  it('repeats the last sentences of a paragraph that is too long, and nothing else', async () => {
    const passages = await cut(unpaged(`${sentences(45)}\n\n${sentences(20)}`));
    const starts = passages.map(
      ({ startOffset }, index) => startOffset < (passages[index - 1]?.endOffset ?? 0),
    );
    expect(starts).toEqual([false, true, false]);
    expect(passages.every(({ text }) => text.startsWith('Sentence') && text.endsWith('.'))).toBe(true);
  });

  it('repeats the head of a table that is too long', async () => {
    const head = '| Plant | Tonnes |\n| --- | --- |';
    const rows = Array.from({ length: 200 }, (_, at) => `| Plant ${at} | ${at} |`);
    const texts = await textsOf(unpaged(['## Emissions', [head, ...rows].join('\n')].join('\n\n')));
    expect(texts.length).toBeGreaterThan(2);
    expect(texts[0]).toMatch(/^## Emissions\n\n\| Plant \| Tonnes \|\n/);
    expect(texts.slice(1).every((text) => text.startsWith(`${head}\n| Plant `))).toBe(true);
    expect(rows.every((row) => texts.filter((text) => text.split('\n').includes(row)).length === 1)).toBe(
      true,
    );
  });

  it('has a paragraph run on from one page to the next', async () => {
    const pages = paged(
      'The inspection of the turbine was carried out by the engineer, who',
      'found nothing that would have to be mended.\n\n## Water\n\nTwo turns.',
    );
    expect((await cut(pages)).map(({ page, text }) => [page, text])).toEqual([
      [
        1,
        'The inspection of the turbine was carried out by the engineer, who\n\nfound nothing that would have to be mended.',
      ],
      [2, '## Water\n\nTwo turns.'],
    ]);
    const others = paged('The inspection of the turbine was carried out by the engineer.', 'found nothing.');
    expect(await cut(others)).toHaveLength(2);
  });

  it('has what follows such a paragraph stand on its own page', async () => {
    const pages = paged(
      'Whoever is late pays, and says so to the other party in writing, with the measures that it',
      'takes to make up for it.\n\nThe warranty lasts three years.\n\nSpare parts are kept for ten.',
      'They are made\n\nin Thiès.',
    );
    expect((await cut(pages)).map(({ page, text }) => [page, text.slice(0, 18)])).toEqual([
      [1, 'Whoever is late pa'],
      [2, 'The warranty lasts'],
      [3, 'They are made\n\nin '],
    ]);
    const over = paged(
      'The inspection was carried out by the engineer, who',
      'found nothing and',
      'went home.\n\nAll is well.',
    );
    expect((await cut(over)).map(({ page, text }) => [page, text])).toEqual([
      [1, 'The inspection was carried out by the engineer, who\n\nfound nothing and\n\nwent home.'],
      [3, 'All is well.'],
    ]);
    const [ran] = await cut(over);
    expect(ran?.pageBreaks.map(({ offset, page }) => [page, ran.text.slice(offset).split('\n')[0]])).toEqual([
      [2, 'found nothing and'],
      [3, 'went home.'],
    ]);
  });

  it.each([
    ['dots', '.', ''],
    ['blanks in a heading', ' ', '# x'],
    ['marks of a heading', '#', '# x '],
  ])('takes time in proportion to a row of %s', async (_of, unit, opening) => {
    // A quadratic algorithm would take hours.
    const passages = await cut(unpaged(`${opening}${unit.repeat(200_000)}y`));
    expect(passages.at(-1)?.text.endsWith('y')).toBe(true);
  });

  it.each([
    ['# Title', 'Title'],
    ['## Title ##', 'Title'],
    ['# C#', 'C#'],
    ['# A # B   ##  ', 'A # B'],
    ['#\tTabs\t#', 'Tabs'],
  ])('reads the heading %j', async (line, title) => {
    const [passage] = await cut(unpaged(`${line}\n\nText that stands below it.`));
    expect(passage?.headings).toEqual([title]);
  });

  it('cuts Chinese at the end of sentences, and never within a character', async () => {
    const chinese = '企業應於每年四月底前提交盤查報告，並揭露範疇一與範疇二的排放量。'.repeat(60);
    const passages = await cut(unpaged(chinese));
    expect(passages.length).toBeGreaterThan(3);
    expect(passages.every(({ text, language }) => text.endsWith('。') && language === 'zh-Hant')).toBe(true);
    for (const { text } of await cut(unpaged('😀'.repeat(4000)))) expect(text.isWellFormed()).toBe(true);
  });
});
