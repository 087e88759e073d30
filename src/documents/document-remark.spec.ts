import { type DocumentRemark, errorIn, warningsIn } from './document-remark.js';

const remark: DocumentRemark = { code: 'HIDDEN_SHEETS', values: { count: 1200 } };

it('is said in any language that there is a catalogue of', () => {
  const document = { error: null, warnings: ['stored'], remarks: { error: [], warnings: [remark] } };
  expect(warningsIn(document, 'es')).toEqual(['1200 hojas ocultas leídas como las demás.']);
  expect(warningsIn(document, 'fr-BE')).toEqual(['1\u202f200 feuilles masquées lues comme les autres.']);
  expect(errorIn(document, 'fr')).toBeNull();
});

it('is said as it was stored where only English is known of it', () => {
  const document = { error: 'It is old.', warnings: ['So is this.'], remarks: null };
  expect([errorIn(document, 'fr'), ...warningsIn(document, 'fr')]).toEqual(['It is old.', 'So is this.']);
});

it('is said as it was stored where a later version has a code that is unknown here', () => {
  const later = { code: 'SOMETHING_NEW', values: {} } as unknown as DocumentRemark;
  const document = {
    error: 'Stored.',
    warnings: ['Too.'],
    remarks: { error: [remark, later], warnings: [later] },
  };
  expect([errorIn(document, 'fr'), ...warningsIn(document, 'fr')]).toEqual(['Stored.', 'Too.']);
});

it('may be the code of an upload that came to nothing', () => {
  const document = { error: 'NEVER_CAME', warnings: [], remarks: null };
  expect(errorIn(document, 'fr')).toBe('Le fichier n’est jamais arrivé. Importez-le à nouveau.');
});
