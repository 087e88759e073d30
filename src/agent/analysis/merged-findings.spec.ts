import fc from 'fast-check';

import type { KeyFigure } from '../../documents/analysis/analysis-result.js';
import { mergedIndicators, mergedFigures, type NamedIndicator } from './merged-findings.js';

function figure(label: string, value: string, page = 1, quote = `${label} ${value} t`): KeyFigure {
  return {
    label,
    value,
    unit: 't',
    page,
    quote,
  };
}

const figures = fc.array(
  fc.record({
    label: fc.constantFrom('CO₂', 'Déchets', 'Eau'),
    value: fc.nat(9).map(String),
    page: fc.nat(3),
  }),
  { maxLength: 12 },
);
const pieces = fc.array(
  figures.map((list) => ({ figures: list.map(({ label, value, page }) => figure(label, value, page)) })),
  { maxLength: 8 },
);

describe('the figures of all pieces', () => {
  it('stand there once, in the order of the document', () => {
    const merged = mergedFigures([
      { figures: [figure('CO₂', '12,4'), figure('Déchets', '3')] },
      { figures: [figure('co2', '12,4', 2), figure('Eau', '12,4', 2)] },
    ]);
    expect(merged.map(({ label, page }) => [label, page])).toEqual([
      ['CO₂', 1],
      ['Déchets', 1],
      ['Eau', 2],
    ]);
  });

  it('are the same in the same words, whatever they are called', () => {
    const words = 'En 2024 nous avons émis 12,4 t.';
    const list = [figure('Émissions', '12,4', 1, words), figure('Bilan carbone', '12,4', 1, words)];
    expect(mergedFigures([{ figures: list }])).toEqual([list[0]]);
  });

  it('are at most forty, of every piece as many of its first', () => {
    const many = Array.from({ length: 10 }, (_, piece) => ({
      figures: Array.from({ length: 10 }, (__, rank) => figure(`Poste ${piece}`, `${piece}${rank}`, piece)),
    }));
    const merged = mergedFigures(many);
    expect(merged).toHaveLength(40);
    for (const piece of many) expect(merged).toEqual(expect.arrayContaining(piece.figures.slice(0, 4)));
  });

  it('are all among those found, and merging them again changes nothing', () => {
    fc.assert(
      fc.property(pieces, (found) => {
        const merged = mergedFigures(found);
        const all = found.flatMap((piece) => piece.figures);
        for (const one of merged) expect(all).toContainEqual(one);
        for (const { label, value } of all.slice(0, 40)) {
          expect(merged.some((one) => one.label === label && one.value === value)).toBe(true);
        }
        expect(mergedFigures([{ figures: merged }])).toEqual(merged);
      }),
    );
  });
});

describe('the indicators of all pieces', () => {
  const grid: NamedIndicator[] = [
    { code: 'E01', label: 'Énergie', weight: 10, pillar: 'E' },
    { code: 'E03', label: 'Bilan', weight: 12, pillar: 'E' },
    { code: 'S08', label: 'Femmes', weight: 7, pillar: 'S' },
  ];
  const evidence = (code: string, page: number) => ({ code, page, quote: `Page ${page}` });

  it('are covered by the first place that says something, and else missing, the heaviest first', () => {
    const found = [{ evidence: [evidence('S08', 2)] }, { evidence: [evidence('S08', 5)] }];
    expect(mergedIndicators(found, grid)).toEqual({
      covered: [{ code: 'S08', label: 'Femmes', page: 2, quote: 'Page 2' }],
      missing: [
        { code: 'E03', label: 'Bilan', weight: 12, pillar: 'E' },
        { code: 'E01', label: 'Énergie', weight: 10, pillar: 'E' },
      ],
    });
  });

  it('are each either covered or missing', () => {
    fc.assert(
      fc.property(fc.subarray(grid.map(({ code }) => code)), (codes) => {
        const { covered, missing } = mergedIndicators(
          [{ evidence: codes.map((code) => evidence(code, 1)) }],
          grid,
        );
        expect(covered.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
        expect([...covered, ...missing].map(({ code }) => code).toSorted()).toEqual(['E01', 'E03', 'S08']);
      }),
    );
  });
});
