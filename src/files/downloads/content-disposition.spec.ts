import fc from 'fast-check';

import { attachmentNamed } from './content-disposition.js';

it('says a name as it is, and a plain one to those who know no better', () => {
  expect(attachmentNamed("Rapport ESG d'août (1).pdf")).toBe(
    `attachment; filename="Rapport ESG d'ao_t (1).pdf"; filename*=UTF-8''Rapport%20ESG%20d%27ao%C3%BBt%20%281%29.pdf`,
  );
});

it('stays one header of one parameter each, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (name) => {
      const [, plain, encoded = ''] =
        /^attachment; filename="([ !#-[\]-~]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(
          attachmentNamed(name),
        ) ?? [];
      expect(plain).toBeDefined();
      expect(decodeURIComponent(encoded)).toBe(name.toWellFormed());
    }),
  );
});
