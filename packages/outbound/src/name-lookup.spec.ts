import { createSocket, type RemoteInfo } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { LookupFunction } from 'node:net';

import { lookupOfAnyName } from './name-lookup.js';

const A = 1;
const FOUND = 0x8180;
const NO_SUCH_NAME = 0x8183;
const REFUSED = 0x8185;

/** The answer to a question: an address of type A, or none. */
function answerTo(question: Buffer, flags: number, isKnown: boolean): Buffer {
  const asked = question.subarray(12, question.indexOf(0, 12) + 5);
  const hasAddress = isKnown && asked.readUInt16BE(asked.length - 4) === A;
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(flags, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(hasAddress ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const address = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 1, 0, 4, 93, 184, 216, 34]);
  return Buffer.concat([head, asked, hasAddress ? address : Buffer.alloc(0)]);
}

const server = createSocket('udp4');
const resolver = new Resolver({ timeout: 100, tries: 1 });

beforeAll(async () => {
  server.on('message', (question: Buffer, { port, address }: RemoteInfo) => {
    const name = question.toString('latin1', 12);
    if (name.includes('silent')) return;
    const flags = name.includes('refused') ? REFUSED : name.includes('local') ? NO_SUCH_NAME : FOUND;
    server.send(answerTo(question, flags, flags === FOUND), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
});
afterAll(() => void server.close());

/** Records lookups by the system, and never answers by itself. */
class SilentSystem {
  readonly asked: string[] = [];
  readonly answers: (() => void)[] = [];
  readonly lookup: LookupFunction = (name, _options, callback) => {
    this.asked.push(name);
    this.answers.push(() => callback(null, [{ address: '10.0.0.7', family: 4 }]));
  };
}

function addressesOf(lookup: LookupFunction, name: string): Promise<unknown> {
  return new Promise((resolve) => {
    lookup(name, {}, (error, found) => resolve(error?.code ?? found));
  });
}

it('has the answer of the name servers', async () => {
  const system = new SilentSystem();
  const lookup = lookupOfAnyName({ resolver, system: system.lookup });
  expect(await addressesOf(lookup, 'models.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  expect(system.asked).toEqual([]);
});

it.each(['silent.example', 'refused.example'])('does not keep a thread waiting for %s', async (name) => {
  const system = new SilentSystem();
  const lookup = lookupOfAnyName({ resolver, system: system.lookup });
  const all = Array.from({ length: 8 }, () => addressesOf(lookup, name));
  expect(new Set(await Promise.all(all))).toEqual(new Set(['EAI_AGAIN']));
  expect(system.asked).toEqual([]);
});

it('asks the system for what the name servers do not know, one name at a time', async () => {
  const system = new SilentSystem();
  const lookup = lookupOfAnyName({ resolver, system: system.lookup });
  const both = [addressesOf(lookup, 'erp.local'), addressesOf(lookup, 'crm.local')];
  await vi.waitFor(() => expect(system.asked).toHaveLength(1));
  // Long enough for the second lookup.
  expect(await addressesOf(lookup, 'models.example')).toHaveLength(1);
  expect(system.asked).toHaveLength(1);
  system.answers[0]!();
  await vi.waitFor(() => expect(system.asked).toHaveLength(2));
  system.answers[1]!();
  const inside = [{ address: '10.0.0.7', family: 4 }];
  expect(await Promise.all(both)).toEqual([inside, inside]);
});
