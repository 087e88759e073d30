import { readHint, writeHint } from './postgres-pub-sub.js';
import { MAX_PAYLOAD_BYTES } from './pub-sub.js';

const from = '8b0c1f7e-6f2a-4d7c-9d0e-2b8a4f1c3d5e';

it.each(['', 'a b  c', '{"turnId":"1"}', 'of two\nlines', 'é漢🌳', ' '])(
  'arrives as it was sent: %p',
  (payload) => {
    const hint = { from, topic: 'turn.queued', payload };
    expect(readHint(writeHint(hint))).toEqual(hint);
  },
);

it('fits a NOTIFY at its largest', () => {
  const text = writeHint({ from, topic: 't'.repeat(100), payload: 'x'.repeat(MAX_PAYLOAD_BYTES) });
  expect(Buffer.byteLength(text)).toBeLessThan(8_000);
});

it.each([
  { topic: 'a b', payload: '' },
  { topic: '', payload: '' },
  { topic: 't'.repeat(101), payload: '' },
  { topic: 'a', payload: 'x'.repeat(MAX_PAYLOAD_BYTES + 1) },
  { topic: 'a', payload: '漢'.repeat(MAX_PAYLOAD_BYTES / 3 + 1) },
])('refuses what would not arrive', (hint) => {
  expect(() => writeHint({ from, ...hint })).toThrow(/topic has|bytes/);
});

it.each(['', 'x', 'x y', ' a b', 'x a_b c', `${'x'.repeat(41)} a b`])('knows that %p is no hint', (text) => {
  expect(readHint(text)).toBeNull();
});
