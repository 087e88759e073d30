import { jest } from '@jest/globals';

import type { AnalysisResult } from '../src/documents/analysis/analysis-result.js';
import { identityOf } from './harness/notification-view.js';
import { patiently } from './harness/patient-analyses.js';
import { startOfflineApp, type TestApp } from './harness/start-app.js';
import { storeDocument } from './harness/stored-documents.js';
import { answerOf } from './harness/test-client.js';

jest.setTimeout(180_000);

let app: TestApp;

beforeAll(async () => {
  patiently();
  app = await startOfflineApp();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => app[Symbol.asyncDispose]());

const report = [
  {
    page: 1,
    text: `# Rapport RSE 2024 – Menuiserie Diallo

Notre atelier de Thiès emploie 42 salariés. Nous publions ce rapport RSE pour la deuxième année.

## Énergie et climat

Nous avons consommé 86 500 kWh d’électricité et 12 300 litres de gazole en 2024.
Le bilan carbone, scopes 1 et 2, s’élève à 71,4 tonnes de CO2e.
Nous n’avons pas encore estimé nos émissions indirectes.`,
  },
  {
    page: 2,
    text: `## Eau et déchets

La consommation d’eau, relevée chaque mois, est de 940 m3.
68 % des déchets de bois sont triés puis valorisés.

| Poste | 2023 | 2024 |
| --- | --- | --- |
| Déchets de bois | 31 t | 27 t |`,
  },
  {
    page: 3,
    text: `## Social

Tous les salariés ont un contrat de travail écrit et sont déclarés à la sécurité sociale.
Les femmes représentent 31 % de l’effectif.
Chaque salarié a suivi 14 heures de formation en moyenne.
Aucun décès lié au travail n’est survenu.

## Gouvernance

Une responsable RSE siège à la direction depuis 2023.
Les états financiers sont certifiés par un commissaire aux comptes.`,
  },
];

const covered = 'E01 E03 E08 E10 S01 S04 S06 S08 G02 G07 G11'.split(' ');
/** By pillar, the heaviest first. */
const missing = (
  'E07 E05 E06 E09 E11 E02 E12 E04 E13 S10 S02 S03 S05 S07 S09 S11 S13 S12 S14 ' +
  'G01 G03 G06 G08 G05 G04 G09 G10'
).split(' ');

const DETAILS = `query ($id: ID!) { turn(id: $id) { skillCalls { skill status details } } }`;

it('analyses a French report without a model: summary, figures with page, what is missing for an ESG file', async () => {
  const client = await app.client();
  const { companyId, id: memberId } = await identityOf(client);
  await storeDocument(app, { companyId, memberId, name: 'rapport.pdf', pages: report });
  const { turnId } = await client.ask('Analyse le document rapport.pdf');
  const answer = answerOf(await client.allEvents(turnId));
  const { turn } = await client.get<{
    turn: { skillCalls: { skill: string; status: string; details: AnalysisResult }[] };
  }>(DETAILS, { id: turnId });
  expect(turn.skillCalls).toMatchObject([{ skill: 'analyze_document', status: 'SUCCEEDED' }]);
  const [{ details } = { details: null }] = turn.skillCalls;
  expect(details?.esg?.covered.map(({ code }) => code)).toEqual(covered);
  expect(details?.esg?.missing.map(({ code }) => code)).toEqual(missing);
  expect(details?.keyFigures).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ value: '86 500', unit: 'kWh', page: 1 }),
      expect.objectContaining({ value: '940', unit: 'm3', page: 2 }),
      expect.objectContaining({ value: '31', unit: '%', page: 3 }),
    ]),
  );
  expect(answer).toContain('Analyse de « rapport.pdf »');
  expect(answer).toContain('86 500 kWh');
  expect(answer).toContain('(p. 2)');
  expect(answer).toContain('E07 Autorisations environnementales et rejets');
});
