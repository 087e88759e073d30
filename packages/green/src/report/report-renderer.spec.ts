import { readPdf, readWord, sampleFrame } from './fixtures.double.js';
import { ReportRenderer } from './report-renderer.js';
import { type Report, reportFormats } from './report.js';

const never = new AbortController().signal;
const report: Report = {
  language: 'fr',
  title: 'Bilan \u0000\u202Ecarbone',
  subtitle: '',
  company: 'Karité',
  date: '22 novembre 2026',
  day: sampleFrame.day,
  createdAt: sampleFrame.createdAt,
  pageLabel: '{page} / {pages}',
  facts: [],
  blocks: [{ type: 'paragraph', text: 'Bonjour' }],
};

let renderer: ReportRenderer;
beforeEach(() => void (renderer = new ReportRenderer()));

it('makes both files in a thread, with clean texts, and says what it begins with', async () => {
  const begun: string[] = [];
  const [docx, pdf] = await renderer.render(report, {
    formats: reportFormats,
    signal: never,
    onBegin: (format) => begun.push(format),
  });
  expect(begun).toEqual(['docx', 'pdf']);
  expect(await readWord(docx!)).toContain('Bilan carbone');
  expect((await readPdf(pdf!)).join('\n')).toContain('Bonjour');
  expect(pdf!.pages).toBe(1);
  expect(docx!.pages).toBeNull();
});

it('writes several reports one after the other', async () => {
  const files = await Promise.all(
    ['un', 'deux', 'trois'].map((text) =>
      renderer.render(
        { ...report, blocks: [{ type: 'paragraph', text }] },
        { formats: ['pdf'], signal: never },
      ),
    ),
  );
  const texts = await Promise.all(files.map(async ([file]) => (await readPdf(file!)).join('\n')));
  expect(texts.map((text) => ['un', 'deux', 'trois'].find((word) => text.includes(word)))).toEqual([
    'un',
    'deux',
    'trois',
  ]);
});

it('leaves with its caller in the middle of it, and writes the next', async () => {
  const caller = new AbortController();
  const reason = new Error('cancelled');
  const writing = renderer.render(report, {
    formats: reportFormats,
    signal: caller.signal,
    onBegin: () => caller.abort(reason),
  });
  await expect(writing).rejects.toBe(reason);
  await expect(renderer.render(report, { formats: ['pdf'], signal: caller.signal })).rejects.toBe(reason);
  expect(await renderer.render(report, { formats: ['docx'], signal: never })).toHaveLength(1);
});

it('tells of a thread that breaks', async () => {
  const broken = { ...report, blocks: [{ type: 'figures' }] } as unknown as Report;
  await expect(renderer.render(broken, { formats: ['docx'], signal: never })).rejects.toMatchObject({
    code: 'unrendered',
  });
});

it('gives up what takes too long', async () => {
  await expect(
    renderer.render(report, { formats: ['pdf'], signal: never, limitMs: 1 }),
  ).rejects.toMatchObject({ code: 'unrendered' });
});

it('writes no more than a few, and again once there is room', async () => {
  const rendered = Array.from({ length: 6 }, () =>
    renderer.render(report, { formats: ['docx'], signal: never }),
  );
  const ends = await Promise.allSettled(rendered);
  expect(ends.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), 'rejected']);
  expect(await renderer.render(report, { formats: ['docx'], signal: never })).toHaveLength(1);
});

it('leaves with a caller who does not wait for those before', async () => {
  const caller = new AbortController();
  const first = renderer.render(report, {
    formats: ['docx'],
    signal: never,
    onBegin: () => caller.abort(new Error('cancelled')),
  });
  const second = renderer.render(report, { formats: ['docx'], signal: caller.signal });
  await expect(second).rejects.toThrow('cancelled');
  expect(await first).toHaveLength(1);
});
