import type { JsonObject } from '@palabre/json';

import { refusedUnasked, refusedWhenAsked } from './refused-content.js';

function note(kind: string, subject: string, content: string, attributes: JsonObject = {}) {
  return {
    kind,
    subject,
    content,
    attributes,
  };
}

const awa = 'Awa Ndiaye';

describe('refusedWhenAsked', () => {
  it.each([
    ['FACT', 'accès', 'Le mot de passe est baobab2024.', {}],
    ['FACT', 'mot de passe du Wi-Fi', 'baobab', {}],
    ['CONTACT', 'Marc', 'Fournisseur', { notes: 'IBAN FR7630006000011234567890189' }],
    ['FACT', 'accès', 'Le mot de pas\u00ADse est bao\u200Bbab2024.', {}],
    ['PROJECT', 'Baobab', 'Site', { password: 'tresor' }],
    ['PROJECT', 'Baobab', 'Site', { access: ['public', 'PIN 4821'] }],
  ])('are secrets: %s %s', (kind, subject, content, attributes) => {
    expect(refusedWhenAsked(note(kind, subject, content, attributes), awa)).toBe('SECRET');
  });

  it.each([
    ['CONTACT', 'Marc', 'Est diabétique.'],
    ['CONTACT', 'Marc', 'Vota por la izquierda.'],
    ['CONTACT', 'Lin', '他是穆斯林'],
    ['FACT', 'Marc Diop', 'Est syndiqué.'],
    ['FACT', 'Marc', 'Marc est en arrêt maladie.'],
    ['FACT', 'ma mère', 'A un cancer.'],
    ['FACT', 'my boss', 'Has a criminal record.'],
    ['FACT', 'famille', 'Mon frère est homosexuel.'],
    ['FACT', 'familia', 'Mi hermana está embarazada.'],
    ['FACT', '同事', '同事小明懷孕了'],
    ['FACT', '家人', '我媽媽有糖尿病'],
    ['PREFERENCE', 'Colleague', 'My colleague Ben is a Christian.'],
    ['FACT', 'Ben Ode', 'He is of Arab descent.'],
  ])('is what is sensitive of others: %s %s %s', (kind, subject, content) => {
    expect(refusedWhenAsked(note(kind, subject, content), awa)).toBe('SENSITIVE');
  });

  it.each([
    ['FACT', 'santé', 'Je suis diabétique.'],
    ['FACT', 'Allergies', 'Allergique aux arachides.'],
    ['PREFERENCE', 'repas', 'Musulmane, ne mange pas de porc.'],
    ['FACT', 'Awa Ndiaye', 'Est enceinte, congé à partir de juin.'],
    ['FACT', 'Awa', 'Awa est syndiquée.'],
    ['FACT', '健康', '我有糖尿病'],
    ['PROJECT', 'Hôpital de Thiès', 'Logiciel de suivi du diabète.'],
    ['CONTACT', 'Christian Faye', 'Comptable, aids us with taxes.'],
    ['CONTACT', 'Marc', 'Préfère le téléphone.'],
    ['CONTACT', 'Sida', 'Agence suédoise de coopération.'],
    ['CONTACT', 'Ana', 'Enfermera en Dakar.'],
    ['FACT', 'comité', 'Le comité se réunit le mardi.'],
  ])('is nothing else: %s %s %s', (kind, subject, content) => {
    expect(refusedWhenAsked(note(kind, subject, content), awa)).toBeNull();
  });
});

describe('refusedUnasked', () => {
  it.each([
    ['FACT', 'santé', 'Je suis diabétique.', 'SENSITIVE'],
    ['FACT', '信仰', '我是佛教徒', 'SENSITIVE'],
    ['FACT', 'accès', 'PIN 4821', 'SECRET'],
    ['PREFERENCE', 'réponses', 'Courtes.', null],
    ['PROJECT', 'Baobab', 'Bilan carbone pour Teranga.', null],
  ])('is what is sensitive of anybody: %s %s %s', (kind, subject, content, expected) => {
    expect(refusedUnasked(note(kind, subject, content))).toBe(expected);
  });
});
