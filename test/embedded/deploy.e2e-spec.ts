import { readFileSync } from 'node:fs';

import { parse } from 'yaml';
import { z } from 'zod';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';

const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Palabre[A-Z]\w+$/),
          expr: z.string().min(1),
          for: z
            .string()
            .regex(/^\d+[smhd]$/)
            .optional(),
          labels: z.object({ severity: z.enum(['warning', 'critical']) }),
          annotations: z.object({ summary: z.string(), action: z.string() }),
        }),
      ),
    }),
  ),
});
const Target = z.object({ refId: z.string(), expr: z.string().min(1) });
const Dashboard = z.object({
  uid: z.literal('palabre'),
  title: z.string(),
  schemaVersion: z.int(),
  panels: z.array(
    z.object({
      id: z.int(),
      type: z.enum(['row', 'stat', 'timeseries']),
      title: z.string(),
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int().max(24), h: z.int() }),
      targets: z.array(Target).optional(),
    }),
  ),
});

const rules = Rules.parse(parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8'))).groups.flatMap(
  (group) => group.rules,
);
const { panels } = Dashboard.parse(JSON.parse(readFileSync('deploy/grafana/palabre.json', 'utf8')));
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
];

/** Of PromQL what may be a metric: its names but for functions, keywords, labels and what stands in quotes. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on)\s*\([^)]*\)/g, ' ');
  return [...bare.matchAll(/\b[a-z]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !['sum', 'max', 'by', 'and', 'on'].includes(name));
}

const book = new ScriptBook();
let app: TestApp;
beforeAll(async () => {
  app = await startApp(book.replyTo);
});
afterAll(() => app[Symbol.asyncDispose]());

it('shows and alerts on metrics that there are', async () => {
  const client = await app.client();
  const question = book.add([toolCall('get_company_profile', {}), finish()], [text('Oui.'), finish()]);
  await client.allEvents((await client.ask(question)).turnId);
  const exposed = await (await fetch(`${app.url}/metrics`)).text();
  const kinds = new Map(
    [...exposed.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind = '']) => [name, kind]),
  );
  const names = new Set(
    [...kinds].flatMap(([name, kind]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  // Prometheus's own.
  names.add('up');
  const named = new Set(expressions.flatMap(metricsIn));
  expect(named.size).toBeGreaterThan(15);
  expect([...named].filter((name) => !names.has(name))).toEqual([]);
});

it('names each alert and each panel once, and lays panels beside each other', () => {
  const alerts = rules.map(({ alert }) => alert);
  expect(new Set(alerts).size).toBe(alerts.length);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const places = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  );
  expect(new Set(places).size).toBe(places.length);
});
