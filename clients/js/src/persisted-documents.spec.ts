import { createHash } from 'node:crypto';

import * as generated from './generated/graphql.js';
import manifest from './generated/persisted-documents.json' with { type: 'json' };

it('the manifest has the very texts that are sent, by their hashes', () => {
  const sent = Object.entries(generated).flatMap(([name, document]) =>
    name.endsWith('Document') ? String(document) : [],
  );
  const hashes = sent.map((text) => `sha256:${createHash('sha256').update(text).digest('hex')}`);
  expect(sent.length).toBeGreaterThan(5);
  expect(manifest).toEqual(Object.fromEntries(hashes.map((id, index) => [id, sent[index]])));
});
