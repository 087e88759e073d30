import fc from 'fast-check';

import { contentDisposition } from './downloads.service.js';

it('gives the exact name, and an ASCII fallback', () => {
  expect(contentDisposition("Rapport ESG d'août (1).pdf")).toBe(
    `attachment; filename="Rapport ESG d'ao_t (1).pdf"; filename*=UTF-8''Rapport%20ESG%20d%27ao%C3%BBt%20%281%29.pdf`,
  );
});

it('is a valid header for any name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (name) => {
      const [, plain, encoded = ''] =
        /^attachment; filename="([ !#-[\]-~]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(
          contentDisposition(name),
        ) ?? [];
      expect(plain).toBeDefined();
      expect(decodeURIComponent(encoded)).toBe(name.toWellFormed());
    }),
  );
});
