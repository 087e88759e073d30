import { withLatin1TextDecoder } from '../../text/encoding/latin1-text-decoder.double.js';
import { decoded, encodingOfCodePage } from './code-pages.js';

it('reads quotes and the euro of the western code page on every version of Node', () => {
  const bytes = Buffer.from('l\x92\xe9t\xe9 \x80', 'latin1');
  expect(withLatin1TextDecoder(() => decoded(bytes, encodingOfCodePage(1252)))).toBe('l’été €');
});
