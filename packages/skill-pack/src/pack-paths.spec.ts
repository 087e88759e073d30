import { PackPaths, shownPath } from './pack-paths.js';

describe('a pack’s files', () => {
  it.each([
    ['two blanks', 'references/dos  espacios.md'],
    ['a full-width blank', 'references/全形\u3000空白.md'],
    ['a non-breaking blank', 'nbsp\u00a0x.md'],
    ['a soft hyphen', 'soft\u00adhyphen.md'],
    ['accents of their own', 'gui\u0301a  de notas.md'],
    ['more than is shown', `references/${'long/'.repeat(50)}a.md`],
  ])('are found as models are shown them, and as they are: %s', (_, path) => {
    const paths = new PackPaths(['other.md', path]);
    expect(shownPath(path)).not.toBe(path.normalize('NFC'));
    for (const wanted of [shownPath(path), shownPath(path).normalize('NFC'), path, `./${path}`])
      expect(paths.find(wanted)).toBe(path);
  });

  it('are found by links with odd blanks, written out or as numbers', () => {
    const paths = new PackPaths(['a  b.md']);
    for (const wanted of ['a b.md', 'a%20b.md', 'a%20%20b.md', './a\u3000b.md'])
      expect(paths.find(wanted)).toBe('a  b.md');
  });

  it('are told apart letter by letter where two look the same', () => {
    const both = ['a  b.md', 'a b.md'];
    for (const paths of [new PackPaths(both), new PackPaths(both.toReversed())])
      for (const path of both) expect(paths.find(path)).toBe(path);
  });

  it('are not guessed', () => {
    const long = `${'a'.repeat(250)}.md`;
    const paths = new PackPaths(['ab.md', long]);
    for (const wanted of ['a b.md', '../ab.md', 'ab', `${'a'.repeat(240)}.md`])
      expect(paths.find(wanted)).toBeNull();
  });
});
