import { describe, expect, it } from '@jest/globals';
import { read } from '../reading/read.js';
import { asksAgain, asksForFile } from './report-request.js';

describe('an order for a report', () => {
  it.each([
    'Fais-moi un rapport PDF',
    'rapport de financement au Mali en pdf',
    'Rapport sur nos financements verts au Sénégal, en Word',
    'ESG report as PDF',
    'refais le rapport',
    'Mets à jour le dossier',
    'Redo the report, please',
  ])('is «%s»', (text) => {
    expect(asksForFile(read(text))).toBe(true);
  });

  it.each([
    'Le rapport de la banque est arrivé',
    'Analyse le document rapport.pdf',
    'rapport.pdf',
    'Que dit le rapport en PDF ?',
    'Résume le rapport annuel en PDF',
    'Quel est le rapport entre ESG et RSE ?',
  ])('is not «%s»', (text) => {
    expect(asksForFile(read(text))).toBe(false);
  });

  it.each<[string, boolean]>([
    ['refais le rapport', true],
    ['Génère de nouveau le rapport en Word', true],
    ['Fais-moi un rapport PDF', false],
    ['refais le calcul', false],
  ])('is one for the same report anew, or not: %s', (text, isAgain) => {
    expect(asksAgain(read(text))).toBe(isAgain);
  });
});
