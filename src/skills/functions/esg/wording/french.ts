import type { EsgWording, PillarFacts } from './wording.js';

const pillarsOf = (pillars: readonly PillarFacts[]): string =>
  pillars
    .map(
      ({ title, score, coverage }) =>
        `${title} ${score === null ? '–' : `${score}/100`} (${coverage} renseigné)`,
    )
    .join(', ');

export const french: EsgWording = {
  language: 'fr',
  yes: 'Oui',
  no: 'Non',
  amounts: {
    percent: (amount) => `${amount} %`,
    deaths: (amount) => `${amount} décès`,
    hours_per_employee_year: (amount) => `${amount} h par employé et par an`,
  },
  expectedYesNo: 'oui ou non',
  expectedAmounts: {
    percent: 'un pourcentage',
    deaths: 'un nombre de décès',
    hours_per_employee_year: 'des heures par employé et par an',
  },
  expectedLevels: (levels) => levels.map((level, index) => `${index} = ${level}`).join(' ; '),
  scored: ({ score, grade, coverage, pillars }) =>
    `Score ESG : ${score}/100 (${grade}), avec ${coverage} de la grille renseignée : ${pillarsOf(pillars)}.`,
  notScored: ({ coverage, needed, pillars }) =>
    `Pas encore de score ESG global : ${coverage} de la grille renseignée, il faut ${needed} de chaque pilier ; à ce stade, ${pillarsOf(pillars)}.`,
  nothing: 'Pas encore de score ESG : aucun critère n’est renseigné.',
  betterLevel: (level) => `Viser : ${level}`,
  betterAmount: (target, now) => `Viser ${target} (aujourd’hui ${now})`,
  notes: {
    design_choice: () =>
      'Les questions, les seuils, les poids et les coefficients sectoriels sont un choix de conception, qu’aucune norme ne fixe ; seuls les codes (VSME, GRI, IFC, ISO 26000, ODD) renvoient à des référentiels.',
    self_declared: () => 'Le score repose sur les réponses de l’entreprise, que personne n’a vérifiées.',
    minimum_coverage: ({ needed }) =>
      `Le score global n’est donné que si ${needed} du poids de chaque pilier est renseigné, pour qu’aucun pilier ne tienne à quelques réponses.`,
    sector_from_profile: ({ sector }) => `Poids du secteur ${sector}, d’après la fiche de l’entreprise.`,
    sector_unknown: ({ sectors }) =>
      `Secteur inconnu : aucun coefficient appliqué. Secteurs qui ont les leurs : ${sectors}.`,
    not_applicable: ({ titles }) => `Écartés comme non applicables : ${titles}.`,
  },
};
