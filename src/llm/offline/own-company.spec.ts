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
    'Nous avons acheté un camion en France',
    'Nous avons un projet à Lomé',
    'Est-ce que nous sommes à Lomé ?',
    'La ville de Dakar est belle',
  ])('is nothing of others and other matters: %s', (text) => {
    expect(said(text)).toBe('');
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
