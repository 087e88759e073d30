import { PageReader, UnreadablePage } from './page-reader.js';
import { readPage } from './page-worker.js';

const never = new AbortController().signal;
/** So that no page times out on a busy machine, except in the test of that. */
const AMPLE_MS = 120_000;
const large = `<html><body>${'<p>Un <b>deux</b> <a href="/c">trois</a>.</p>'.repeat(40_000)}</body></html>`;

function page(html: string): { html: string; url: string } {
  return { html, url: 'https://a.example/' };
}

let reader: PageReader;
beforeEach(() => void (reader = new PageReader()));
afterEach(() => reader.onApplicationShutdown());

it('reads pages one after the other, more at a time than it has threads', async () => {
  const read = (text: string) => reader.read('a', page(`<body><p>${text}</p></body>`), never, AMPLE_MS);
  const pages = await Promise.all(['un', 'deux', 'trois', 'quatre', 'cinq'].map(read));
  expect(pages.map(({ markdown }) => markdown)).toEqual(['un', 'deux', 'trois', 'quatre', 'cinq']);
});

it('gives up a page that takes too long, and reads the next', async () => {
  await expect(reader.read('a', page(large), never, 1)).rejects.toBeInstanceOf(UnreadablePage);
  expect(await reader.read('a', page('<p>un</p>'), never, AMPLE_MS)).toMatchObject({ markdown: 'un' });
});

it('has nobody wait until all pages of another company are read', async () => {
  let ended = 0;
  const theirs = Array.from({ length: 6 }, () =>
    reader.read('a', page(large), never, AMPLE_MS).finally(() => (ended += 1)),
  );
  const all = Promise.allSettled(theirs);
  expect(await reader.read('b', page('<p>un</p>'), never, AMPLE_MS)).toMatchObject({ markdown: 'un' });
  expect(ended).toBeLessThan(theirs.length);
  await reader.onApplicationShutdown();
  await all;
});

it('leaves with its caller', async () => {
  const caller = new AbortController();
  const reading = reader.read('a', page(large), caller.signal, AMPLE_MS);
  const reason = new Error('cancelled');
  caller.abort(reason);
  await expect(reading).rejects.toBe(reason);
  await expect(reader.read('a', page('<p>un</p>'), caller.signal)).rejects.toBe(reason);
});

it('stops what is under way when the application does', async () => {
  const reading = reader.read('a', page(large), never, AMPLE_MS);
  const failure = reading.catch((error: unknown) => error);
  await reader.read('a', page('<p>un</p>'), never, AMPLE_MS);
  await reader.onApplicationShutdown();
  expect(await failure).toBeInstanceOf(UnreadablePage);
});

const URL_OF_PAGE = 'https://news.example/2026/a';
const sentence =
  'La production solaire a doublé en un an, selon le ministère, grâce à trois nouvelles centrales. ';
function articleOf(inner: string): string {
  return `<html lang="fr"><head><title>Titre – News</title></head><body><nav><a href="/">Accueil</a> <a href="/x">Rubriques</a></nav>
   <article><h1>Le solaire avance</h1>${`<p>${sentence.repeat(3)}</p>`.repeat(4)}${inner}</article>
   <footer>Mentions légales</footer></body></html>`;
}
function markdownOf(inner: string): string {
  return readPage(articleOf(inner), URL_OF_PAGE).markdown;
}

describe('an article', () => {
  it('is told from what stands around it', () => {
    const { markdown } = readPage(articleOf(''), URL_OF_PAGE);
    expect(markdown).toContain('La production solaire');
    expect(markdown).not.toContain('Mentions légales');
    expect(markdown).not.toContain('Rubriques');
  });

  it('comes with title, byline, date, site and language', () => {
    const html = articleOf('').replace(
      '</head>',
      `<meta property="og:title" content="Le solaire avance"><meta property="og:site_name" content="News">
       <meta name="author" content="Awa Diop"><meta property="article:published_time" content="2026-03-01T08:00:00Z"></head>`,
    );
    expect(readPage(html, URL_OF_PAGE)).toMatchObject({
      title: 'Le solaire avance',
      byline: 'Awa Diop',
      site: 'News',
      published: '2026-03-01T08:00:00Z',
      language: 'fr',
    });
  });

  it('keeps headings, lists, quotes, code and emphasis', () => {
    const markdown = markdownOf(
      `<h2>Chiffres</h2><ul><li>un</li><li>deux <strong>trois</strong></li></ul><blockquote><p>Cité.</p></blockquote>
       <pre><code>a = 1\nb = 2</code></pre>`,
    );
    expect(markdown).toContain('## Chiffres');
    expect(markdown).toMatch(/^- +un$/m);
    expect(markdown).toMatch(/^- +deux \*\*trois\*\*$/m);
    expect(markdown).toContain('> Cité.');
    expect(markdown).toContain('```\na = 1\nb = 2\n```');
  });

  it('keeps tables', () => {
    const markdown = markdownOf(
      `<table><thead><tr><th>Pays</th><th>MW</th></tr></thead><tbody><tr><td>Sénégal</td><td>1<br>2</td></tr>
       <tr><td>Mali | Niger</td><td>3</td></tr></tbody></table>`,
    );
    expect(markdown).toContain('| Pays | MW |\n| --- | --- |\n| Sénégal | 1 2 |\n| Mali \\| Niger | 3 |');
  });

  it('makes links absolute, and drops those that lead to no page', () => {
    const markdown = markdownOf(
      `<p>Voir <a href="../b?c=1#d">la suite</a>, <a href="//cdn.example/e">ailleurs</a> et
       <a href="javascript:alert(1)">un piège</a>. ${sentence}</p>`,
    );
    expect(markdown).toContain('[la suite](https://news.example/b?c=1#d)');
    expect(markdown).toContain('[ailleurs](https://cdn.example/e)');
    expect(markdown).toContain('un piège');
    expect(markdown).not.toContain('javascript');
  });

  it('takes links from the page’s own base', () => {
    const html = articleOf(`<p><a href="b">b</a> ${sentence}</p>`).replace(
      '<title>',
      '<base href="/base/"><title>',
    );
    expect(readPage(html, URL_OF_PAGE).markdown).toContain('(https://news.example/base/b)');
  });

  it('says pictures by what they show', () => {
    expect(markdownOf(`<p><img src="a.png" alt="Une centrale"> ${sentence}</p>`)).toContain('Une centrale');
  });
});

describe('a page put together otherwise', () => {
  const within = (html: string): string =>
    `${html}<article>${`<p>${sentence.repeat(3)}</p>`.repeat(4)}</article>`;

  it.each([
    ['no head', within('<!doctype html><html lang="fr"><title>Titre</title><body>')],
    [
      'no head and no body',
      within('<!doctype html><html lang="fr"><meta charset="utf-8"><title>Titre</title>'),
    ],
    [
      'elements between head and body',
      within('<html lang="fr"><head><title>Titre</title></head><div>x</div><body>'),
    ],
    ['elements after the body', `${within('<html lang="fr"><title>Titre</title><body>')}</body><div>x</div>`],
  ])('with %s is read as well', (_, html) => {
    const page = readPage(html, URL_OF_PAGE);
    expect(page).toMatchObject({ title: 'Titre', language: 'fr' });
    expect(page.markdown).toContain('La production solaire');
  });
});

describe('a page without an article', () => {
  it.each([
    ['a short one', '<html><body><h1>Bonjour</h1><p>Deux mots.</p></body></html>', 'Bonjour\n\nDeux mots.'],
    ['a piece of one', '<p>Un</p><p>Deux</p>', 'Un\n\nDeux'],
    ['text alone', 'Bonjour', 'Bonjour'],
    ['an empty one', '', ''],
    ['one without body', '<html><head><title>T</title></head></html>', ''],
    ['one that is broken', '<html><body><div><p>Un<div></span>Deux', 'Un\n\nDeux'],
    ['one with scripts', '<body><script>var a = "<p>no</p>";</script><p>Un</p></body>', 'Un'],
  ])('%s gives its text', (_, html, expected) => {
    expect(readPage(html, URL_OF_PAGE).markdown.replaceAll(/^#+ /gm, '')).toBe(expected);
  });

  it('nested without end gives its text as well', () => {
    const html = `<html><body>${'<div>'.repeat(20_000)}deep${'</div>'.repeat(20_000)}<p>after</p></body></html>`;
    expect(readPage(html, URL_OF_PAGE).markdown).toBe('deep\n\nafter');
  });

  it('of very many elements gives its text as well', () => {
    const { markdown } = readPage(`<html><body>${'<i>a</i> '.repeat(60_001)}</body></html>`, URL_OF_PAGE);
    expect(markdown.startsWith('a a a a')).toBe(true);
  });
});
