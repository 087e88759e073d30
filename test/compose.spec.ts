import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const text = readFileSync(new URL('../docker-compose.yml', import.meta.url), 'utf8');

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      build: z.string().optional(),
      read_only: z.boolean().optional(),
      cap_drop: z.array(z.string()).optional(),
      security_opt: z.array(z.string()).optional(),
    }),
  ),
});
/** A version says what it is; the digest holds when the version is published anew. */
const PINNED = /:v?\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/;

const services = Object.entries(Compose.parse(parse(text, { merge: true })).services);

it.each(services)('%s may write to its volumes alone, and gain no rights', (_, service) => {
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  });
});

it.each(services.filter(([, { build }]) => build === undefined))(
  '%s has an exact version and its digest',
  (_, { image }) => {
    expect(image).toMatch(PINNED);
  },
);

it('is built on one image, by its digest', () => {
  const dockerfile = readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8');
  const from = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(from[0]).toMatch(PINNED);
  expect(new Set(from.slice(1))).toEqual(new Set(['node']));
});

it('hands on every setting but those that are the image’s own', () => {
  const settings =
    readFileSync(new URL('../.env.example', import.meta.url), 'utf8').match(/^# [A-Z0-9_]+=/gm) ?? [];
  const names = settings.map((line) => line.slice(2, -1));
  const given = Object.keys(parse(text, { merge: true }).services.app.environment);
  expect(names.filter((name) => !given.includes(name)).toSorted()).toEqual(['DATA_DIR', 'HOST', 'PORT']);
});

it('starts with no password that everybody knows', () => {
  const passwords = text.match(/\$\{POSTGRES_PASSWORD[^}]*\}/g) ?? [];
  expect(passwords).toHaveLength(2);
  for (const password of passwords)
    expect(password).toMatch(/^\$\{POSTGRES_PASSWORD:\?Set POSTGRES_PASSWORD /);
});
