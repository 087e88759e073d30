import type { EsgWording, PillarFacts } from './wording.js';

const pillarsOf = (pillars: readonly PillarFacts[]): string =>
  pillars
    .map(
      ({ title, score, coverage }) =>
        `${title} ${score === null ? '–' : `${score}/100`} (${coverage} respondido)`,
    )
    .join(', ');

export const spanish: EsgWording = {
  language: 'es',
  yes: 'Sí',
  no: 'No',
  amounts: {
    percent: (amount) => `${amount} %`,
    deaths: (amount) => `${amount} (número de muertes)`,
    hours_per_employee_year: (amount) => `${amount} h por empleado y año`,
  },
  expectedYesNo: 'sí o no',
  expectedAmounts: {
    percent: 'un porcentaje',
    deaths: 'un número de muertes',
    hours_per_employee_year: 'horas por empleado y año',
  },
  expectedLevels: (levels) => levels.map((level, index) => `${index} = ${level}`).join('; '),
  scored: ({ score, grade, coverage, pillars }) =>
    `Puntuación ESG: ${score}/100 (${grade}), con el ${coverage} de los criterios respondido: ${pillarsOf(pillars)}.`,
  notScored: ({ coverage, needed, pillars }) =>
    `Aún no hay puntuación ESG global: ${coverage} de los criterios respondido, hace falta el ${needed} de cada pilar; por ahora, ${pillarsOf(pillars)}.`,
  nothing: 'Aún no hay puntuación ESG: ningún criterio está respondido.',
  betterLevel: (level) => `Aspirar a: ${level}`,
  betterAmount: (target, now) => `Aspirar a ${target} (ahora ${now})`,
  notes: {
    design_choice: () =>
      'Las preguntas, los umbrales, los pesos y los coeficientes sectoriales son una decisión de diseño que ninguna norma fija; solo los códigos (VSME, GRI, IFC, ISO 26000, ODS) remiten a marcos de referencia.',
    self_declared: () => 'La puntuación se basa en las respuestas de la empresa, que nadie ha verificado.',
    minimum_coverage: ({ needed }) =>
      `Solo hay puntuación global cuando está respondido el ${needed} del peso de cada pilar, para que ningún pilar dependa de unas pocas respuestas.`,
    sector_from_profile: ({ sector }) => `Pesos del sector ${sector}, según la ficha de la empresa.`,
    sector_unknown: ({ sectors }) =>
      `Sector desconocido: no se aplica ningún coeficiente. Sectores que tienen los suyos: ${sectors}.`,
    not_applicable: ({ titles }) => `Apartados por no ser aplicables: ${titles}.`,
  },
};
