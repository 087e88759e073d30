import { asOnePage } from '../../src/documents/processing/scripted-document-parser.double.js';
import { DELETE_DOCUMENT, processed, searchDocuments, upload } from '../harness/document-view.js';
import { gate, parseBy } from '../harness/scripted-parsing.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const SEARCH = `query ($query: String!, $first: Int) { searchDocuments(query: $query, first: $first) {
  id document { id name status } page headings language text score } }`;

interface Found {
  id: string;
  document: { id: string; name: string; status: string };
  page: number | null;
  headings: string[];
  language: string | null;
  text: string;
  score: number;
}

let app: TestApp;
let company: string;
let ada: TestClient;

beforeAll(async () => {
  app = await shareApp([]);
});
afterAll(() => app[Symbol.asyncDispose]());

beforeEach(async () => {
  company = await app.company();
  ada = await app.client({ company });
  parseBy(asOnePage);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function add(name: string, text: string): Promise<string> {
  const id = await upload(ada, name, text);
  expect((await processed(ada, id)).status).toBe('COMPLETED');
  return id;
}

async function search(query: string, first?: number | null): Promise<Found[]> {
  return (await ada.get<{ searchDocuments: Found[] }>(SEARCH, { query, first })).searchDocuments;
}

/** Each on pages of its own. */
function asPages(pages: readonly string[]): void {
  return parseBy(async function* () {
    for (const [index, markdown] of pages.entries()) yield { number: index + 1, markdown };
    return { pages: pages.length };
  });
}

function sentences(count: number, tell: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => tell(at)).join(' ');
}

describe('a search', () => {
  it('shows the rows of a table without its signs', async () => {
    await add('water.md', '# Water\n\n| Site | Water (m3) |\n| --- | --- |\n| Thiès | 8 412 |');
    const [found] = await search('water of Thiès');
    expect(found?.text).toContain('Site · Water (m3)\nThiès · 8 412');
    expect(found?.text).not.toContain('|');
  });

  it('finds what all documents speak of, though the query names something else as well', async () => {
    const lease = (store: number): string =>
      `第${store}號店\n\n租金：每月新臺幣${30 + store}萬元整，於每月五日前匯入。`;
    for (let store = 1; store <= 12; store += 1) await add(`租約-${store}.txt`, lease(store));
    expect((await search('十七號店租金')).length).toBe(5);
    expect(await search('午餐租金補助')).toEqual([]);
  });

  it('tells where it found what answers', async () => {
    asPages([
      '# Guide\n\n## Horaires\n\nLe secrétariat ouvre à huit heures, sauf le mercredi.',
      '## Crédit\n\n### Taux\n\nLe taux du crédit de campagne est de six pour cent.',
    ]);
    const id = await add('guide.pdf', 'bytes');
    const found = await search('Quel est le taux du crédit ?');
    expect(found[0]).toEqual({
      id: expect.any(String),
      document: { id, name: 'guide.pdf', status: 'COMPLETED' },
      page: 2,
      headings: ['Guide', 'Crédit', 'Taux'],
      language: 'fr',
      text: expect.stringContaining('six pour cent'),
      score: expect.any(Number),
    });
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  });

  it('forgives accents, endings and typing errors', async () => {
    await add('a.md', 'Les pénalités de retard sont de un pour cent par semaine.');
    await add('b.md', 'Die Lieferung erfolgt werktags zwischen acht und elf Uhr.');
    for (const query of ['penalite', 'pénalités de reatrd', 'PENALTIÉS']) {
      expect((await search(query))[0]?.text).toContain('pénalités');
    }
  });

  it('finds Chinese without blanks between words', async () => {
    await add('a.md', '企業最高可貸三千萬元，首次往來者以一千萬元為限。\n\n員工每年有二十天特別休假。');
    const [best] = await search('員工休假有幾天？');
    expect(best).toMatchObject({ language: 'zh-Hant' });
    expect(best?.text).toContain('特別休假');
  });

  it('finds nothing where none of its words is', async () => {
    await add('a.md', 'The telephone of the depot is on the celebrated yellow sign.');
    expect(await search('xylophone zebra quasar')).toEqual([]);
    expect(await search('青禾銀行')).toEqual([]);
    expect(await search('?!')).toEqual([]);
  });

  it('finds nothing of another company', async () => {
    await add('a.md', 'The depot opens at seven.');
    const stranger = await app.client({ company: await app.company() });
    expect(await searchDocuments(stranger, 'When does the depot open?')).toEqual([]);
  });

  it.each([
    ['nothing', { query: '' }, 'query'],
    ['blanks', { query: ' \n\u0000' }, 'query'],
    ['1,001 characters', { query: 'a'.repeat(1001) }, 'query'],
    ['no passages', { query: 'depot', first: 0 }, 'first'],
    ['51 passages', { query: 'depot', first: 51 }, 'first'],
  ])('for %s is refused', async (_, asked, argument) => {
    const { errors } = await ada.send(SEARCH, asked);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', path: [argument] });
  });

  it('gives as many as are asked for, five without a word', async () => {
    const topics = ['ivory', 'ochre', 'teal', 'mauve', 'amber', 'coral', 'khaki'];
    for (const topic of topics) await add(`${topic}.md`, `The paint for the depot is ${topic}.`);
    expect(await search('paint for the depot')).toHaveLength(5);
    expect(await search('paint for the depot', null)).toHaveLength(5);
    expect(await search('paint for the depot', 1)).toHaveLength(1);
    expect(await search('paint for the depot', 50)).toHaveLength(7);
  });
});

describe('what stands together', () => {
  it('is given together, without what passages have in common', async () => {
    const text = sentences(40, (at) => `Turbine number ${at} of the dam was inspected by the engineer.`);
    await add('dam.md', text);
    const found = await search('Which turbine of the dam was inspected by the engineer?');
    expect(found).toHaveLength(1);
    expect(found[0]?.text).toBe(text);
  });

  it('leaves room for what other documents say', async () => {
    const section = (at: number): string =>
      `## Pump ${at}\n\n${sentences(9, () => 'The pump needs grease each month.')}`;
    await add('pumps.md', Array.from({ length: 24 }, (_, at) => section(at)).join('\n\n'));
    const other = await add('letter.md', 'The grease for the pump is paid by the landlord each month.');
    const found = await search('grease for the pump each month');
    expect(found).toHaveLength(5);
    expect(found.map(({ document }) => document.id)).toContain(other);
  });
});

describe('documents with the same content', () => {
  it('are found as the oldest of them that there is', async () => {
    const first = await add('first.md', 'The depot opens at seven.');
    const second = await add('second.md', 'The depot opens at seven.');
    const documentOf = async (): Promise<string[]> =>
      (await search('When does the depot open?')).map(({ document }) => document.id);
    expect(await documentOf()).toEqual([first]);
    await ada.get(DELETE_DOCUMENT, { id: first });
    expect(await documentOf()).toEqual([second]);
    await ada.get(DELETE_DOCUMENT, { id: second });
    expect(await documentOf()).toEqual([]);
  });
});

describe('a document that is being read', () => {
  it('is not found before its end, and hides nothing', async () => {
    const small = await add(
      'small.md',
      'A valve of the boiler is checked by the plumber, among other things.',
    );
    const { reached, wait, open } = gate();
    parseBy(async function* () {
      const valve = 'The valve of the boiler is checked. ';
      for (let at = 0; at < 60; at += 1) {
        yield { number: at + 1, markdown: `${valve}${sentences(60, (line) => `Valve ${at}.${line}.`)}` };
      }
      await wait();
      yield { number: 61, markdown: 'The end.' };
      return { pages: 61 };
    });
    const large = await upload(ada, 'large.pdf', 'bytes');
    await reached;
    const before = await search('Who checks the valve of the boiler?');
    expect(before.map(({ document }) => document.id)).toEqual([small]);
    open();
    expect((await processed(ada, large)).status).toBe('COMPLETED');
    const after = await search('Who checks the valve of the boiler?');
    expect(after.map(({ document }) => document.id)).toContain(large);
  });
});
