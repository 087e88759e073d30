import { newId, NIL_ID } from '../../src/common/ids.js';
import { PassageIndex } from '../../src/documents/passages/passage-index.service.js';
import { PassageRepository } from '../../src/documents/passages/passage.repository.js';
import { DocumentSearch } from '../../src/documents/search/document-search.service.js';
import { FoundPassageRepository } from '../../src/documents/search/found-passage.repository.js';
import { SearchTexts } from '../../src/documents/search-index/search-texts.js';
import { SearchWorld } from '../harness/search-world.js';

let world: SearchWorld;
let index: PassageIndex;
let search: DocumentSearch;

beforeAll(async () => {
  world = await SearchWorld.start();
  index = new PassageIndex(new PassageRepository(), world.index, new SearchTexts());
  search = new DocumentSearch(world.database, world.index, new FoundPassageRepository());
});
afterAll(() => world[Symbol.asyncDispose]());

function store(
  name: string,
  texts: readonly string[],
  { companyId = world.companyId, status = 'COMPLETED' } = {},
) {
  return world.database.transaction(companyId, async (tx) => {
    const [id, contentId] = [newId(), newId()];
    await tx.query(
      `INSERT INTO document_content (company_id, id, sha256, bytes, storage_key, name, status)
       VALUES ($1, $2::uuid, $2::text, 1, $2::text, $3, $4)`,
      [companyId, contentId, name, status],
    );
    await tx.query(
      `INSERT INTO document (company_id, id, member_id, name, media_type, bytes, content_id)
       VALUES ($1, $2, $3, $4, 'text/plain', 1, $5)`,
      [companyId, id, newId(), name, contentId],
    );
    const passages = texts.map((text, ordinal) => ({
      ordinal,
      page: null,
      pageBreaks: [],
      headings: ['A "quoted" {heading}', String.raw`back\slash`],
      startOffset: ordinal * 1000,
      endOffset: ordinal * 1000 + text.length,
      tokens: 10,
      language: null,
      text,
    }));
    await index.put(tx, { id: contentId, ownerId: NIL_ID }, passages);
    return { id, contentId };
  });
}

async function found(query: string, documentIds: readonly string[] | null, limit = 5): Promise<string[]> {
  const asked = { query, limit, documentIds };
  const { passages, warning } = await search.search(world.companyId, asked, new AbortController().signal);
  expect(warning).toBeNull();
  return passages.map(({ documentName, text }) => `${documentName}: ${text}`);
}

it('looks into some documents alone, and finds nothing in those that are not there or not the company’s', async () => {
  const one = await store('one', ['The ferry leaves at nine.']);
  await store('two', ['The ferry leaves at ten.']);
  const foreign = await store('foreign', ['The ferry leaves at noon.'], { companyId: world.otherCompanyId });
  expect((await found('When does the ferry leave?', null)).toSorted()).toEqual([
    'one: The ferry leaves at nine.',
    'two: The ferry leaves at ten.',
  ]);
  expect(await found('When does the ferry leave?', [one.id, newId()])).toEqual([
    'one: The ferry leaves at nine.',
  ]);
  for (const ids of [[], [newId()], ['no id'], [foreign.id]]) {
    expect(await found('When does the ferry leave?', ids)).toEqual([]);
  }
});

it('passes over what is not COMPLETED, however much of it there is', async () => {
  const lines = Array.from({ length: 120 }, (_, at) => `The harbour gate ${at} is painted green.`);
  await store('unfinished', lines, { status: 'PROCESSING' });
  await store('finished', [
    'The harbour office, which sees to the gate and to much else besides, was once painted green.',
  ]);
  expect(await found('Which harbour gate is painted green?', null)).toEqual([
    expect.stringMatching(/^finished: /),
  ]);
});

it('keeps passages as they were cut, and erases all of a content', async () => {
  const { contentId } = await store('three', ['A lighthouse.', 'A 😀 buoy.']);
  const list = () => world.database.read(world.companyId, (tx) => index.list(tx, contentId, 1, 10));
  expect(await list()).toEqual([
    expect.objectContaining({
      contentId,
      ordinal: 1,
      text: 'A 😀 buoy.',
      headings: ['A "quoted" {heading}', String.raw`back\slash`],
    }),
  ]);
  expect(await found('lighthouse', null)).toHaveLength(1);
  await world.database.transaction(world.companyId, (tx) =>
    index.removeContent(tx, { id: contentId, ownerId: NIL_ID }),
  );
  expect(await list()).toEqual([]);
  expect(await found('lighthouse', null)).toEqual([]);
});
