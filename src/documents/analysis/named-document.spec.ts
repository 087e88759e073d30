import { matchByName, namePatterns } from './named-document.js';

let count = 0;
function named(
  name: string,
  contentId = `content ${(count += 1)}`,
): { id: string; name: string; contentId: string } {
  return { id: `document ${count}`, name, contentId };
}

const rse = named('Rapport RSE 2024.pdf');
const year = named('Rapport annuel_2024.docx');
const all = [rse, year, named('報告書.pdf'), named('re\u0301sume\u0301.md')];
function namesOf(wanted: string): string[] {
  return matchByName(wanted, all).map(({ name }) => name);
}

describe('the document that is meant', () => {
  it.each([
    ['Rapport RSE 2024.pdf', rse.name],
    ['rapport rse 2024', rse.name],
    ['RSE', rse.name],
    ['rapport annuel 2024', year.name],
    ['報告書', '報告書.pdf'],
    ['Résumé', 're\u0301sume\u0301.md'],
  ])('is found as %j', (wanted, name) => expect(namesOf(wanted)).toEqual([name]));

  it('may be one of several', () => expect(namesOf('rapport 2024')).toEqual([rse.name, year.name]));

  it.each(['bilan', 'RSE 2023', '…', ''])('is not there as %j', (wanted) =>
    expect(namesOf(wanted)).toEqual([]),
  );

  it('is the newest of those with the same content', () => {
    const [newer, older, other] = [named('a.pdf', 'one'), named('A.pdf', 'one'), named('a.pdf', 'two')];
    expect(matchByName('a.pdf', [newer, older])).toEqual([newer]);
    expect(matchByName('a.pdf', [newer, older, other])).toEqual([newer, other]);
  });
});

it('is looked for by its words, without accents', () => {
  expect(namePatterns('Résumé_2024.pdf')).toEqual(['%resume%', '%2024%']);
  expect(namePatterns('%_\\ …')).toEqual([]);
});
