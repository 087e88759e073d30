import fc from 'fast-check';

import { readFields } from './front-matter.js';
import { PackRefused } from './pack-refused.js';
import { parseSkillMd } from './skill-md.js';
import { checkStrictly } from './skill-md-rules.js';
import { keyOfRemark } from './pack-remark.js';

function md(frontMatter: string, body = '# Title\n\nDo this.'): Buffer {
  return Buffer.from(`---\n${frontMatter}\n---\n${body}\n`);
}
function words(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

const good = md('name: compraventa\ndescription: Drafts deeds of sale. Use it for a sale of a house.');

describe('a SKILL.md is read leniently', () => {
  it('gives what it says, and has nothing to say against one in order', () => {
    expect(parseSkillMd(good, 'compraventa')).toEqual({
      name: 'compraventa',
      title: 'Title',
      description: 'Drafts deeds of sale. Use it for a sale of a house.',
      assistants: null,
      body: '# Title\n\nDo this.',
      warnings: [],
    });
  });

  it.each<[string, Buffer, object]>([
    [
      'Windows’ line ends',
      Buffer.from('---\r\nname: a\r\ndescription: b\r\n---\r\n# T\r\n\r\nx'),
      { body: '# T\n\nx' },
    ],
    [
      'a byte order mark',
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), md('name: a\ndescription: b')]),
      { name: 'a' },
    ],
    [
      'blank lines before',
      Buffer.concat([Buffer.from('\n \n'), md('name: a\ndescription: b')]),
      { name: 'a' },
    ],
    [
      'a rule in the body',
      md('name: a\ndescription: b', 'one\n\n---\n\ntwo'),
      { body: 'one\n\n---\n\ntwo', title: null },
    ],
    ['numbers and booleans', md('name: 007\ndescription: true'), { name: '007', description: 'true' }],
    [
      'a description over several lines',
      md('name: a\ndescription: >-\n  one\n  two\n\n  three'),
      { description: 'one two three' },
    ],
    ['a name in other forms of letters', md('name: ﬁncas\ndescription: b'), { name: 'fincas' }],
    [
      'a name written with a combining accent',
      md(`name: ${'résumé'.normalize('NFD')}\ndescription: b`),
      { name: 'résumé' },
    ],
    [
      'characters that nobody sees',
      md('name: a\ndescription: "b\\u202e\\U000E0041\\0 \\uD800c"'),
      { description: 'b \ufffdc' },
    ],
    [
      'a heading inside code',
      md('name: a\ndescription: b', '```sh\n# no\n```\n\n## **Yes** `it` ##'),
      { title: 'Yes it' },
    ],
    [
      'assistants that it is for',
      md('name: a\ndescription: b\nmetadata:\n  palabre-assistants: solven, mefali  x'),
      { assistants: ['solven', 'mefali', 'x'] },
    ],
    [
      'a tag of some program',
      md('name: a\ndescription: !ruby/object:Gem b'),
      { description: '!ruby/object:Gem b' },
    ],
    ['an alias that is none', md('name: a\ndescription: *very* useful'), { description: '*very* useful' }],
    [
      'colons in values, quotes and more lines among them',
      md(
        "name: a\ndescription: Use when: it's asked\n  for: more\nmetadata:\n  note: x: y\nlicense: 'MIT: x'",
      ),
      { description: "Use when: it's asked for: more" },
    ],
    [
      'a value in quotes over two lines beside one with a colon',
      md('license: MIT: x\ndescription: "one:\n  two"\nname: a'),
      { name: 'a', description: 'one: two' },
    ],
    ['a value that begins like a list', md('name: a\ndescription: [beta] x'), { description: '[beta] x' }],
    [
      'a block beside a value with a colon',
      md('license: MIT: x\ndescription: |\n  one: two\n\n  three\nname: a'),
      { name: 'a', description: 'one: two three' },
    ],
  ])('%s', (_, content, expected) => {
    expect(parseSkillMd(content, null)).toMatchObject(expected);
  });

  it.each<[string, Buffer, string | null, RegExp]>([
    [
      'a name that is not the folder’s',
      md('name: other\ndescription: b'),
      'compraventa',
      /NAME_NOT_FOLDER.*other.*compraventa/,
    ],
    ['a name too long', md(`name: ${'a'.repeat(65)}\ndescription: b`), null, /LONG_NAME.*64/],
    ['no name', md('description: b'), 'compraventa', /NO_NAME_IN_FOLDER/],
    ['keys of others', md('name: a\ndescription: b\nversion: 1.0\nauthor: x'), 'a', /version, author/],
    ['no body', md('name: a\ndescription: b', ''), 'a', /NO_INSTRUCTIONS/],
    ['YAML that only seems right', md('name: a\ndescription: use when: asked'), 'a', /INVALID_YAML/],
    [
      'a description too long',
      md(`name: a\ndescription: ${'é '.repeat(600)}`),
      'a',
      /LONG_DESCRIPTION.*1024/,
    ],
  ])('warns of %s', (_, content, folder, expected) => {
    const { warnings, description } = parseSkillMd(content, folder);
    expect(warnings.map(keyOfRemark)).toEqual([expect.stringMatching(expected)]);
    expect([...description].length).toBeLessThanOrEqual(1024);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['nothing', Buffer.alloc(0), /does not begin with front matter/],
    ['no front matter', Buffer.from('# Title'), /does not begin with front matter/],
    ['front matter without end', Buffer.from('---\nname: a\n'), /has no end/],
    ['no description', md('name: a'), /has no description/],
    ['an empty description', md('name: a\ndescription:'), /has no description/],
    ['a description that is nothing', md('name: a\ndescription: ~'), /has no description/],
    ['a description that is a list', md('name: a\ndescription: [a, b]'), /has to be text/],
    ['YAML that nobody understands', md('name: "a\ndescription: [b'), /no valid YAML/],
    ['the same key twice', md('name: a\nname: b\ndescription: c'), /no valid YAML/],
    ['a list', md('- name: a\n- description: b'), /not made of lines/],
    ['nested too deep', md(`description: b\nx:\n  - ${'['.repeat(9000)}`), /nested too deep: leave name/],
    [
      'a fault with its line in the file',
      Buffer.concat([Buffer.from('\n\n'), md('name: a\ndescription: "b')]),
      /no valid YAML \(Missing closing "quote at line 5, column \d+\)/,
    ],
    ['endless front matter', md(`description: b\nx: ${'y'.repeat(20_000)}`), /longer than 16000/],
    [
      'UTF-16',
      Buffer.from('\ufeff---\nname: a\ndescription: b\n---\n', 'utf16le'),
      /UTF-16: save it as UTF-8/,
    ],
    [
      'Latin 1',
      Buffer.from('---\nname: a\ndescription: fran\xe7ais\n---\n', 'latin1'),
      /not UTF-8 text: save it/,
    ],
    ['bytes', Buffer.from('---\nname: a\ndescription: b\n---\n\0'), /not a text file/],
  ])('refuses %s', (_, content, expected) => {
    expect(() => parseSkillMd(content, null)).toThrow(
      expect.objectContaining({ name: 'PackRefused', message: expect.stringMatching(expected) }),
    );
  });

  it('does not grow with aliases of aliases', () => {
    const levels = [...'bcdefghij'].map(
      (key, index) => `${key}: &${key} [${`*${'abcdefghi'[index]},`.repeat(9)}]`,
    );
    const yaml = `a: &a [y,y,y,y,y,y,y,y,y]\n${levels.join('\n')}`;
    expect(() => readFields(yaml)).toThrow(
      expect.objectContaining({ name: 'PackRefused', message: expect.stringMatching(/too many aliases/) }),
    );
    expect(parseSkillMd(md(`description: x\n${yaml}`), null).description).toBe('x');
  });

  it('reads any text or refuses it in words', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '---',
        'name: a',
        'description: b',
        '  x: y: z',
        '- &a *a',
        '!!set {a}',
        'description: |',
        '"',
      ),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), (lines, isBegun) => {
        const content = Buffer.from((isBegun ? ['---', ...lines] : lines).join('\n'));
        try {
          expect(parseSkillMd(content, 'a').description).not.toBe('');
        } catch (error) {
          expect(error).toBeInstanceOf(PackRefused);
        }
        expect(checkStrictly(content, 'a', words)).toEqual(expect.any(Array));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a SKILL.md is held to the rules of the format', () => {
  it('finds nothing in one in order', () => {
    const full = md(
      'name: 契約書-2\ndescription: x\nlicense: MIT\ncompatibility: any\nallowed-tools: a b\nmetadata:\n  version: 1.0',
    );
    expect(checkStrictly(full, '契約書-2', words)).toEqual([]);
    expect(checkStrictly(good, null, words)).toEqual([]);
  });

  it.each<[string, Buffer, RegExp]>([
    ['no name', md('description: b'), /name is missing/],
    ['a name in capitals', md('name: Deeds\ndescription: b'), /lowercase letters.*rename/],
    ['a name with blanks', md('name: a b\ndescription: b'), /lowercase letters/],
    ['hyphens in a row', md('name: a--b\ndescription: b'), /two in a row/],
    ['a hyphen at the end', md('name: a-\ndescription: b'), /begins or ends/],
    ['a name too long', md(`name: ${'a'.repeat(65)}\ndescription: b`), /longer than 64/],
    ['no description', md('name: a'), /description is missing/],
    ['a description too long', md(`name: a\ndescription: ${'b'.repeat(1025)}`), /longer than 1024/],
    ['an empty licence', md('name: a\ndescription: b\nlicense:'), /license has to be text/],
    [
      'long compatibility',
      md(`name: a\ndescription: b\ncompatibility: ${'c'.repeat(501)}`),
      /longer than 500/,
    ],
    ['metadata that is no map', md('name: a\ndescription: b\nmetadata: c'), /metadata has to hold pairs/],
    [
      'nested metadata',
      md('name: a\ndescription: b\nmetadata:\n  c:\n    d: e'),
      /metadata has to hold pairs/,
    ],
    ['an unknown key', md('name: a\ndescription: b\nversion: 1'), /no key version/],
    ['YAML that was mended', md('name: a\ndescription: use when: asked'), /no valid YAML/],
    ['too many lines', md('name: a\ndescription: b', 'x\n'.repeat(501)), /501 lines/],
    ['too many tokens', md('name: a\ndescription: b', 'x '.repeat(5001)), /5001 tokens/],
    ['far too many', md('name: a\ndescription: b', 'x'.repeat(100_001)), /100001 characters/],
    ['no text', Buffer.from([0xff]), /not UTF-8/],
    [
      'too many aliases',
      md(
        `name: a\ndescription: b\nmetadata:\n  x: &x y\n${['c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm'].map((key) => `  ${key}: *x\n`).join('')}`,
      ),
      /too many aliases, more than 10: write out/,
    ],
    ['a list in a list in a list', md(`name: ${'['.repeat(9000)}`), /nested too deep/],
    ['a fault on its line', md('name: a\ndescription: b\nlicense: c: d'), /at line 4, column 10\)/],
  ])('finds %s', (_, content, expected) => {
    expect(checkStrictly(content, null, words)).toEqual([expect.stringMatching(expected)]);
  });

  it('compares the name with the folder', () => {
    expect(checkStrictly(good, 'hipoteca', words)).toEqual([expect.stringMatching(/make them the same/)]);
  });

  it('tells everything at once', () => {
    expect(checkStrictly(md('name: A_B\nversion: 1', 'x '.repeat(5001)), 'a', words)).toHaveLength(5);
  });
});
