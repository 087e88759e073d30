import { PassThrough, Readable } from 'node:stream';

import { DocumentRefused, type ParsedPage, type ParsedSummary } from '../parsed-document.js';
import { remark } from '../remarks.js';
import { readInProcess } from './read-in-process.js';

/** A module with only this content. */
function moduleOf(body: string, imports = ''): URL {
  return new URL(
    `data:text/javascript,${encodeURIComponent(`${imports}
      const end = { format: 'text', mediaType: 'text/plain', pages: null, warnings: [] };
      export async function* readDocument({ name, bytes }) { ${body} }`)}`,
  );
}

interface Given {
  name?: string;
  content?: Readable;
  timeoutMs?: number;
  memoryMegabytes?: number;
  signal?: AbortSignal;
}

const logged: unknown[] = [];
const logger = { warn: (...line: unknown[]): void => void logged.push(line) };

beforeEach(() => {
  logged.length = 0;
});

function start(module: URL, given: Given = {}): AsyncGenerator<ParsedPage, ParsedSummary> {
  return readInProcess(
    given.content ?? Readable.from([Buffer.from('some'), Buffer.from(' bytes')]),
    { name: given.name ?? 'über\n.txt' },
    {
      module,
      limits: { timeoutMs: given.timeoutMs ?? 60_000, memoryMegabytes: given.memoryMegabytes ?? 768 },
      logger,
      signal: given.signal ?? new AbortController().signal,
    },
  );
}

async function readAll(
  pages: AsyncGenerator<ParsedPage, ParsedSummary>,
): Promise<{ markdown: string[]; summary: ParsedSummary }> {
  const markdown: string[] = [];
  for (;;) {
    const { done, value } = await pages.next();
    if (done) return { markdown, summary: value };
    markdown.push(value.markdown);
  }
}

async function failureOf(pages: AsyncGenerator<ParsedPage, ParsedSummary>): Promise<Error> {
  const failure: unknown = await readAll(pages).then(
    () => new Error('It did not fail.'),
    (error: unknown) => error,
  );
  if (!(failure instanceof Error)) throw new Error('It failed with something else than an error.');
  return failure;
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

/** Reports its process id, then follows the script. */
function telling(body: string): URL {
  return moduleOf(`yield { number: null, markdown: String(process.pid) }; ${body}`);
}

const looping = telling('for (;;);');

describe('a document in a process of its own', () => {
  it('is handed over whole, with its name, and comes back page by page', async () => {
    const module = moduleOf(`
      yield { number: 1, markdown: name };
      yield { number: 2, markdown: Buffer.from(bytes).toString() };
      return { ...end, pages: 2, warnings: [{ code: 'GARBLED', values: {} }] };`);
    expect(await readAll(start(module))).toEqual({
      markdown: ['über\n.txt', 'some bytes'],
      summary: { format: 'text', mediaType: 'text/plain', pages: 2, warnings: [remark('GARBLED')] },
    });
    expect(logged).toEqual([]);
  });

  it('may be of many megabytes, and of long pages', async () => {
    const module = moduleOf(`
      yield { number: 1, markdown: String(bytes.byteLength) };
      yield { number: 1, markdown: 'é\\n'.repeat(150_000) };
      return end;`);
    const content = Readable.from(Array.from({ length: 300 }, () => Buffer.alloc(100_000, 1)));
    const { markdown } = await readAll(start(module, { content }));
    expect(markdown[0]).toBe('30000000');
    expect(markdown.length).toBeGreaterThan(3);
    expect(markdown.slice(1).join('')).toBe('é\n'.repeat(150_000));
  });

  it('sees nothing of the environment, and no files but those of the installation', async () => {
    const imports = `import fs from 'node:fs'; import { spawn } from 'node:child_process'; import { Worker } from 'node:worker_threads';`;
    const module = moduleOf(
      `const tried = (what) => { try { what(); return 'done'; } catch (error) { return error.code; } };
      yield { number: null, markdown: JSON.stringify({
        environment: Object.keys(process.env).filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)),
        hosts: tried(() => fs.readFileSync('/etc/hosts')),
        self: tried(() => fs.readFileSync('/proc/self/environ')),
        write: tried(() => fs.writeFileSync('/tmp/written-by-a-document', '')),
        spawn: tried(() => spawn('true')),
        worker: tried(() => new Worker('', { eval: true })),
        evaluate: tried(() => new Function('return 1')()),
        fetch: typeof fetch,
      }) };
      return end;`,
      imports,
    );
    const { markdown } = await readAll(start(module));
    expect(JSON.parse(markdown[0] ?? '')).toEqual({
      environment: [],
      hosts: 'ERR_ACCESS_DENIED',
      self: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      spawn: 'ERR_ACCESS_DENIED',
      worker: 'ERR_ACCESS_DENIED',
      fetch: 'undefined',
    });
  });

  it('does not have its pages mixed up with what libraries say', async () => {
    const module = moduleOf(
      `console.log('hello'); console.warn('beware'); yield { number: null, markdown: 'a' }; return end;`,
    );
    expect((await readAll(start(module))).markdown).toEqual(['a']);
    expect(logged).toEqual([[{ complaint: 'hello\nbeware\n' }, expect.any(String)]]);
  });

  it('loses what no database takes as text', async () => {
    const module = moduleOf(`yield { number: null, markdown: 'a\\0b\\ud800c\\td\\r\\n' }; return end;`);
    expect((await readAll(start(module))).markdown).toEqual(['ab\ufffdc\td\r\n']);
  });
});

describe('a document that does harm', () => {
  it('is given up when it takes too long', async () => {
    const failure = await failureOf(start(moduleOf('for (;;);'), { timeoutMs: 1500 }));
    expect(failure).toBeInstanceOf(DocumentRefused);
    expect(failure.message).toBe(
      'Reading the file takes longer than 1.5 seconds. Split it into smaller files and upload those.',
    );
  });

  it.each([
    ['objects', 'const all = []; for (;;) all.push({ all: [all.length] });'],
    ['buffers', 'const all = []; for (;;) all.push(Buffer.alloc(10_000_000, 1));'],
    ['a string', `let all = 'a'; for (;;) all += all + bytes.byteLength;`],
  ])('is given up when it fills the memory with %s', async (_, body) => {
    const failure = await failureOf(start(moduleOf(body), { memoryMegabytes: 256 }));
    expect(failure).toBeInstanceOf(DocumentRefused);
    expect(failure.message).toMatch(/^Reading the file takes too much memory\. Split it/);
  });

  it.each([
    ['throws', 'throw new TypeError("Cannot read properties of undefined");', /^The file is damaged/],
    ['throws something odd', 'throw null;', /^The file is damaged/],
    ['crashes its process', 'process.abort();', /^The file is damaged/],
    ['is nested too deep', 'const deep = () => deep() + 1; deep();', /nested too deep/],
    [
      'has pictures alone',
      `return { ...end, warnings: [{ code: 'PICTURES_LEFT_OUT', values: { count: 1 } }, { code: 'SLIDES_WITHOUT_TEXT', values: { count: 2 } }] };`,
      /^There is no text in the file\. 1 picture left out: .*\. 2 slides without text\.$/,
    ],
    ['has no text', `yield { number: 1, markdown: ' \\n ' }; return end;`, /^There is no text in the file/],
    ['has too many pages', `yield { number: 10_001, markdown: '' }; return end;`, /10,000 pages/],
    [
      'has too much text',
      `for (;;) yield { number: 1, markdown: 'a'.repeat(90_000) };`,
      /20,000,000 characters/,
    ],
  ])('is refused where it %s', async (_, body, reason) => {
    const failure = await failureOf(start(moduleOf(body)));
    expect(failure).toBeInstanceOf(DocumentRefused);
    expect(failure.message).toMatch(reason);
  });

  it.each([
    ['by somebody else', `process.kill(process.pid, 'SIGKILL'); for (;;);`],
    ['in silence', 'process.exit(0);'],
    [
      'waiting for nothing',
      'process.stdin.removeAllListeners(); process.stdin.destroy(); await new Promise(() => undefined);',
    ],
    ['with nonsense', `process.stdout.write('hello\\n'); for (;;);`],
    [
      'with a line that has no end',
      `await new Promise((resolve) => process.stdout.write('a'.repeat(2_000_000), resolve));`,
    ],
  ])('is no fault of the file where the process ends %s', async (_, body) => {
    const failure = await failureOf(start(moduleOf(body)));
    expect(failure).not.toBeInstanceOf(DocumentRefused);
    expect(failure.message).not.toBe('It did not fail.');
  });

  it('is no fault of the file where the launcher ends, which is started again', async () => {
    const module = moduleOf(
      `yield { number: null, markdown: String(process.ppid) }; if (name === 'a') await new Promise(() => undefined); return end;`,
    );
    const pages = start(module, { name: 'a' });
    const { value } = await pages.next();
    const failure = failureOf(pages);
    process.kill(Number((value as ParsedPage).markdown), 'SIGKILL');
    expect(await failure).not.toBeInstanceOf(DocumentRefused);
    expect((await readAll(start(module))).markdown).not.toEqual([(value as ParsedPage).markdown]);
  });

  it('is left after a while where the launcher hangs, and another one is started', async () => {
    const module = moduleOf(
      `yield { number: null, markdown: String(process.ppid) }; if (name === 'a') await new Promise(() => undefined); return end;`,
    );
    const leaving = new AbortController();
    const pages = start(module, { name: 'a', signal: leaving.signal });
    const { value } = await pages.next();
    process.kill(Number((value as ParsedPage).markdown), 'SIGSTOP');
    const failure = failureOf(pages);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const reason = new Error('Nobody waits.');
    leaving.abort(reason);
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    expect(await failure).toBe(reason);
    expect((await readAll(start(module))).markdown).not.toEqual([(value as ParsedPage).markdown]);
  });

  it('is logged with the reader’s own error', async () => {
    await failureOf(start(moduleOf('throw new Error("Bad xref entry");')));
    expect(logged).toEqual([
      [{ detail: expect.stringMatching(/^Error: Bad xref entry\n/) }, expect.any(String)],
    ]);
  });
});

describe('a document that nobody waits for any more', () => {
  it('is left when the signal says so, and rejects with its reason', async () => {
    const controller = new AbortController();
    const content = new PassThrough();
    content.end('some');
    const pages = start(looping, { signal: controller.signal, content });
    const { value } = await pages.next();
    const reason = new Error('Enough.');
    const failure = failureOf(pages);
    controller.abort(reason);
    expect(await failure).toBe(reason);
    expect(isRunning(Number((value as ParsedPage).markdown))).toBe(false);
    expect(content.destroyed).toBe(true);
  });

  it('is not begun with when the signal has said so before', async () => {
    const content = new PassThrough();
    const reason = new Error('Enough.');
    expect(await failureOf(start(looping, { signal: AbortSignal.abort(reason), content }))).toBe(reason);
    expect(content.destroyed).toBe(true);
  });

  it('is left by leaving early', async () => {
    const pages = start(looping);
    const { value } = await pages.next();
    await pages.return({ format: 'text', mediaType: '', pages: null, warnings: [] });
    expect(isRunning(Number((value as ParsedPage).markdown))).toBe(false);
  });

  it('is left when its bytes end in an error, which is told', async () => {
    const content = new PassThrough();
    content.write('some');
    const failure = failureOf(start(looping, { content }));
    const reason = new Error('The storage is away.');
    content.destroy(reason);
    expect(await failure).toBe(reason);
  });
});
