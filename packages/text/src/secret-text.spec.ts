import fc from 'fast-check';

import { holdsSecret } from './secret-text.js';

describe('a secret', () => {
  it.each([
    'sk-proj-abcdefgh12345678ABCDEFGH',
    'Clé du compte : sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'github_pat_11ABCDEFG0abcdefghijklmnop',
    'glpat-abcdEFGH12345678',
    'xoxb-123456789012-abcdefghij',
    'AKIAIOSFODNN7EXAMPLE',
    'AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY',
    'SG.ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N',
    '-----BEGIN RSA PRIVATE KEY-----',
    'Authorization: Bearer abcdefghijklmnop.qrst',
    'postgres://awa:baobab@db.example.org/crm',
    'https://example.org/file?access_token=abcdefgh1234',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'jeton k3J9x0Q2m5V8tR7wZ1bN',
  ])('is known by its shape: %s', (text) => expect(holdsSecret(text)).toBe(true));

  it.each([
    'Mon mot de passe est baobab2024',
    'mot de passe du Wi-Fi : tresor',
    'MDP = azerty',
    'Le mot de passe est soleil bleu 42',
    'The password for the server is hunter2.',
    'password is swordfish',
    'La contraseña es «girasol»',
    'Mi clave es luna77',
    'clave del wifi: abcd',
    'Wi-Fi 密碼是 baobab2024',
    '密碼：tainan88',
    'Passwort: sonnenblume',
    'Code PIN : 4821',
    'PIN 4821',
    'Mon code de carte bancaire est 4821',
    'Le code de ma carte : 4821',
    'My bank card code is 4821',
    'The code for my card is 4821',
    'El código de mi tarjeta es 4821',
    'CVV 123',
    'El código PIN es 0000',
    '提款密碼 1234',
    'clé API : valeur-cachee',
    'le mdp du wifi c baobab225',
    'RIB : CI008 01111 301134291200 58',
    'Mon RIB est SN012 01201 000012345678 42',
    'Le numéro de compte de Kouassi est 012345678901',
    'Compte bancaire n° 0011 2233 4455',
    'My account number is 12345678',
    '帳號：012-345-678901',
    'Digicode 45B12',
    'Le code de l’alarme est 7788',
    'code wave: 9087',
    'mon code Orange Money c’est 1234',
    'Code de validation 482913',
    'Le code de l’alarme du bureau est 7788',
    'OTP 482913',
  ])('is known by what it is called: %s', (text) => expect(holdsSecret(text)).toBe(true));

  it.each([
    '4111 1111 1111 1111',
    'Carte 5555-5555-5555-4444, expire en mars',
    '378282246310005',
    '2223003122003222',
    'IBAN FR76 3000 6000 0112 3456 7890 189 chez BNP',
    'de89370400440532013000',
  ])('is the number of a card or an account: %s', (text) => expect(holdsSecret(text)).toBe(true));
});

describe('no secret', () => {
  it.each([
    'Préfère les réponses courtes.',
    'Le mot de passe de Marc expire bientôt, il doit en changer',
    'La palabra clave: sostenibilidad',
    'Phone +221 77 123 45 67 89 12',
    'SIRET 732 829 320 00074',
    'Commande 4111 1111 1111 1112',
    'Facture 2026-05-000123456789',
    'c56a4180-65aa-42ec-a945-5fd21dec0538',
    'https://docs.example.org/d/1A2b3C4d5E6f7G8h9I0jKlMnOp/edit',
    'marc.diop+projets2026@sous-domaine.example.org',
    'Projet-Baobab-Phase-Finale-2026-Dakar-Est',
    'RapportAnnuelSurLeClimat2026VersionFinale',
    'Le PIN code est demandé par la banque',
    'Budget : 125 000 000 FCFA',
    'FR76 3000 6000 0112 3456 7890 188',
    '密碼每三個月更換一次',
    'Le code postal de la carte du Sénégal est 12500',
    'Secret de fabrication : la patience',
    'Mon compte bancaire est chez Ecobank, au 27 20 21 22 23',
    'Le plafond du compte bancaire est de 12 500 000 FCFA',
    'Compte client 411000, facture 20260012345',
    'Le numéro de compte 411000 est celui des clients',
    'Le code de validation du plan 2026 attend Awa',
    'Je paie par Wave au 07 08 09 10 11',
    'Le code d’éthique date de 2024',
    'Le compte bancaire a été ouvert le 12/05/2026',
    'Ribeiro a pour téléphone 07 08 09 10 11',
    'Rendez-vous le 12/05/2026 à 14 h 30, salle 4821',
    'CO2 : 12 345 678 kg en 2025',
  ])('is %s', (text) => expect(holdsSecret(text)).toBe(false));

  it('is any sentence of short words', () => {
    const word = fc.constantFrom(
      'le',
      'projet',
      'Baobab',
      'avance',
      'depuis',
      '2026',
      'à',
      'Dakar',
      'vert',
      '項目',
    );
    fc.assert(fc.property(fc.array(word, { maxLength: 60 }), (text) => !holdsSecret(text.join(' '))));
  });

  it('is told soon of any text', () => {
    // 2,000 characters is what a memory may have; here it must end at all.
    for (const piece of [
      'a',
      '1 ',
      'aB1',
      'mot de passe ',
      'FR76 ',
      '密碼是',
      'x@',
      'sk-',
      'eyJ.',
      'rib 12 ',
      'rib',
      'code wave ',
    ]) {
      expect(typeof holdsSecret(piece.repeat(20_000 / piece.length))).toBe('boolean');
      expect(typeof holdsSecret(`rib ${piece.repeat(200)}1x${'1'.repeat(500)}`)).toBe('boolean');
    }
  });
});
