import { describe, expect, it } from '@jest/globals';
import { Message } from './message.js';
import { keepsCompanyFacts, saidOfCompany } from './own-company.js';

const said = (text: string): string => saidOfCompany(new Message(text).sentences, false);

describe('what is said of one’s own company', () => {
  it.each([
    'Je dirige une savonnerie artisanale à Bobo-Dioulasso, 14 salariés',
    'Je dirige une boutique à Dakar',
    'We are a small local company in Accra',
    'Mi empresa está en Sevilla y somos 12',
    '我們公司在台北，有30名員工',
  ])('is kept whole: %s', (text) => {
    expect(said(text)).toBe(text);
  });

  it.each([
    'Mon fournisseur est à Lomé et emploie 200 salariés',
    "Notre client, nous l'avons à Lomé, emploie 200 salariés",
    'Contrato de alquiler de un local en Sevilla por 1.200 € al mes, 5 años',
    'Our competitor in Nairobi has 300 employees',
    'Nuestro proveedor está en Bogotá',
    '我們的供應商在台中，有300名員工',
    'Nous ne sommes pas à Lomé',
    'Notre client était à Lomé et il a maintenant 300 employés',
    'Nous avons acheté un camion en France',
    'Nous avons un projet à Lomé',
    'Est-ce que nous sommes à Lomé ?',
    'La ville de Dakar est belle',
  ])('is nothing of others and other matters: %s', (text) => {
    expect(said(text)).toBe('');
  });

  it.each([
    "Nous étions 60 employés l'an dernier",
    'Notre effectif passera à 80 personnes',
    "L'an dernier, notre chiffre d'affaires a été de 80 millions FCFA",
    'Nous avons employé 200 saisonniers en 2023',
    'Nous avons embauché 12 personnes',
    'En 2022 notre CA était de 80 millions FCFA',
    'En 2022, nous avons réalisé un CA de 80 millions FCFA',
    "D'ici deux ans nous serons 80 employés",
    'Notre objectif est de 80 employés',
    'We were 60 people last year',
    'We will be 80 people next year',
    'Our headcount was 60',
    'El año pasado éramos 60 empleados',
    'Nuestra plantilla pasará a 80 personas',
    '去年我們有60名員工',
    '我們預計有80名員工',
    'Notre CA est de 3,5 M FCFA par mois',
    'Notre chiffre d’affaires mensuel est de 3,5 millions FCFA',
    'Our revenue is 5,000 USD a month',
    'Nous avons 12 employés à Thiès et 30 à Dakar',
    'We have 12 employees in Accra and 30 in Kumasi',
    'Notre CA est de 80 millions FCFA à Dakar et de 30 millions FCFA à Thiès',
  ])('is nothing of other times, and of several figures none: %s', (text) => {
    expect(said(text)).toBe('');
  });

  it.each([
    'Notre entreprise, créée en 2015, compte 45 employés',
    'Our company was founded in 2015 and we employ 45 people',
    'Nous avons réalisé un CA de 120 millions FCFA',
    'Notre CA est de 120 millions FCFA et nous sommes 45 employés',
    'Notre effectif est passé de 60 à 45 personnes',
    'Nous sommes 45 employés, dont 20 femmes',
    'Notre CA est de 42 millions FCFA par an',
    "Notre objectif est le zéro déchet d'ici 2030",
    'Nous avons une équipe de 45 employés sur 3 hectares',
  ])('is of now: %s', (text) => {
    expect(said(text).replaceAll('\n', ' ')).toBe(text);
  });

  it('is what is, beside what was or will be', () => {
    expect(said("Nous étions 60 employés l'an dernier et nous sommes 45 employés aujourd'hui")).toBe(
      "et nous sommes 45 employés aujourd'hui",
    );
    expect(said('Nous sommes 45 employés et nous serons 60 en 2030')).toBe('Nous sommes 45 employés');
    expect(said('Notre entreprise était à Lomé mais est maintenant à Dakar')).toBe(
      'mais est maintenant à Dakar',
    );
  });

  it('is what is left without clauses about others, and goes on with bare facts', () => {
    expect(said('Nous sommes à Dakar et notre fournisseur est à Lomé avec 300 employés')).toBe(
      'Nous sommes à Dakar',
    );
    expect(said('Mon client est à Lomé, il a 300 employés, mais nous avons 12 salariés')).toBe(
      'mais nous avons 12 salariés',
    );
    expect(said('Nous sommes une PME de Thiès. 14 salariés. Il fait beau à Lomé. 20 salariés.')).toBe(
      'Nous sommes une PME de Thiès.\n14 salariés.',
    );
  });
});

describe('whether a prompt wants facts of the company written down', () => {
  it.each([
    ["Tu n'enregistres sur l'entreprise que ce que la personne a dit elle-même.", true],
    ['Store what the user says of their company.', true],
    ['Tu retiens ce qu’on te demande de retenir.', false],
    ['Consultar la ficha de la entidad.', false],
    ["- **update_company_profile**: Stores facts about the user's company.", false],
  ])('%s', (prompt, keeps) => {
    expect(keepsCompanyFacts(prompt)).toBe(keeps);
  });
});
